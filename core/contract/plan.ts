// Defines a plan: what a run of a policy would move, and why. Amounts are settled decimal strings of the asset beside
// them. Values are in the plan's valuation asset, times ISO-8601 in service time. Shapes only.
import * as z from 'zod/mini'
import { convertRequest } from './convert.ts'
import { amountText, assetCode, isoTime, opaqueId, policyName } from './fields.ts'
import { payeeFacts } from './payee.ts'
import { MOST_ROWS_OF_FILE, payoutId } from './payouts.ts'
import { PolicyKind } from './policies.ts'
import { IntentKind } from './records.ts'
import { withdrawRequest } from './withdraw.ts'

/** An amount that may be below zero, otherwise spelled like `amountText`. Used for drifts and changes. */
export const signedText = z.string().check(z.regex(/^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/))
/** Maximum legs of a run, except for the rows of a file. */
export const MOST_LEGS = 200
/** Maximum legs of a run that pays the rows of a file. */
export const MOST_LEGS_WITH_ROWS = MOST_LEGS + MOST_ROWS_OF_FILE
/** Maximum concurrent legs of a phase. Each leg holds a connection, and their reads share one rate limit. */
export const LEGS_AT_ONCE = 5
export const MOST_UNPRICED = 20
/** Maximum entries in the record. A single entry is already a fault. */
export const MOST_UNREACHED = 20
/** Maximum entries, those with the most value. The legs have all of them. */
export const MOST_TRADES = 200

/** Phases of a run are executed one after another, and the legs of a phase side by side. */
const leg = {
  /** Names the leg within its run for good, such as `sell-BTC-USD`. */
  key: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/)),
  phase: z.int().check(z.gte(1), z.lte(9)),
  /** Value of what the leg sells or withdraws. */
  value: amountText,
  /** One sentence: why this leg, and why this amount. */
  reason: z.string(),
  /**
   * Present for a movement that happens once over all runs: the name that its intent's id is made from. Absent: the id
   * is made from the run and the key.
   */
  once: z.optional(z.string().check(z.regex(/^[A-Za-z0-9._/-]{1,128}$/))),
}

const convertLeg = z.object({
  kind: z.literal(IntentKind.Convert),
  ...leg,
  request: convertRequest,
  market: opaqueId,
  /** Quote units per settled base unit, at about this size. */
  indicativeRate: amountText,
  /** Value lost against the middle of both sides' rates, at about this size. */
  spreadCost: amountText,
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
  /** The contact's facts from the service for this leg. A canary proves them, and people approve them. */
  payee: z.optional(payeeFacts),
  /** Fee at the network's current price. */
  fee: amountText,
  /** Total that leaves the account, fee included. */
  total: amountText,
  /** The id of another row that is paid the same, now or in the last days. A person then decides on the plan. */
  paidAs: z.optional(payoutId),
  /** The row's earlier withdrawal, if only the balance shows that it came back. A person then decides on the plan. */
  backByBalance: z.optional(opaqueId),
  /** The small first withdrawal that precedes the rest. */
  isCanary: z._default(z.boolean(), false),
})
export type WithdrawLeg = z.infer<typeof withdrawLeg>

export const planLeg = z.discriminatedUnion('kind', [convertLeg, withdrawLeg])
export type PlanLeg = z.infer<typeof planLeg>

/** Why a possible movement is not in the plan. The codes are stable, because people's queries use them. */
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
  AlreadyPaid: 'already_paid',
  /** An earlier run has paid, or may still pay, a row of this id with other terms. */
  OtherTerms: 'other_terms',
  /** Several withdrawals have paid the same row, or may still pay it. */
  PaidTwice: 'paid_twice',
  AwaitsCanary: 'awaits_canary',
  /** The service does not list the asset, or a figure of it cannot be read. */
  NoFacts: 'no_facts',
  /** A stranded balance that no policy of treasury.json uses. People decide what becomes of it. */
  Stranded: 'stranded',
  /** No other asset of the policy is on the opposite side of its target and can be exchanged with this one. */
  NoCounterpart: 'no_counterpart',
  /** The amount is too much for one run. The next run does the rest. */
  CutShort: 'cut_short',
} as const
export type NonLegCode = (typeof NonLegCode)[keyof typeof NonLegCode]

const nonLeg = z.object({
  asset: assetCode,
  code: z.enum(NonLegCode),
  reason: z.string(),
  /** The id of the row of a payout file that it is about. */
  row: z.optional(payoutId),
})
export type NonLeg = z.infer<typeof nonLeg>

/** One asset of the policy: now, its target, and after the legs. */
const planPosition = z.object({
  asset: assetCode,
  /** Includes what is on its way in, and excludes what is on its way out. */
  holding: amountText,
  spendable: amountText,
  /** Value of one settled unit. Null where no market gives a price. */
  price: z.nullable(amountText),
  value: amountText,
  /** Share of the total value, from 0 to 1, with six digits. */
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

/** A way from one asset to another: a direct market, or two markets by a hub. */
const planWay = z.object({
  /** Absent: a direct market. */
  hub: z.optional(assetCode),
  /** In order. Empty: no market may be used. */
  markets: z.array(opaqueId).check(z.maxLength(2)),
  /**
   * Value lost on the whole way at the trade's size, by indicative prices: spread, slippage and fees. Absent: unknown.
   */
  cost: z.optional(signedText),
  /** Why the way cannot be taken. Absent: it can. */
  code: z.optional(z.enum(NonLegCode)),
  reason: z.optional(z.string()),
})
export type PlanWay = z.infer<typeof planWay>

/** Value that moves from one asset to another. A leg carries one trade, or several trades on the same way. */
const planTrade = z.object({
  gives: assetCode,
  brings: assetCode,
  /** Value of what is sold, cut off after six digits. Costs are cut off in the same way. */
  value: amountText,
  /** The cheapest usable way. */
  way: planWay,
  /** All other ways that were compared with it. */
  others: z.array(planWay),
})
export type PlanTrade = z.infer<typeof planTrade>

/** Message of a guard about a plan: about a leg that was cut or left out, or about the whole run. */
const guardSaying = z.object({ guard: z.string(), leg: z.optional(z.string()), says: z.string() })
export type GuardMessage = z.infer<typeof guardSaying>

/** `off`: value after the legs, less the target. */
const unreached = z.object({ asset: assetCode, off: signedText })
export type Unreached = z.infer<typeof unreached>

export const plan = z.object({
  policy: policyName,
  kind: z.enum(PolicyKind),
  takenAt: isoTime,
  valuationAsset: assetCode,
  totalValue: amountText,
  /** Held assets without a price, at most MOST_UNPRICED. The total leaves them out, so the true total is unknown. */
  unpriced: z.optional(z.array(assetCode).check(z.maxLength(MOST_UNPRICED))),
  /** Assets still beyond their band after the legs, though nothing in the plan explains it. At most MOST_UNREACHED. */
  unreached: z.optional(z.array(unreached).check(z.maxLength(MOST_UNREACHED))),
  /** Sum of the legs' values. */
  turnover: amountText,
  positions: z.array(planPosition),
  legs: z.array(planLeg).check(z.maxLength(MOST_LEGS_WITH_ROWS)),
  /** The ways that conversions take. Absent: the plan converts nothing. */
  trades: z.optional(z.array(planTrade).check(z.maxLength(MOST_TRADES))),
  nonLegs: z.array(nonLeg),
  guards: z.array(guardSaying),
})
export type Plan = z.infer<typeof plan>
