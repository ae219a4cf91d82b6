// The `policies` part of treasury.json: what to rebalance, sweep, convert or fund, and when. It has the
// shapes of single policies only. core/policies says what else differs between kinds.
import * as z from 'zod/mini'
import { amountText, assetCode, contactId, isoTime, policyName } from './fields.ts'
import { approverRule, policyGuards, timeZone } from './guards.ts'

const whole = (least: number, most: number) =>
  z.int(`a whole number from ${least} to ${most}`).check(z.gte(least), z.lte(most))
const basisPoints = z.int('a whole number of basis points from 0 to 10000').check(z.gte(0), z.lte(10_000))

export const PolicyKind = {
  Rebalance: 'rebalance',
  Fund: 'fund',
  ConvertOnArrival: 'convert-on-arrival',
  Sweep: 'sweep',
  ConvertAndWithdraw: 'convert-and-withdraw',
} as const
export type PolicyKind = (typeof PolicyKind)[keyof typeof PolicyKind]

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
  /** Of handing a start over: a start that fails is one start all the same. */
  retries: z._default(whole(0, 10), 3),
  /** A start that could not be handed over for so long is left out. */
  maxEventAgeSeconds: z._default(whole(60, 86_400), 900),
})
export type Schedule = z.infer<typeof schedule>

/** What stays: `target`; nothing goes until there is more than `trigger` (absent: more than `target`). */
const keep = z.strictObject({ target: z._default(amountText, '0'), trigger: z.optional(amountText) })
export type Keep = z.infer<typeof keep>

const approvalRule = z.strictObject({
  above: amountText,
  expiresAfterSeconds: z._default(whole(60, 604_800), 86_400),
  /** Void when an indicative rate of its legs has moved further, either way. */
  priceBoundBps: z._default(basisPoints, 100),
  /** `requesterMayApprove: false`: by nobody where it was not recorded who asked. */
  ...approverRule,
})
export type ApprovalRule = z.infer<typeof approvalRule>

const everyPolicy = {
  /** Its name before it was renamed: what the journal remembers under that name goes on under this one. */
  was: z.optional(policyName),
  /** `shadow` plans and reports by its schedule, and moves nothing. */
  mode: z._default(z.enum(['live', 'shadow'], 'live or shadow'), 'live'),
  schedule: z.optional(schedule),
  guards: z.prefault(policyGuards, {}),
  /** A run of more value than `above` waits for a person. */
  approval: z.optional(approvalRule),
  breaker: z.prefault(
    z.strictObject({
      /** Runs in a row that did not settle, before the policy halts itself. */
      failures: z._default(whole(1, 100), 3),
      /** Fall of total value since the last run beyond which it halts. */
      largestFallBps: z.optional(basisPoints),
    }),
    {},
  ),
  /** Nothing of a run is sent later than this after its plan. */
  runLifeSeconds: z._default(whole(60, 86_400), 900),
  /** In what values are told; absent: that of `guards`. */
  valuationAsset: z.optional(assetCode),
  /** Assets through which a conversion may go where no market is direct, best first; absent: the valuation asset. */
  hubs: z.optional(z.array(assetCode).check(z.minLength(1), z.maxLength(MOST_HUBS))),
}

const rebalance = z.strictObject({
  kind: z.literal(PolicyKind.Rebalance),
  ...everyPolicy,
  /** Shares of the total value, adding up to 1; or values. One of the two. What is in neither is left alone, save the first hub with `amounts`: it takes the rest. */
  weights: z.optional(z.record(assetCode, amountText)),
  amounts: z.optional(z.record(assetCode, amountText)),
  /** Drift that is let be: of the total value (`absolute`), or of the asset's own target (`relative`). */
  band: z.prefault(
    z.strictObject({
      of: z._default(z.enum(['absolute', 'relative'], 'absolute or relative'), 'absolute'),
      bps: z._default(basisPoints, 100),
    }),
    {},
  ),
  /** Values. */
  smallestTrade: z._default(amountText, '10'),
  largestTrade: z.optional(amountText),
  turnover: z.prefault(z.strictObject({ run: z.optional(amountText), day: z.optional(amountText) }), {}),
  /** Kept of an asset whatever its target, in settled units. */
  reserve: z._default(z.record(assetCode, amountText), {}),
  /** After a run that traded. */
  coolDownSeconds: z._default(whole(0, 31_536_000), 0),
  leaveAlone: z._default(z.array(assetCode).check(z.maxLength(MOST_ASSETS)), []),
})
export type RebalancePolicy = z.infer<typeof rebalance>

const fund = z.strictObject({
  kind: z.literal(PolicyKind.Fund),
  ...everyPolicy,
  asset: assetCode,
  /** Bought up to `target` (absent: `atLeast`) once there is less than `atLeast`. Settled units. */
  atLeast: amountText,
  target: z.optional(amountText),
  /** With what, in this order; `keep` of each stays. */
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
  /** Runs when the service tells of a deposit of the asset, besides its schedule. */
  onDeposit: z._default(z.boolean(), true),
})
export type ConvertOnArrivalPolicy = z.infer<typeof convertOnArrival>

const feeTerms = {
  contactId,
  feeMode: z._default(z.enum(['deduct', 'add'], 'deduct or add'), 'deduct'),
  /** Dearer than this: it waits, and says so. */
  feeCeilingBps: z.optional(basisPoints),
  /** Settled units of what is withdrawn: less is not worth it. */
  smallest: z.optional(amountText),
}

const sweepRule = z.strictObject({
  /** Either those, or every asset but some. */
  assets: z.optional(z.array(assetCode).check(z.minLength(1), z.maxLength(MOST_ASSETS))),
  allBut: z.optional(z.array(assetCode).check(z.maxLength(MOST_ASSETS))),
  /** Of each asset, in its settled units. */
  keep: z.prefault(keep, {}),
  ...feeTerms,
  /** Converted into this first; `smallest` and the fee are then of this. */
  convertInto: z.optional(assetCode),
  /** To a contact never used before, or changed since: the smallest amount first, the rest once it COMPLETED. */
  canary: z._default(z.boolean(), false),
})
export type SweepRule = z.infer<typeof sweepRule>

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
  /** Of `from`, in settled units; absent: all above `keep`. */
  amount: z.optional(amountText),
  keep: z.prefault(keep, {}),
  ...feeTerms,
})
export type ConvertAndWithdrawPolicy = z.infer<typeof convertAndWithdraw>

export const policy = z.discriminatedUnion('kind', [rebalance, fund, convertOnArrival, sweep, convertAndWithdraw])
export type Policy = z.infer<typeof policy>
