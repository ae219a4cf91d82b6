// When a person is asked to approve a plan, and what the approval then binds. Approval counts what a policy gives up in
// 24 hours, not one run alone: else a bound on one movement below it would switch it off by splitting. A leg that was
// approved is bound until it is sent: to no more than a person was shown, at no worse a rate, and for no more value,
// each within the policy's bound. The bounds are part of the leg's request, and so of its hash.
import { sameCode } from '../../contract/fields.ts'
import type { ConvertLeg, Plan, PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { hashGuards } from '../../guards/frozen-guards.ts'
import { type Decimal, formatDecimal, parseDecimal, partOf, plus, sumOf, WHOLE_BPS, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { hashPlan } from '../../planning/plan-hash.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord, Unasked } from '../record/policy-record.ts'
import { assetsOf, type RunMove, type RunRecord } from '../record/run-record.ts'
import { trimPlan } from '../record/trimming.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const LONGEST_HOUR = 'YYYY-MM-DDTHH'.length

/** One sentence where a person is to decide on the plan; undefined where it may go. */
export function approvalReason(
  { approval }: Policy,
  { turnover, valuationAsset }: Plan,
  { unasked }: PolicyRecord,
  nowMs: number,
): string | undefined {
  if (approval === undefined) return undefined
  const recent = recentOf(unasked, nowMs)
  const value = parseDecimal(turnover, 'turnover')
  const before = totalOf(recent)
  const own = `its turnover of ${turnover} ${valuationAsset}`
  // What was counted in another asset cannot be added to it: a person looks.
  if (unasked !== undefined && unasked.asset !== valuationAsset && before > 0n) {
    return `${own} cannot be added to the ${formatDecimal(before)} ${unasked.asset} that went unasked in the last 24 hours`
  }
  if (plus(value, before) <= parseDecimal(approval.above, 'approval.above')) return undefined
  const with24 = before === 0n ? '' : `, with ${formatDecimal(before)} that went unasked in the last 24 hours,`
  return `${own}${with24} is more than ${approval.above}`
}

/** With what a run gave up that nobody was asked for. Hours that count no more are left out. */
export function countUnasked(
  known: Unasked | undefined,
  asset: string,
  value: Decimal,
  nowMs: number,
): Unasked | undefined {
  // In another asset than before, both are kept as the newer one's: too much asks once too often.
  const hours = recentOf(known, nowMs)
  if (value === 0n) return known === undefined ? undefined : { asset: known.asset, hours }
  const hour = hourOf(nowMs)
  const sum = plus(parseDecimal(hours[hour] ?? '0', 'unasked'), value)
  return { asset, hours: { ...hours, [hour]: formatDecimal(sum) } }
}

function recentOf(unasked: Unasked | undefined, nowMs: number): Readonly<Record<string, string>> {
  const from = nowMs - DAY_MS
  return Object.fromEntries(
    Object.entries(unasked?.hours ?? {}).filter(([hour]) => Date.parse(`${hour}:00:00.000Z`) + HOUR_MS > from),
  )
}

function totalOf(hours: Readonly<Record<string, string>>): Decimal {
  return sumOf(Object.values(hours).map((value) => parseDecimal(value, 'unasked')))
}

function hourOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, LONGEST_HOUR)
}

export interface Question {
  readonly run: RunRecord
  readonly plan: Plan
  readonly residues: RunMove['residues']
  /** One sentence: why a person is asked. */
  readonly reason: string
  /** What the plan was made from. */
  readonly snapshot: Snapshot
}

/** The legs are not frozen: what the approval rests on is looked at again before they are. @throws Transient */
export function awaitApproval(
  { run, plan, residues, reason, snapshot }: Question,
  { runs, service, treasury }: Pick<RunPorts, 'runs' | 'service' | 'treasury'>,
): Promise<RunRecord> {
  const { approval } = run.asPlanned
  const shown = trimPlan(boundPlan(plan, approval?.priceBoundBps ?? 0))
  const expiresAtMs = service.clock.nowMs() + (approval?.expiresAfterSeconds ?? 0) * 1000
  const expiresAt = new Date(expiresAtMs).toISOString()
  const guardsHash = hashGuards(treasury.guards)
  const spendableOf = (asset: string) => formatDecimal(snapshot.positions.get(asset)?.spendable ?? ZERO)
  return runs.advance(run, {
    outcome: RunEnd.AwaitingApproval,
    plan: shown,
    residues,
    basis: Object.fromEntries(assetsOf(shown.legs).map((asset) => [asset, spendableOf(asset)])),
    guardsHash,
    why: `${reason}: a person decides until ${expiresAt}`,
    approval: { planHash: hashPlan(shown, { policyHash: run.policyHash, guardsHash, expiresAt }), expiresAt },
  })
}

/** The plan as a person is to see it: each conversion with the worst rate and the most that approving it allows. */
function boundPlan(plan: Plan, boundBps: number): Plan {
  return { ...plan, legs: plan.legs.map((leg) => boundLeg(leg, BigInt(boundBps))) }
}

/** With the worst rate and the most that its figures and this bound, in basis points, come to. */
export function boundLeg(leg: PlanLeg, bound: bigint): PlanLeg {
  // A withdrawal is of an exact amount: under `add` its fee comes on top, and may have become dearer.
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most: leg.total } }
  const { request, indicativeRate } = leg
  const other = otherOf(leg)
  const rate = parseDecimal(indicativeRate, 'indicativeRate')
  // Rounded against the leg: never worse than was shown by more than the bound.
  const worst =
    request.side === 'BUY'
      ? partOf(rate, WHOLE_BPS + bound, WHOLE_BPS, 'down')
      : partOf(rate, WHOLE_BPS - bound, WHOLE_BPS, 'up')
  const most = partOf(parseDecimal(other.amount, 'amount'), WHOLE_BPS + bound, WHOLE_BPS, 'down')
  const worstRate = formatDecimal(worst)
  const reason = `${leg.reason}; approved for a rate of ${worstRate} at worst, and ${formatDecimal(most)} ${other.asset} at most`
  return { ...leg, reason, request: { ...request, worstRate, most: formatDecimal(most) } }
}

/** What the amount does not count, as shown. */
function otherOf({ request: { amountAsset }, gives, brings }: ConvertLeg): ConvertLeg['gives'] {
  return sameCode(amountAsset, gives.asset) ? brings : gives
}

/** A leg of a later phase, planned again: bound as the plan that was approved had it. */
export function asBound(leg: PlanLeg, { legs }: Plan): PlanLeg {
  const shown = legs.find(({ key }) => key === leg.key)
  const most = shown?.request.most
  // Nobody was shown it, or nobody had to be asked.
  if (shown === undefined || most === undefined) return leg
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most } }
  const worstRate = shown.kind === IntentKind.Convert ? shown.request.worstRate : undefined
  return { ...leg, request: { ...leg.request, most, ...(worstRate !== undefined && { worstRate }) } }
}
