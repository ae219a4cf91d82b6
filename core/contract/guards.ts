// Defines the `guards` part of treasury.json and of each policy in it: bounds on what may move. The plan checks them,
// and the step checks them again right before each ARM. Values are in the valuation asset; a policy's guards use the
// policy's own. Amounts are in settled units. Either spelling names an equity.
import * as z from 'zod/mini'
import { amountText, assetCode, contactId, opaqueId } from './fields.ts'

/** Most that may leave in a day, fee included, by settled asset code. Other assets are not bounded. */
export const dailyOutflow = z.record(assetCode, amountText)

/** Bounds of one movement, and of all movements of a day (see `dailyWindow`). */
const bound = z.strictObject({ largest: z.optional(amountText), daily: z.optional(amountText) })
export type Bound = z.infer<typeof bound>

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
const clockTime = z.string().check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'a time of day such as "18:30"'))

/** An IANA time zone. Only the machine that reads it knows whether it exists. */
export const timeZone = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'an IANA time zone such as "Europe/Madrid"'))

/** Nothing is sent from `from` to `to` on each of the days. The time ends on the next day where `to` is not later. */
export const quietHours = z.strictObject({
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

/** Who approves, and how many people must: for a policy's runs, and for single movements. */
export const approverRule = {
  /** A larger value needs the approval of two different people. */
  twoAbove: z.optional(amountText),
  /** People whose approval counts: ARNs, or names at a desk, with `*` for any text. Absent: all who may approve. */
  approvers: z.optional(z.array(identityPattern).check(z.minLength(1), z.maxLength(MOST_APPROVERS))),
  /** `false`: the requester may not approve, and where the requester is unknown one more person must. Absent: may. */
  requesterMayApprove: z.optional(z.boolean()),
} as const

/** Movements that wait for a person, whoever asks for them: those above any of these figures. */
const movementApproval = z.strictObject({
  above: z.optional(amountText),
  /** Settled units of the asset that the movement sells or withdraws, fee included. */
  assets: z.optional(z.record(assetCode, amountText)),
  /** Value that goes to a contact, by the contact's id. */
  contacts: z.optional(z.record(contactId, amountText)),
  ...approverRule,
})
export type MovementApproval = z.infer<typeof movementApproval>

const MOST_LISTED = 200
const bounds = {
  /** Value of a movement, and of all movements of a day. */
  total: z.optional(bound),
  /** Bounds by the asset that a movement sells or withdraws, fee included. */
  assets: z.optional(z.record(assetCode, bound)),
  /** Value that goes to a contact, by the contact's id. */
  contacts: z.optional(z.record(contactId, bound)),
  /** The only allowed contacts, by id. */
  allowedContacts: z.optional(z.array(contactId).check(z.maxLength(MOST_LISTED))),
  /** The only allowed markets, by id in settled spelling: `BTC-USD`. */
  allowedMarkets: z.optional(z.array(opaqueId).check(z.maxLength(MOST_LISTED))),
  /** For every conversion, whatever its request says: maximum basis points worse than the indicative price. */
  worstSlippageBps: z.optional(z.int('a whole number of basis points from 0 to 9999').check(z.gte(0), z.lte(9999))),
  quietHours: z.optional(z.array(quietHours).check(z.maxLength(20))),
  /** Approval of single movements, checked right before each send. */
  approval: z.optional(movementApproval),
  /** A day for all daily figures: a calendar day in UTC (the default), or any 24 hours. */
  dailyWindow: z.optional(z.enum(['calendar', 'rolling'], 'calendar or rolling')),
}

/** Bounds of one policy, in addition to the bounds of everything. */
export const policyGuards = z.strictObject(bounds)
export type PolicyGuards = z.infer<typeof policyGuards>

export const guards = z.strictObject({
  dailyOutflow: z._default(dailyOutflow, {}),
  /** The asset in which values are expressed, for guards and for policies that name no asset. */
  valuationAsset: z._default(assetCode, 'USD'),
  /** Seconds. A plan from older figures is not carried out. */
  snapshotSeconds: z._default(z.int('a whole number of seconds from 5 to 3600').check(z.gte(5), z.lte(3600)), 120),
  ...bounds,
})
export type Guards = z.infer<typeof guards>
