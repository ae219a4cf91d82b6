// A plan: what a run of a policy would move, why, and why not. Amounts are settled decimal strings of
// the asset they stand beside, values are in the plan's valuation asset, times ISO-8601 in service time.
import * as z from 'zod/mini'
import { convertRequest } from './convert.ts'
import { amountText, assetCode, isoTime, opaqueId, policyName } from './fields.ts'
import { payeeFacts } from './payee.ts'
import { PolicyKind } from './policies.ts'
import { IntentKind } from './records.ts'
import { withdrawRequest } from './withdraw.ts'

/** A drift or a change: an amount with a sign where it is below zero. */
/** As `amountText`, and below zero too. */
export const signedText = z.string().check(z.regex(/^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/))
const MOST_LEGS = 200
export const MOST_UNPRICED = 20
/** As many as a record keeps: one is a fault already. */
export const MOST_UNREACHED = 20
/** Those with the most value; the legs tell of all. */
export const MOST_TRADES = 200

/** Phases of a run go one after another; the legs of a phase side by side. */
const leg = {
  /** Names the leg within its run, for good: `sell-BTC-USD`. At most 64 letters, digits, dots, dashes. */
  key: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/)),
  phase: z.int().check(z.gte(1), z.lte(9)),
  /** Value of what is given up. */
  value: amountText,
  /** One sentence: why this, and why so much. */
  reason: z.string(),
}

const convertLeg = z.object({
  kind: z.literal(IntentKind.Convert),
  ...leg,
  request: convertRequest,
  market: opaqueId,
  /** Quote units per settled base unit, at about this size. */
  indicativeRate: amountText,
  /** Value lost against the middle of both sides' rates at about this size. */
  spreadCost: amountText,
  /** What it gives up and what it should bring. */
  gives: z.object({ asset: assetCode, amount: amountText }),
  brings: z.object({ asset: assetCode, amount: amountText }),
})
export type ConvertLeg = z.infer<typeof convertLeg>

const withdrawLeg = z.object({
  kind: z.literal(IntentKind.Withdraw),
  ...leg,
  request: withdrawRequest,
  assetSymbol: assetCode,
  contactId: opaqueId,
  /** The contact as the service told of it for this leg: what a canary proves, and what people approve. */
  payee: z.optional(payeeFacts),
  /** At the network's price now. */
  fee: amountText,
  /** What leaves the account, fee included. */
  total: amountText,
  /** The small one that goes ahead of the rest. */
  isCanary: z._default(z.boolean(), false),
})
export type WithdrawLeg = z.infer<typeof withdrawLeg>

export const planLeg = z.discriminatedUnion('kind', [convertLeg, withdrawLeg])
export type PlanLeg = z.infer<typeof planLeg>

/** Why something that could have been moved is not. The codes are stable: people's queries go by them. */
export const NonLegCode = {
  WithinBand: 'within_band',
  BelowSmallest: 'below_smallest',
  BelowMinimum: 'below_minimum',
  CostsMoreThanDrift: 'costs_more_than_drift',
  FeeTooDear: 'fee_too_dear',
  BelowTrigger: 'below_trigger',
  NoMarket: 'no_market',
  NoPrice: 'no_price',
  NothingSpendable: 'nothing_spendable',
  InDoubt: 'in_doubt',
  Guard: 'guard',
  TurnoverSpent: 'turnover_spent',
  CoolingDown: 'cooling_down',
  LeftAlone: 'left_alone',
  Reserved: 'reserved',
  ContactMismatch: 'contact_mismatch',
  AwaitsCanary: 'awaits_canary',
  /** Earlier runs brought it on its way, and no policy of treasury.json carries it on: people decide. */
  Stranded: 'stranded',
  /** Nothing else of the policy is on the other side of its target, or none that it could be converted with. */
  NoCounterpart: 'no_counterpart',
  /** Part of it is too much for one run: the rest is for the next one. */
  CutShort: 'cut_short',
} as const
export type NonLegCode = (typeof NonLegCode)[keyof typeof NonLegCode]

const nonLeg = z.object({ asset: assetCode, code: z.enum(NonLegCode), reason: z.string() })
export type NonLeg = z.infer<typeof nonLeg>

/** One asset of the policy: as it is, as it should be, as it would be after the legs. */
const planPosition = z.object({
  asset: assetCode,
  /** With what is on its way in and without what is on its way out. */
  holding: amountText,
  spendable: amountText,
  /** Value of one settled unit; null where no market tells. */
  price: z.nullable(amountText),
  value: amountText,
  /** Share of the total value, 0 to 1, six digits. */
  weight: amountText,
  targetValue: z.optional(amountText),
  targetWeight: z.optional(amountText),
  /** Value less target value. */
  drift: z.optional(signedText),
  afterHolding: amountText,
  afterValue: amountText,
  afterWeight: amountText,
})
export type PlanPosition = z.infer<typeof planPosition>

/** From one asset to another: by a market of the two, or by way of a hub. */
const planWay = z.object({
  /** Absent: a market of the two. */
  hub: z.optional(assetCode),
  /** In their order. Empty: there is none that may be used. */
  markets: z.array(opaqueId).check(z.maxLength(2)),
  /** Value lost on the whole way at the trade's size, by indicative prices: spread, slippage and fees. Absent: not known. */
  cost: z.optional(signedText),
  /** Why it cannot be taken. Absent: it can. */
  code: z.optional(z.enum(NonLegCode)),
  reason: z.optional(z.string()),
})
export type PlanWay = z.infer<typeof planWay>

/** Value that goes from one asset to another. A leg carries one trade, or several that go the same way. */
const planTrade = z.object({
  gives: assetCode,
  brings: assetCode,
  /** Of what is given up; cut off after six digits, as costs are. */
  value: amountText,
  /** The cheapest that could be taken. */
  way: planWay,
  /** All other ways, as they were compared with it. */
  others: z.array(planWay),
})
export type PlanTrade = z.infer<typeof planTrade>

/** What a guard said of a plan: of a leg that was cut or left out, or of the run as a whole. */
const guardSaying = z.object({ guard: z.string(), leg: z.optional(z.string()), says: z.string() })
export type GuardSaying = z.infer<typeof guardSaying>

/** Value after the legs, less the target. */
const unreached = z.object({ asset: assetCode, off: signedText })
export type Unreached = z.infer<typeof unreached>

export const plan = z.object({
  policy: policyName,
  kind: z.enum(PolicyKind),
  takenAt: isoTime,
  valuationAsset: assetCode,
  totalValue: amountText,
  /** Held and without a price, the first of them: the total is without these, so that it is not known. Absent: none. */
  unpriced: z.optional(z.array(assetCode).check(z.maxLength(MOST_UNPRICED))),
  /** Beyond their band after the legs, though nothing of the plan stands against them, the first of them. Absent: none. */
  unreached: z.optional(z.array(unreached).check(z.maxLength(MOST_UNREACHED))),
  /** Sum of the legs' values. */
  turnover: amountText,
  positions: z.array(planPosition),
  legs: z.array(planLeg).check(z.maxLength(MOST_LEGS)),
  /** The ways that conversions take. Absent: there are none. */
  trades: z.optional(z.array(planTrade).check(z.maxLength(MOST_TRADES))),
  nonLegs: z.array(nonLeg),
  guards: z.array(guardSaying),
})
export type Plan = z.infer<typeof plan>
export { MOST_LEGS }
