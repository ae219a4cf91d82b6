// All of zod, for tests that read a JSON schema. Loading it sets the language of every message in the process, also of
// those that the sandbox answers with, so that is taken back.
import { config } from 'zod'

export { fromJSONSchema, type ZodType } from 'zod'

delete config().localeError
