// Bundle file of the function that reads files of payouts from S3. Its handler is `files.startOnFile`. This file only names the
// handler: it is separate, because no other function needs the client of S3 or the parser of CSV.

import { Verb } from '../core/contract/states.ts'
import { initialise } from './runtime/initialise.ts'
import { makeStartOnFileHandler } from './start-on-file/handler.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const startOnFile = initialise(Verb.StartOnFile, makeStartOnFileHandler)
