// Defines the `policies` part of treasury.json: what to rebalance, sweep, convert, fund or pay, and when. Shapes of single
// policies only. core/policies owns every other difference between the kinds.
import * as z from 'zod/mini'
import { amountText, assetCode, contactId, isoTime, policyName } from './fields.ts'
import { approverRule, guards, policyGuards, timeZone } from './guards.ts'
import { MOST_ROWS_OF_FILE, payoutFiles, payoutRow } from './payouts.ts'

const whole = (least: number, most: number) =>
  z.int(`a whole number from ${least} to ${most}`).check(z.gte(least), z.lte(most))
const basisPoints = z.int('a whole number of basis points from 0 to 10000').check(z.gte(0), z.lte(10_000))

export const PolicyKind = {
  Rebalance: 'rebalance',
  Fund: 'fund',
  ConvertOnArrival: 'convert-on-arrival',
  Sweep: 'sweep',
  ConvertAndWithdraw: 'convert-and-withdraw',
  Payouts: 'payouts',
} as const
export type PolicyKind = (typeof PolicyKind)[keyof typeof PolicyKind]

/** Prefix of the name of a policy that comes with its request. No policy of treasury.json has such a name. */
export const INLINE = 'inline-'
const filedName = policyName.check(
  z.regex(new RegExp(`^(?!${INLINE})`), `another beginning than "${INLINE}", which policies in requests have`),
)

const MOST_ASSETS = 1_000
const MOST_RULES = 50
export const MOST_HUBS = 10
export const MOST_POLICIES = 100

const SCHEDULE_EXPECTATION = 'rate(…), cron(…) or at(…) as EventBridge Scheduler takes it, such as "rate(1 hour)"'
const schedule = z.strictObject({
  expression: z.string().check(z.regex(/^(rate|cron|at)\([A-Za-z0-9 *?,/#:LW-]{1,250}\)$/, SCHEDULE_EXPECTATION)),
  timeZone: z._default(timeZone, 'UTC'),
  start: z.optional(isoTime),
  end: z.optional(isoTime),
  /** Retries of a delivery by EventBridge Scheduler. A run that starts and fails is not retried. */
  retries: z._default(whole(0, 10), 3),
  /** Seconds after which an undelivered start is dropped. */
  maxEventAgeSeconds: z._default(whole(60, 86_400), 900),
})
export type Schedule = z.infer<typeof schedule>

/** `target` stays in the account. Nothing moves until there is more than `trigger` (absent: more than `target`). */
const keep = z.strictObject({ target: z._default(amountText, '0'), trigger: z.optional(amountText) })
export type Keep = z.infer<typeof keep>

/** How an approval holds where the policy has no rule for it: a row that looks paid waits for a person all the same. */
export const USUAL_APPROVAL = { expiresAfterSeconds: 86_400, priceBoundBps: 100 } as const

const approvalRule = z.strictObject({
  above: amountText,
  expiresAfterSeconds: z._default(whole(60, 604_800), USUAL_APPROVAL.expiresAfterSeconds),
  /** The approval is void after an indicative rate of a leg has moved further than this, either way. */
  priceBoundBps: z._default(basisPoints, USUAL_APPROVAL.priceBoundBps),
  /** `requesterMayApprove: false`: if the requester was not recorded, nobody may approve. */
  ...approverRule,
})
export type ApprovalRule = z.infer<typeof approvalRule>

const everyPolicy = {
  /** The policy's name before a rename. The journal's memory under that name continues under the new name. */
  was: z.optional(filedName),
  /** `shadow` plans and reports by its schedule, and moves nothing. */
  mode: z._default(z.enum(['live', 'shadow'], 'live or shadow'), 'live'),
  schedule: z.optional(schedule),
  guards: z.prefault(policyGuards, {}),
  /** A run with more value than `above` waits for a person. */
  approval: z.optional(approvalRule),
  breaker: z.prefault(
    z.strictObject({
      /** Unsettled runs in a row after which the policy halts itself. */
      failures: z._default(whole(1, 100), 3),
      /** Fall of total value since the last run beyond which the policy halts itself. */
      largestFallBps: z.optional(basisPoints),
    }),
    {},
  ),
  /** Seconds after its plan in which a run may send. */
  runLifeSeconds: z._default(whole(60, 86_400), 900),
  /** The asset in which values are expressed. Absent: the valuation asset of `guards`. */
  valuationAsset: z.optional(assetCode),
  /**
   * Assets through which a conversion may go where no direct market exists, best first. Absent: the valuation asset.
   */
  hubs: z.optional(z.array(assetCode).check(z.minLength(1), z.maxLength(MOST_HUBS))),
}

const rebalance = z.strictObject({
  kind: z.literal(PolicyKind.Rebalance),
  ...everyPolicy,
  /**
   * `weights` are shares of the total value that add up to 1; `amounts` are values. Exactly one of the two is present.
   * Other assets are left alone, except that with `amounts` the first hub takes the rest.
   */
  weights: z.optional(z.record(assetCode, amountText)),
  amounts: z.optional(z.record(assetCode, amountText)),
  /** Tolerated drift, as a share of the total value (`absolute`) or of the asset's own target (`relative`). */
  band: z.prefault(
    z.strictObject({
      of: z._default(z.enum(['absolute', 'relative'], 'absolute or relative'), 'absolute'),
      bps: z._default(basisPoints, USUAL_APPROVAL.priceBoundBps),
    }),
    {},
  ),
  /** Values, as are `largestTrade` and `turnover`. */
  smallestTrade: z._default(amountText, '10'),
  largestTrade: z.optional(amountText),
  turnover: z.prefault(z.strictObject({ run: z.optional(amountText), day: z.optional(amountText) }), {}),
  /** Settled units of an asset that are kept whatever its target. */
  reserve: z._default(z.record(assetCode, amountText), {}),
  /** Seconds without a trade after a run that traded. */
  coolDownSeconds: z._default(whole(0, 31_536_000), 0),
  leaveAlone: z._default(z.array(assetCode).check(z.maxLength(MOST_ASSETS)), []),
})
export type RebalancePolicy = z.infer<typeof rebalance>

const fund = z.strictObject({
  kind: z.literal(PolicyKind.Fund),
  ...everyPolicy,
  asset: assetCode,
  /** Below `atLeast`, the policy buys up to `target` (absent: `atLeast`). Settled units. */
  atLeast: amountText,
  target: z.optional(amountText),
  /** Assets to pay with, in this order. `keep` of each asset stays. */
  from: z
    .array(z.strictObject({ asset: assetCode, keep: z._default(amountText, '0') }))
    .check(z.minLength(1), z.maxLength(20)),
  /** Value of the smallest purchase. */
  smallestTrade: z._default(amountText, '10'),
})
export type FundPolicy = z.infer<typeof fund>

const convertOnArrival = z.strictObject({
  kind: z.literal(PolicyKind.ConvertOnArrival),
  ...everyPolicy,
  asset: assetCode,
  into: assetCode,
  keep: z.prefault(keep, {}),
  /** Value of the smallest conversion. */
  smallestTrade: z._default(amountText, '10'),
  /** Also runs when the service announces a deposit of the asset. */
  onDeposit: z._default(z.boolean(), true),
})
export type ConvertOnArrivalPolicy = z.infer<typeof convertOnArrival>

const feeTerms = {
  contactId,
  feeMode: z._default(z.enum(['deduct', 'add'], 'deduct or add'), 'deduct'),
  /** With a higher fee nothing is withdrawn, and the plan says so. */
  feeCeilingBps: z.optional(basisPoints),
  /** Smallest withdrawal, in settled units of the withdrawn asset. */
  smallest: z.optional(amountText),
}

const sweepRule = z.strictObject({
  /** Either these assets, or all except those in `allBut`. */
  assets: z.optional(z.array(assetCode).check(z.minLength(1), z.maxLength(MOST_ASSETS))),
  allBut: z.optional(z.array(assetCode).check(z.maxLength(MOST_ASSETS))),
  /** For each asset, in its settled units. */
  keep: z.prefault(keep, {}),
  ...feeTerms,
  /** The asset to convert into first. `smallest` and the fee then count this asset. */
  convertInto: z.optional(assetCode),
  /** Sends the smallest amount first to a contact that is new or has changed, and the rest once that is COMPLETED. */
  canary: z._default(z.boolean(), false),
})
export type SweepRule = z.infer<typeof sweepRule>

/** A withdrawal to one contact, in the form of a sweep's rule. */
export type WithdrawalTerms = SweepRule & {
  /** First part of the keys of its legs; no other withdrawal has it. */
  readonly key: string
  /** Exactly this amount goes, or nothing. */
  readonly exactly?: string | undefined
}

const sweep = z.strictObject({
  kind: z.literal(PolicyKind.Sweep),
  ...everyPolicy,
  rules: z.array(sweepRule).check(z.minLength(1), z.maxLength(MOST_RULES)),
})
export type SweepPolicy = z.infer<typeof sweep>

const convertAndWithdraw = z.strictObject({
  kind: z.literal(PolicyKind.ConvertAndWithdraw),
  ...everyPolicy,
  from: assetCode,
  into: assetCode,
  /** Settled units of `from`. Absent: all above `keep`. */
  amount: z.optional(amountText),
  keep: z.prefault(keep, {}),
  ...feeTerms,
})
export type ConvertAndWithdrawPolicy = z.infer<typeof convertAndWithdraw>

const payouts = z.strictObject({
  kind: z.literal(PolicyKind.Payouts),
  ...everyPolicy,
  /** The assets that rows may pay. */
  assets: z.array(assetCode).check(z.minLength(1), z.maxLength(MOST_RULES)),
  /** Settled units of an asset that stay, whatever a file asks for. */
  reserve: z._default(z.record(assetCode, amountText), {}),
  /** Assets that buy what is lacking, in this order. `keep` of each asset stays. Absent: nothing is bought. */
  from: z.optional(fund.shape.from),
  /** `add`: the contact receives the row's amount, and the fee comes on top. `deduct`: the amount includes the fee. */
  feeMode: z._default(z.enum(['deduct', 'add'], 'deduct or add'), 'add'),
  /** With a higher fee for any row nothing is paid, and the plan says so. */
  feeCeilingBps: z.optional(basisPoints),
  /** Each new object there is a file, whose rows a run pays. Absent: files come from people alone. */
  files: z.optional(payoutFiles),
  /** Filled from the request of a run. In treasury.json it is empty. */
  rows: z._default(z.array(payoutRow).check(z.maxLength(MOST_ROWS_OF_FILE)), []),
})
export type PayoutsPolicy = z.infer<typeof payouts>

export const policy = z.discriminatedUnion('kind', [
  rebalance,
  fund,
  convertOnArrival,
  sweep,
  convertAndWithdraw,
  payouts,
])
export type Policy = z.infer<typeof policy>

/** The parts of treasury.json from which a step that moves money takes its bounds. It reads no other part. */
export const movementSettings = {
  guards: z.prefault(guards, {}),
  policies: z._default(
    z
      .record(filedName, policy)
      .check(
        z.refine((policies) => Object.keys(policies).length <= MOST_POLICIES, `at most ${MOST_POLICIES} policies`),
      ),
    {},
  ),
}
