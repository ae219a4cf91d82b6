// Plans a run of a payouts policy: one withdrawal for each row that no earlier run has paid, after the conversions that bring
// what is lacking. Rows go together: where one of them cannot go, nothing is planned, and each finding names its row. Pure.
import { foldId, type PayoutRow } from '../../contract/payouts.ts'
import { NonLegCode, type PlanLeg, type WithdrawLeg } from '../../contract/plan.ts'
import type { PayoutsPolicy } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import { addTo, type Decimal, formatDecimal, greatest, minus, parseDecimal, ZERO } from '../../money/decimal.ts'
import { buyLacking } from '../../planning/payouts/buying.ts'
import { fitRow, isSkipped, type PaidRow, planRow, rowKey } from '../../planning/payouts/rows.ts'
import { changesOf, reportPlan, unplannedAsset } from '../../planning/plan-report.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { createDraft, phasedLegs, type SweepDraft } from '../../planning/sweep/draft.ts'
import { availableOf } from '../../planning/sweep/floors.ts'
import { tradesOfSweep } from '../../planning/sweep/trades.ts'
import { isObstacle, type Obstacle } from '../../planning/sweep/withdrawal-terms.ts'

export const planPayouts: Planner<PayoutsPolicy> = (name, policy, snapshot) => {
  const draft = createDraft(snapshot, [], policy.hubs ?? [], policy.approval !== undefined)
  const { codeOf, valuation } = draft
  const touched = new Set(
    [...policy.assets, ...(policy.from ?? []).map(({ asset }) => asset)].flatMap((code) => codeOf(code) ?? []),
  )
  for (const asset of touched) draft.required.push(...valuation.requiredFor(asset))

  const findings: Obstacle[] = []
  const refuse = (asset: string, { code, reason }: Obstacle, row?: string) =>
    draft.nonLegs.push({ asset, code, reason, ...(row !== undefined && { row }) })
  const paid: PaidRow[] = []
  const seen = new Set<string>()
  for (const row of policy.rows) {
    const planned = seen.has(foldId(row.id))
      ? { code: NonLegCode.OtherTerms, reason: `row ${row.id}: another row has its id` }
      : planRow(draft, policy, row)
    seen.add(foldId(row.id))
    if (isSkipped(planned)) refuse(row.asset, planned.skipped, row.id)
    else if (isObstacle(planned)) {
      findings.push(planned)
      refuse(row.asset, planned, row.id)
    } else paid.push(planned)
  }
  for (const [asset, rows] of countsOf(paid)) {
    const left = snapshot.sendsLeft?.get(asset) ?? rows
    if (rows <= left) continue
    const reason = `the rows send ${rows} withdrawals of ${asset}, and ${left} more may be sent within two days: pay the others later`
    findings.push({ code: NonLegCode.CutShort, reason })
    refuse(asset, { code: NonLegCode.CutShort, reason })
  }
  for (const [asset, needed] of totalsOf(paid)) {
    const lacking = minus(needed, aboveReserve(draft, policy, asset))
    if (lacking <= 0n) continue
    const finding = buyLacking(draft, policy, { asset, lacking, needed })
    if (finding === undefined) continue
    findings.push(finding)
    refuse(asset, finding)
  }
  const crowding = draft.findCrowding(paid.length)
  if (crowding !== undefined) findings.push(crowding)
  if (findings.length > 0) refuseAll(draft, findings)
  else for (const { leg } of paid) draft.add(leg.assetSymbol, [{ stage: 'withdraw', leg }])

  const legs = phasedLegs(draft.staged)
  const positions = [...new Set([...touched, ...changesOf(legs).keys()])]
    .sort()
    .map((asset) => unplannedAsset(draft, asset))
  const { nonLegs, guards } = draft
  return {
    plan: reportPlan({
      ...{ name, kind: policy.kind, figures: draft, positions, legs, nonLegs, guards, passing: [] },
      trades: tradesOfSweep(draft, legs),
    }),
    required: [...new Map(draft.required.map((price) => [JSON.stringify(price), price])).values()],
  }
}

function totalsOf(rows: readonly PaidRow[]): ReadonlyMap<string, Decimal> {
  const totals = new Map<string, Decimal>()
  for (const { leg } of rows) addTo(totals, leg.assetSymbol, parseDecimal(leg.total, 'total'))
  return totals
}

function countsOf(rows: readonly PaidRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { leg } of rows) counts.set(leg.assetSymbol, (counts.get(leg.assetSymbol) ?? 0) + 1)
  return counts
}

function aboveReserve({ snapshot, takenOf }: SweepDraft, { reserve }: PayoutsPolicy, asset: string): Decimal {
  const kept = parseDecimal(reserve[asset] ?? '0', `reserve.${asset}`)
  return greatest(minus(availableOf(snapshot, asset, takenOf(asset)), kept), ZERO)
}

/** Maximum findings in one sentence. The plan has all of them. */
const MOST_NAMED = 5

/** Takes back all legs: a part of the rows would be another payment than the file asks for. */
function refuseAll(draft: SweepDraft, findings: readonly Obstacle[]): void {
  const more = findings.length > MOST_NAMED ? `; and ${findings.length - MOST_NAMED} more` : ''
  const says = `nothing of these rows goes: ${findings
    .slice(0, MOST_NAMED)
    .map(({ reason }) => reason)
    .join('; ')}${more}`
  draft.staged.length = 0
  draft.guards.push({ guard: 'file', says })
  const [asset = draft.snapshot.valuationAsset] = draft.nonLegs.map((each) => each.asset)
  draft.nonLegs.unshift({ asset, code: NonLegCode.Guard, reason: says })
}

/**
 * Each row goes whole or not at all, in the order of the file, as far as the conversions brought enough. A leg keeps its
 * payee: the steps that send compare the contact of their moment with the contact of the plan.
 */
export const replanPayouts: Replanner<PayoutsPolicy> = ({ plan, phase, snapshot, policy }) => {
  const draft = createDraft(snapshot, [], policy.hubs ?? [], false)
  const rows = new Map(policy.rows.map((row) => [rowKey(row.id), row]))
  const legs: WithdrawLeg[] = []
  for (const leg of plan.legs) {
    if (leg.phase !== phase) continue
    const again = replanRow(draft, policy, rows.get(leg.key), leg)
    if (isObstacle(again)) draft.refuse('assetSymbol' in leg ? leg.assetSymbol : '', again)
    else legs.push(again)
  }
  return { legs, nonLegs: draft.nonLegs, guards: draft.guards }
}

/** @throws TypeError for a conversion, or for a leg of no row: payouts convert only in their first phase */
function replanRow(
  draft: SweepDraft,
  policy: PayoutsPolicy,
  row: PayoutRow | undefined,
  leg: PlanLeg,
): WithdrawLeg | Obstacle {
  if (leg.kind === IntentKind.Convert || row === undefined) throw new TypeError(`the leg ${leg.key} is of no row`)
  const { assetSymbol: asset } = leg
  const fitted = fitRow(draft, policy, row, leg)
  if (isObstacle(fitted)) return fitted
  const { destination, withdrawal } = fitted
  const above = aboveReserve(draft, policy, asset)
  if (above < withdrawal.total) {
    const reason = `row ${row.id}: ${formatDecimal(above)} ${asset} is left above what stays, and it needs ${formatDecimal(withdrawal.total)}`
    return { code: NonLegCode.NothingSpendable, reason }
  }
  if (policy.approval !== undefined && withdrawal.total > parseDecimal(leg.total, 'total')) {
    const reason = `row ${row.id}: its total has risen above the ${leg.total} ${asset} that was planned, and approval is asked for by the plan`
    return { code: NonLegCode.Guard, reason }
  }
  draft.take(asset, withdrawal.total)
  draft.limits.take(destination.move, withdrawal.total)
  return { ...leg, fee: formatDecimal(destination.route.fee), total: formatDecimal(withdrawal.total) }
}
