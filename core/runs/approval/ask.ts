// Decides when a person must approve a plan, and what the approval binds. It counts what a policy sells and withdraws
// in 24 hours: otherwise small runs could avoid the rule. Rows of a file that pay the same as others need a person
// without any rule. An approved leg may move no more than the person saw, at no worse a rate, and for no more value,
// each within the policy's bound. These bounds are part of the leg's request, and so of its hash. The approved hash is
// made from the plan that people see, and never read from the record.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { sameCode } from '../../contract/fields.ts'
import type { ConvertLeg, Plan, PlanLeg, WithdrawLeg } from '../../contract/plan.ts'
import { type Policy, USUAL_APPROVAL } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { budgetSymbol, hashGuards, unaskedScope } from '../../guards/effective-guards.ts'
import {
  compareScaled,
  type Decimal,
  formatDecimal,
  greatest,
  isSameAmount,
  least,
  multiply,
  ONE_UNIT,
  parseDecimal,
  partOf,
  plus,
  sumOf,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import { hashParams } from '../../params-hash.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { createValuation } from '../../planning/market/valuation.ts'
import { hashPlan, hashPolicy } from '../../planning/plan-hash.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord, Unapproved } from '../record/policy-record.ts'
import { assetsOf, type RunMove, type RunRecord } from '../record/run-record.ts'
import { trimPlan } from '../record/trimming.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Characters of an hour's key: the start of an ISO-8601 time. */
const LONGEST_HOUR = 'YYYY-MM-DDTHH'.length

/** One sentence on why a person must decide on the plan; undefined where the run may continue. */
export function approvalReason(
  { approval }: Policy,
  { turnover, valuationAsset, legs }: Plan,
  { unasked }: PolicyRecord,
  nowMs: number,
): string | undefined {
  const rows = legs.filter((leg) => leg.kind === IntentKind.Withdraw)
  const unshown = rows.filter(({ backByBalance }) => backByBalance !== undefined)
  if (unshown.length > 0) {
    return `rows are paid again whose refund no entry of the ledger shows (${firstOf(unshown)}): look for it in the account first`
  }
  const again = rows.filter(({ paidAs }) => paidAs !== undefined)
  if (again.length > 0) return `rows pay the same as others of now or of the last four days (${firstOf(again)})`
  if (approval === undefined) return undefined
  const recent = recentOf(unasked, nowMs)
  const value = parseDecimal(turnover, 'turnover')
  const before = sumOf(Object.values(recent).map((value) => parseDecimal(value, 'unasked')))
  const own = `its turnover of ${turnover} ${valuationAsset}`
  // Values in another asset cannot be added: a person decides.
  if (unasked !== undefined && unasked.asset !== valuationAsset && before > 0n) {
    return `${own} cannot be added to the ${formatDecimal(before)} ${unasked.asset} that went unasked in the last 24 hours`
  }
  if (plus(value, before) <= parseDecimal(approval.above, 'approval.above')) return undefined
  const with24 = before === 0n ? '' : `, with ${formatDecimal(before)} that went unasked in the last 24 hours,`
  return `${own}${with24} is more than ${approval.above}`
}

function firstOf([first, ...others]: readonly PlanLeg[]): string {
  return `${first?.reason}${others.length === 0 ? '' : `, and so do ${others.length} more`}`
}

/**
 * One sentence where the steps that send would refuse legs that nobody approved. They count in their own budget, at the dearer
 * side of the market, and would refuse the same legs again in each later run. So people are asked. @throws Transient, Defect
 */
export async function countedReason(
  { policy: name, asPlanned: { approval, hubs, valuationAsset: own } }: RunRecord,
  { legs, valuationAsset }: Plan,
  snapshot: Snapshot,
  { budgets, namesOf, service, treasury }: RunPorts,
): Promise<string | undefined> {
  if (approval === undefined) return undefined
  const { dearPriceOf } = createValuation(snapshot, hubs)
  const values = legs.map((leg) => {
    const [asset, amount] =
      leg.kind === IntentKind.Convert ? [leg.gives.asset, leg.gives.amount] : [leg.assetSymbol, leg.total]
    const dear = multiply(parseDecimal(amount, 'amount'), dearPriceOf(asset) ?? ZERO, 'up')
    return greatest(dear, parseDecimal(leg.value, 'value'))
  })
  const nowMs = service.clock.nowMs()
  const assetSymbol = budgetSymbol.value(own ?? treasury.guards.valuationAsset)
  const budget = { assetSymbol, span: { fromMs: nowMs, toMs: nowMs }, isRolling: true }
  const above = parseDecimal(approval.above, 'approval.above')
  const lefts = await mapBounded(await namesOf(name), READS_AT_ONCE, (each) =>
    budgets.settled.left({ ...budget, scope: unaskedScope(each) }, above),
  )
  const [value, left] = [sumOf(values), lefts.reduce(least, above)]
  if (value <= left) return undefined
  return `its turnover counts as up to ${formatDecimal(value)} ${valuationAsset} when it is sent, and ${formatDecimal(left)} is left of ${approval.above} in 24 hours`
}

/** Adds what a run sold and withdrew without an approval. Hours older than a day are dropped. */
export function countUnapproved(
  known: Unapproved | undefined,
  asset: string,
  value: Decimal,
  nowMs: number,
): Unapproved | undefined {
  // After a change of the asset, old values count as values of the new asset: at worst a person is asked once too often.
  const hours = recentOf(known, nowMs)
  if (value === 0n) return known === undefined ? undefined : { asset: known.asset, hours }
  const hour = new Date(nowMs).toISOString().slice(0, LONGEST_HOUR)
  const sum = plus(parseDecimal(hours[hour] ?? '0', 'unasked'), value)
  return { asset, hours: { ...hours, [hour]: formatDecimal(sum) } }
}

function recentOf(unasked: Unapproved | undefined, nowMs: number): Readonly<Record<string, string>> {
  const from = nowMs - DAY_MS
  return Object.fromEntries(
    Object.entries(unasked?.hours ?? {}).filter(([hour]) => Date.parse(`${hour}:00:00.000Z`) + HOUR_MS > from),
  )
}

export interface Question {
  readonly run: RunRecord
  readonly plan: Plan
  readonly residues: RunMove['residues']
  readonly reason: string
  readonly snapshot: Snapshot
}

/** Does not freeze the legs: the approval's basis is checked again before that. @throws Transient */
export function awaitApproval(
  { run, plan, residues, reason, snapshot }: Question,
  { runs, service, treasury }: RunPorts,
): Promise<RunRecord> {
  const { expiresAfterSeconds, priceBoundBps } = run.asPlanned.approval ?? USUAL_APPROVAL
  const shown = trimPlan(boundPlan(plan, priceBoundBps))
  const expiresAtMs = service.clock.nowMs() + expiresAfterSeconds * 1000
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

/** The plan as a person sees it: each leg with the worst rate and the highest amount that an approval allows. */
function boundPlan(plan: Plan, boundBps: number): Plan {
  return { ...plan, legs: plan.legs.map((leg) => boundLeg(leg, BigInt(boundBps))) }
}

/** The leg with the worst rate and the highest amount that follow from its figures. `bound`: basis points. */
export function boundLeg(leg: PlanLeg, bound: bigint): PlanLeg {
  // The amount of a withdrawal is exact. Under `add` its fee comes on top, and may have risen.
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most: leg.total } }
  const { request, indicativeRate } = leg
  const counterpart = otherOf(leg)
  const rate = parseDecimal(indicativeRate, 'indicativeRate')
  // Rounded against the leg: never worse than the shown rate by more than the bound.
  const worst =
    request.side === 'BUY'
      ? partOf(rate, WHOLE_BPS + bound, WHOLE_BPS, 'down')
      : partOf(rate, WHOLE_BPS - bound, WHOLE_BPS, 'up')
  const most = partOf(parseDecimal(counterpart.amount, 'amount'), WHOLE_BPS + bound, WHOLE_BPS, 'down')
  const worstRate = formatDecimal(worst)
  const reason = `${leg.reason}; approved for a rate of ${worstRate} at worst, and ${formatDecimal(most)} ${counterpart.asset} at most`
  return { ...leg, reason, request: { ...request, worstRate, most: formatDecimal(most) } }
}

/** The side of the conversion whose amount was not asked for, as shown. */
function otherOf({ request: { amountAsset }, gives, brings }: ConvertLeg): ConvertLeg['gives'] {
  return sameCode(amountAsset, gives.asset) ? brings : gives
}

/** A leg of a later phase that was planned again, with the bounds of the approved plan. */
export function boundAsApproved(leg: PlanLeg, { legs }: Plan): PlanLeg {
  const shown = legs.find(({ key }) => key === leg.key)
  const most = shown?.request.most
  // The leg was not shown, or no approval was needed.
  if (shown === undefined || most === undefined) return leg
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most } }
  const worstRate = shown.kind === IntentKind.Convert ? shown.request.worstRate : undefined
  return { ...leg, request: { ...leg.request, most, ...(worstRate !== undefined && { worstRate }) } }
}

/** Basis points of what a conversion brings: at its size it may bring this much more than its value at the smallest size. */
const BRINGS_MORE_BPS = 100n

/** Hash of the plan as the record holds it now; undefined where no approval is needed, or a part of it is missing. */
export function recordedPlanHash({ approval, plan, asPlanned, guardsHash }: RunRecord): string | undefined {
  if (approval === undefined || plan === undefined || guardsHash === undefined) return undefined
  return hashPlan(plan, { policyHash: hashPolicy(asPlanned), guardsHash, expiresAt: approval.expiresAt })
}

/**
 * One sentence for the first figure of the plan that does not follow from the requests of its legs: a person who sees it would
 * approve something else. A value follows from the valuation asset itself, or from the price that is shown beside it.
 */
export function findMisshown({ plan, asPlanned }: RunRecord): string | undefined {
  if (plan === undefined) return 'it has no plan'
  const bound = BigInt((asPlanned.approval ?? USUAL_APPROVAL).priceBoundBps)
  for (const leg of plan.legs) {
    const figure =
      (leg.kind === IntentKind.Convert ? findOfConversion(leg) : findOfWithdrawal(leg)) ??
      (isBound(leg, bound) ? undefined : 'is bound by other figures') ??
      (isWorthMore(leg, plan) ? 'is worth more' : undefined)
    if (figure !== undefined) return `its leg ${leg.key} ${figure}`
  }
  const turnover = sumOf(plan.legs.map(({ value }) => parseDecimal(value, 'value')))
  return turnover === parseDecimal(plan.turnover, 'turnover') ? undefined : 'its turnover is not that of its legs'
}

function findOfConversion({ request, gives, brings }: ConvertLeg): string | undefined {
  const { side, baseAsset, quoteAsset, amountAsset, amount } = request
  const [given, brought] = side === 'SELL' ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset]
  if (!sameCode(gives.asset, given)) return 'spends another asset'
  if (!sameCode(brings.asset, brought)) return 'brings another asset'
  const isOfGiven = sameCode(amountAsset, given)
  if (isSameAmount((isOfGiven ? gives : brings).amount, amount)) return undefined
  return isOfGiven ? 'spends another amount' : 'brings another amount'
}

function findOfWithdrawal({ request, assetSymbol, contactId, payee, total, fee }: WithdrawLeg): string | undefined {
  if (!sameCode(assetSymbol, request.assetSymbol)) return 'is of another asset'
  if (contactId !== request.contactId || (payee ?? { contactId }).contactId !== contactId)
    return 'goes to another contact'
  const amount = parseDecimal(request.amount, 'amount')
  const expectedTotal = request.feeMode === 'add' ? plus(amount, parseDecimal(fee, 'fee')) : amount
  return expectedTotal === parseDecimal(total, 'total') ? undefined : 'takes another total'
}

/** Whether the worst rate and the highest amount in the request follow from the figures beside them. */
function isBound(leg: PlanLeg, bound: bigint): boolean {
  return hashParams(boundLeg(leg, bound).request) === hashParams(leg.request)
}

/** Whether the leg is worth more than its value says. The value decides how many people must approve. */
function isWorthMore(leg: PlanLeg, { positions, valuationAsset }: Plan): boolean {
  const priceOf = (asset: string) =>
    asset === valuationAsset ? ONE_UNIT : parsePrice(positions.find((each) => each.asset === asset)?.price)
  const value = parseDecimal(leg.value, 'value')
  const [asset, amount] =
    leg.kind === IntentKind.Convert ? [leg.gives.asset, leg.gives.amount] : [leg.assetSymbol, leg.total]
  const price = priceOf(asset)
  if (price !== undefined && value < multiply(parseDecimal(amount, 'amount'), price, 'down')) return true
  if (leg.kind === IntentKind.Withdraw || leg.brings.asset !== valuationAsset) return false
  const brings = parseDecimal(leg.brings.amount, 'brings')
  return compareScaled(value, WHOLE_BPS + BRINGS_MORE_BPS, brings, WHOLE_BPS) < 0
}

function parsePrice(price: string | null | undefined): Decimal | undefined {
  return price === null || price === undefined ? undefined : parseDecimal(price, 'price')
}
