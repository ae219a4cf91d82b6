// Shape of treasury.json, the one file that a user edits. Read by infra, the command line and
// the embedded run through the same parser (infra/config.ts).
import * as z from 'zod/mini'
import { timing } from './timing.ts'

export const Stage = { Live: 'live', Test: 'test' } as const
export type Stage = (typeof Stage)[keyof typeof Stage]

const ADDRESS_EXPECTATION = 'an http(s) address without /v2, query or credentials, such as "https://api.example.com"'

export const treasury = z.strictObject({
  /** Where an editor finds the JSON Schema of this file. */
  $schema: z.optional(z.string()),
  service: z.strictObject({
    /** Address of the service, without `/v2`. */
    url: z.string().check(
      z.regex(/^https?:\/\/[^\s?#@]{1,500}$/, ADDRESS_EXPECTATION),
      z.refine((url) => !/\/v2\/*$/.test(url), ADDRESS_EXPECTATION),
    ),
    /** `live` refuses test keys, `test` refuses live keys. */
    stage: z.enum(['live', 'test'], 'live or test'),
    /** Name of the Secrets Manager secret that holds the service key. */
    keySecret: z._default(
      z.string().check(z.regex(/^[A-Za-z0-9/_+=.@-]{1,256}$/, 'a Secrets Manager name (letters, digits and /_+=.@-)')),
      'sluice/service-key',
    ),
  }),
  timing: z.prefault(timing, {}),
  alarms: z.optional(
    z.strictObject({
      /** ARN of an SNS topic that alarms notify. */
      topicArn: z.string().check(z.regex(/^arn:[^:\s]+:sns:[^:\s]+:[0-9]{12}:[^:\s]+$/, 'the ARN of an SNS topic')),
    }),
  ),
})
export type Treasury = z.infer<typeof treasury>
