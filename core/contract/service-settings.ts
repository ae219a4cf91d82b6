// Owns the single settings that treasury.json and the environment of functions share. They are apart from treasury.ts,
// so that a step that moves money starts without the shape of the whole file.
import * as z from 'zod/mini'

export const Stage = { Live: 'live', Test: 'test' } as const
export type Stage = (typeof Stage)[keyof typeof Stage]

/** Purpose of a key, with the least power that it needs. */
export const KeyRole = { Read: 'read', Trade: 'trade', Transfer: 'transfer' } as const
export type KeyRole = (typeof KeyRole)[keyof typeof KeyRole]

const ADDRESS_EXPECTATION = 'an http(s) address without /v2, query or credentials, such as "https://api.example.com"'
/** Address of the service, without `/v2`. */
export const serviceUrl = z.string().check(
  z.regex(/^https?:\/\/[^\s?#@]{1,240}$/, ADDRESS_EXPECTATION),
  z.refine((url) => !/\/v2\/*$/.test(url), ADDRESS_EXPECTATION),
)

export const stage = z.enum(Stage, 'live or test')

/** The ARN of a KMS key, or the name of an alias of this account and region. */
export const kmsKeyId = z
  .string()
  .check(
    z.regex(
      /^(arn:[a-z-]{1,20}:kms:[a-z0-9-]{1,30}:[0-9]{12}:key\/[A-Za-z0-9-]{1,64}|alias\/[A-Za-z0-9/_-]{1,240})$/,
      'the ARN of a KMS key, or alias/NAME',
    ),
  )

export const headerName = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, 'the name of an HTTP header'))

/** Who may end a halt. One person alone can always make a halt. */
export const ResumedBy = { AnotherRole: 'another-role', TwoPeople: 'two-people' } as const
export type ResumedBy = (typeof ResumedBy)[keyof typeof ResumedBy]
