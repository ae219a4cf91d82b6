// The `guards` part of treasury.json and of each policy in it: bounds on what may move. Checked when a
// run is planned, and again right before each ARM. Values are in the valuation asset (those of a policy's guards
// in the policy's own), amounts in settled units. Either spelling names an equity.
import * as z from 'zod/mini'
import { amountText, assetCode, contactId, opaqueId } from './fields.ts'

/** Most that may leave in a day, fee included, by settled asset code. An asset not named is not bounded. */
export const dailyOutflow = z.record(assetCode, amountText)

/** Of one movement, and of all movements of a day: see `dailyWindow`. */
const bound = z.strictObject({ largest: z.optional(amountText), daily: z.optional(amountText) })
export type Bound = z.infer<typeof bound>

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
const clockTime = z.string().check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'a time of day such as "18:30"'))

/** An IANA zone: whether it exists, the machine that reads it knows. */
export const timeZone = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'an IANA time zone such as "Europe/Madrid"'))

/** When nothing is sent. From `from` to `to` on each of the days; past midnight where `to` is not later. */
const quietHours = z.strictObject({
  /** Absent: every day. */
  days: z.optional(z.array(z.enum(WEEKDAYS, `one of ${WEEKDAYS.join(', ')}`)).check(z.minLength(1), z.maxLength(7))),
  from: z._default(clockTime, '00:00'),
  /** Equal to `from`: a whole day. */
  to: z._default(clockTime, '00:00'),
  timeZone: z._default(timeZone, 'UTC'),
})
export type QuietHours = z.infer<typeof quietHours>

const MOST_APPROVERS = 50
const identityPattern = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,300}$/, 'an ARN or a name of at most 300 characters without spaces, * for any text'))

/** Who approves, and how many: of a policy's runs, and of single movements. */
export const approverRule = {
  /** More value than this is approved by two different people. */
  twoAbove: z.optional(amountText),
  /** Whose approval counts: ARNs, or names at a desk, `*` for any text. Absent: everybody's who may approve at all. */
  approvers: z.optional(z.array(identityPattern).check(z.minLength(1), z.maxLength(MOST_APPROVERS))),
  /** `false`: not by who asked for it, and where that is not known by one person more. Absent: by them too. */
  requesterMayApprove: z.optional(z.boolean()),
} as const

/** Which movements wait for a person, whoever asks for them: those above any of these figures. */
const movementApproval = z.strictObject({
  /** Value of one movement. */
  above: z.optional(amountText),
  /** Settled units of what it gives up, fee included. */
  assets: z.optional(z.record(assetCode, amountText)),
  /** Value that goes to a contact, by its id. */
  contacts: z.optional(z.record(contactId, amountText)),
  ...approverRule,
})
export type MovementApproval = z.infer<typeof movementApproval>

const MOST_LISTED = 200
const bounds = {
  /** Value of a movement, and of all of a day. */
  total: z.optional(bound),
  /** Of the asset that a movement gives up, sold or withdrawn, fee included. */
  assets: z.optional(z.record(assetCode, bound)),
  /** Value that goes to a contact, by its id. */
  contacts: z.optional(z.record(contactId, bound)),
  /** Only these contacts, by id. */
  allowedContacts: z.optional(z.array(contactId).check(z.maxLength(MOST_LISTED))),
  /** Only these markets, by id in settled spelling: `BTC-USD`. */
  allowedMarkets: z.optional(z.array(opaqueId).check(z.maxLength(MOST_LISTED))),
  /** Of every conversion, whatever it asks for itself: basis points worse than the indicative price. */
  worstSlippageBps: z.optional(z.int('a whole number of basis points from 0 to 9999').check(z.gte(0), z.lte(9999))),
  quietHours: z.optional(z.array(quietHours).check(z.maxLength(20))),
  /** Of single movements, checked right before each send. */
  approval: z.optional(movementApproval),
  /** What a day is to all these daily figures: a calendar day of UTC (the default), or any 24 hours. */
  dailyWindow: z.optional(z.enum(['calendar', 'rolling'], 'calendar or rolling')),
}

/** What a policy bounds for itself, on top of what bounds everything. */
export const policyGuards = z.strictObject(bounds)
export type PolicyGuards = z.infer<typeof policyGuards>

export const guards = z.strictObject({
  dailyOutflow: z._default(dailyOutflow, {}),
  /** In what values are told, for guards and for policies that name none. */
  valuationAsset: z._default(assetCode, 'USD'),
  /** A plan made from older figures is not carried out. */
  snapshotSeconds: z._default(z.int('a whole number of seconds from 5 to 3600').check(z.gte(5), z.lte(3600)), 120),
  ...bounds,
})
export type Guards = z.infer<typeof guards>

/** What an intent keeps of the guards that concern it, as they were when it was opened. */
export interface FrozenGuards {
  readonly policy?: {
    readonly name: string
    readonly was?: string
    readonly valuationAsset?: string
    /** Of an approved run: the hash of the deployment's guards under which alone it may be sent. */
    readonly guardsHash?: string
    readonly guards: PolicyGuards
  }
  /** By valuation asset: value of one settled unit of what is given up, where a bound is in values. */
  readonly unitValues?: Readonly<Record<string, string>>
}
