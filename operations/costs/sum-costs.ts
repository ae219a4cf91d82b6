// Adds up what movements and runs cost, by month, policy and asset of valuation. The figures of each movement and run
// are those of the metrics; docs/books.md says what each column means. Exact, and pure.
import { secondsSince } from '../../core/clock.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import {
  addTo,
  type Decimal,
  formatDecimal,
  greatest,
  magnitude,
  negate,
  parseDecimal,
  parseSignedDecimal,
  partOf,
  plus,
  ZERO,
} from '../../core/money/decimal.ts'
import { trackingErrorBps } from '../../core/planning/figures.ts'
import { isAtEnd, isShadow, type RunRecord } from '../../core/runs/record/run-record.ts'
import { type MovementRow, RowState } from '../movements/export/movement-row.ts'

type CostedRun = Pick<
  RunRecord,
  'policy' | 'outcome' | 'startedAt' | 'endedAt' | 'plan' | 'approval' | 'request' | 'asPlanned'
>

const MOVED: ReadonlySet<string> = new Set([ConvertEnd.Filled, WithdrawEnd.Completed])
/** Ends of a movement that the service has. One that failed may have filled in part, or given back what it took. */
const ENDED: ReadonlySet<string> = new Set([...MOVED, ConvertEnd.Failed, WithdrawEnd.FailedRefunded])
/** States whose cost is not known, or not yet. */
const OPEN: ReadonlySet<string> = new Set([
  ...[IntentState.Ready, IntentState.Armed, IntentState.Escalated, WithdrawEnd.NeedsAttention],
  ...Object.values(RowState),
])

interface Sums {
  readonly month: string
  readonly policy: string
  readonly valuationAsset: string
  conversions: number
  withdrawals: number
  open: number
  slippage: Decimal
  slipped: number
  cost: Decimal | undefined
  fees: Decimal | undefined
  readonly feesByAsset: Map<string, Decimal>
  runs: number
  apart: Decimal | undefined
  ended: number
  /** Milliseconds that all ended runs took together, and that the longest took. */
  settleMs: number
  longestMs: number
}

/** Sums by month, policy and asset, in memory: their number does not grow with the movements. */
interface CostSums {
  addMovement(row: MovementRow): void
  addRun(run: CostedRun): void
  rows(): readonly CostRow[]
}

/** `monthOf`: the month of a moment, such as `2026-01`. */
export function createCostSums(monthOf: (ms: number) => string): CostSums {
  const all = new Map<string, Sums>()

  function sumsOf(at: string, policy: string | null, valuationAsset: string | null): Sums {
    const named = { month: monthOf(Date.parse(at)), policy: policy ?? '', valuationAsset: valuationAsset ?? '' }
    const key = JSON.stringify(Object.values(named))
    const sums = all.get(key) ?? { ...named, ...nothing() }
    all.set(key, sums)
    return sums
  }

  return {
    addMovement(row) {
      const { at, cost, fee, kind, policy, slippageBps, state, valuationAsset, assetOut } = row
      const isOpen = OPEN.has(state ?? '')
      if (at === null || !(isOpen || ENDED.has(state ?? ''))) return
      const sums = sumsOf(at, policy, valuationAsset)
      if (isOpen) {
        sums.open += 1
        return
      }
      if (MOVED.has(state ?? '')) sums[kind === IntentKind.Withdraw ? 'withdrawals' : 'conversions'] += 1
      if (slippageBps !== null) {
        sums.slippage = plus(sums.slippage, parseSignedDecimal(slippageBps, 'slippageBps'))
        sums.slipped += 1
      }
      const part = kind === IntentKind.Withdraw ? 'fees' : 'cost'
      if (cost !== null) sums[part] = plus(sums[part] ?? ZERO, parseSignedDecimal(cost, 'cost'))
      if (fee !== null && assetOut !== null) addTo(sums.feesByAsset, assetOut, parseDecimal(fee, 'fee'))
    },

    addRun(run) {
      // It moves nothing, so it costs nothing.
      if (isShadow(run)) return
      const { endedAt, plan, policy, startedAt } = run
      const sums = sumsOf(startedAt, policy, plan?.valuationAsset ?? null)
      const apart = plan && trackingErrorBps(plan)
      sums.runs += 1
      if (apart !== undefined) sums.apart = greatest(sums.apart ?? ZERO, apart)
      if (endedAt === undefined || !isAtEnd(run)) return
      const tookMs = secondsSince(Date.parse(startedAt) + waitedMs(run), Date.parse(endedAt)) * 1000
      sums.ended += 1
      sums.settleMs += tookMs
      sums.longestMs = Math.max(sums.longestMs, tookMs)
    },

    rows: () =>
      withoutUnvalued([...all.values()])
        .sort(byMonth)
        .map(rowOf),
  }
}

/** Milliseconds between the plan and the decision of people on it. 0 for a run that nobody decided on. */
function waitedMs({ plan, approval }: CostedRun): number {
  if (plan === undefined || approval?.at === undefined) return 0
  return secondsSince(Date.parse(plan.takenAt), Date.parse(approval.at)) * 1000
}

/**
 * A run that made no plan, and a movement without a price, have no asset of valuation. They count in the row of their policy
 * and month, where it has one such row.
 */
function withoutUnvalued(all: readonly Sums[]): Sums[] {
  const valued = all.filter(({ valuationAsset }) => valuationAsset !== '')
  const alone: Sums[] = []
  for (const sums of all.filter(({ valuationAsset }) => valuationAsset === '')) {
    const [own, ...others] = valued.filter(({ month, policy }) => month === sums.month && policy === sums.policy)
    if (own === undefined || others.length > 0) alone.push(sums)
    else addAll(own, sums)
  }
  return [...valued, ...alone]
}

function addAll(own: Sums, other: Sums): void {
  for (const name of ['conversions', 'withdrawals', 'open', 'slipped', 'runs', 'ended', 'settleMs'] as const)
    own[name] += other[name]
  own.slippage = plus(own.slippage, other.slippage)
  own.longestMs = Math.max(own.longestMs, other.longestMs)
  for (const [asset, fee] of other.feesByAsset) addTo(own.feesByAsset, asset, fee)
}

function nothing(): Omit<Sums, 'month' | 'policy' | 'valuationAsset'> {
  return {
    ...{ conversions: 0, withdrawals: 0, open: 0, slippage: ZERO, slipped: 0, cost: undefined, fees: undefined },
    ...{ feesByAsset: new Map(), runs: 0, apart: undefined, ended: 0, settleMs: 0, longestMs: 0 },
  }
}

function byMonth(left: Sums, right: Sums): number {
  const [one, other] = [left, right].map(({ month, policy, valuationAsset }) => `${month} ${policy} ${valuationAsset}`)
  return String(one) < String(other) ? -1 : 1
}

function rowOf(sums: Sums): CostRow {
  const { conversions, withdrawals, open, runs, slippage, slipped, ended, settleMs, longestMs } = sums
  const fees = [...sums.feesByAsset].filter(([, amount]) => amount !== ZERO)
  return {
    month: sums.month,
    policy: sums.policy === '' ? null : sums.policy,
    valuationAsset: sums.valuationAsset === '' ? null : sums.valuationAsset,
    movements: String(conversions + withdrawals),
    ...{ conversions: String(conversions), withdrawals: String(withdrawals), open: String(open) },
    slippageBps: slipped === 0 ? null : formatDecimal(averageOf(slippage, slipped)),
    slippageCost: textOf(sums.cost),
    fees: textOf(sums.fees),
    feesInAssets: fees.length === 0 ? null : fees.map(([asset, fee]) => `${formatDecimal(fee)} ${asset}`).join('; '),
    runs: String(runs),
    trackingErrorBps: textOf(sums.apart),
    settleSeconds: ended === 0 ? null : (settleMs / ended / 1000).toFixed(3),
    longestSettleSeconds: ended === 0 ? null : (longestMs / 1000).toFixed(3),
  }
}

/** Cut off after 18 places, towards zero. */
function averageOf(sum: Decimal, count: number): Decimal {
  const part = partOf(magnitude(sum), 1n, BigInt(count), 'down')
  return sum < ZERO ? negate(part) : part
}

function textOf(value: Decimal | undefined): string | null {
  return value === undefined ? null : formatDecimal(value)
}

export const COST_COLUMNS = [
  ...['month', 'policy', 'valuationAsset', 'movements', 'conversions', 'withdrawals', 'open'],
  ...['slippageBps', 'slippageCost', 'fees', 'feesInAssets'],
  ...['runs', 'trackingErrorBps', 'settleSeconds', 'longestSettleSeconds'],
] as const
type CostColumn = (typeof COST_COLUMNS)[number]

/** Amounts are exact decimal texts in settled units. Null where nothing was measured. */
export type CostRow = Readonly<Record<CostColumn, string | null>>
