// Plans one row of a payouts policy: where it goes, what it takes, and whether anything stands against it. Pure.
import { hasLabel } from '../../contract/payee.ts'
import type { PayoutRow } from '../../contract/payouts.ts'
import { NonLegCode, type WithdrawLeg } from '../../contract/plan.ts'
import type { PayoutsPolicy } from '../../contract/policies.ts'
import { formatDecimal, parseDecimal, plus, quantiseDown, ZERO } from '../../money/decimal.ts'
import { guardObstacle, type SweepDraft } from '../sweep/draft.ts'
import type { SweepTask } from '../sweep/task.ts'
import { fitWithdrawal, isObstacle, type Obstacle, type Withdrawal } from '../sweep/withdrawal-terms.ts'
import { type Destination, findDestination, makeLeg, plannedPrice } from '../sweep/withdrawals.ts'

export interface PaidRow {
  readonly leg: WithdrawLeg
}

/** A row that needs no leg: an earlier run has paid it, or may still pay it. */
interface SkippedRow {
  readonly skipped: Obstacle
}

export function isSkipped(planned: object): planned is SkippedRow {
  return 'skipped' in planned
}

export function rowKey(id: string): string {
  return `pay-${id}`
}

/** The leg of the row, or why it needs no leg, or why it cannot go. */
export function planRow(draft: SweepDraft, policy: PayoutsPolicy, row: PayoutRow): PaidRow | SkippedRow | Obstacle {
  const facts = draft.snapshot.payments?.get(row.id)
  const named = (code: NonLegCode, text: string): Obstacle => ({ code, reason: `row ${row.id}: ${text}` })
  if (facts === undefined) throw new TypeError(`row ${row.id}: nobody asked what became of it before`)
  const { once, earlier, backByBalance, paidAs, usedUp } = facts
  if (earlier?.again) {
    const intents = [earlier.intentId, ...earlier.again].join(' and ')
    return named(
      NonLegCode.PaidTwice,
      `intents ${intents} have each paid it, or may: take it out, and look at the results`,
    )
  }
  if (earlier?.otherTerms !== undefined) {
    return named(NonLegCode.OtherTerms, `intent ${earlier.intentId} has its id with another ${earlier.otherTerms}`)
  }
  if (earlier) {
    const { intentId, isPaid, runId } = earlier
    const whose = `intent ${intentId}${runId === undefined ? '' : ` of run ${runId}`}`
    if (isPaid) return { skipped: named(NonLegCode.AlreadyPaid, `${whose} has paid it`) }
    return { skipped: named(NonLegCode.InDoubt, `${whose} has not ended and may pay it`) }
  }
  if (usedUp !== undefined) {
    return named(NonLegCode.OtherTerms, `${usedUp} tries have moved nothing: find out why, and give it another id`)
  }
  const fitted = fitRow(draft, policy, row)
  if (isObstacle(fitted)) return fitted
  const { destination, withdrawal } = fitted
  const { asset } = destination.move
  draft.limits.take(destination.move, withdrawal.total)
  const again = paidAs !== undefined && `pays the same as row ${paidAs}`
  const unshown =
    backByBalance !== undefined && `only the balance shows that its failed withdrawal ${backByBalance} came back`
  const reason = [`row ${row.id}`, unshown, again, row.reference].filter(Boolean).join(': ')
  const leg = makeLeg(destination, { withdrawal, reason, isCanary: false })
  const keep = parseDecimal(policy.reserve[asset] ?? '0', `reserve.${asset}`)
  const request = { ...leg.request, ...(keep > 0n && { keep: formatDecimal(keep) }) }
  const asked = { ...(paidAs !== undefined && { paidAs }), ...(backByBalance !== undefined && { backByBalance }) }
  return { leg: { ...leg, key: rowKey(row.id), once, request, ...asked } }
}

interface FittedRow {
  readonly destination: Destination
  readonly withdrawal: Withdrawal
}

/** `planned`: the row's leg, in a later phase. Its price stands in where no market tells one now. */
export function fitRow(
  draft: SweepDraft,
  policy: PayoutsPolicy,
  row: PayoutRow,
  planned?: WithdrawLeg,
): FittedRow | Obstacle {
  const named = ({ code, reason }: Obstacle): Obstacle => ({ code, reason: `row ${row.id}: ${reason}` })
  const asset = draft.codeOf(row.asset)
  if (asset === undefined || !policy.assets.some((each) => draft.codeOf(each) === asset)) {
    return named({
      code: NonLegCode.Guard,
      reason: `the policy does not pay ${row.asset}: its assets name what it pays`,
    })
  }
  const inDoubt = draft.snapshot.positions.get(asset)?.inDoubt
  if (inDoubt !== undefined) {
    return named({ code: NonLegCode.InDoubt, reason: `${asset} waits until it is known what became of ${inDoubt}` })
  }
  const price = draft.valuation.priceOf(asset) ?? (planned ? plannedPrice(planned) : null)
  const destination = findDestination(draft, taskOf(policy, row), asset, price)
  if (isObstacle(destination)) return named(destination)
  const { payee } = destination
  if (payee !== undefined && !hasLabel(row.contactReference, payee)) {
    const labels = [payee.alias, payee.reference].filter((label) => label !== null).join('" and "')
    const reason = `contactReference: expected the reference or alias of contact ${row.contactId}, which has "${labels}"; got ${row.contactReference}`
    return named({ code: NonLegCode.ContactMismatch, reason })
  }
  const amount = parseDecimal(row.amount, 'amount')
  const { increment } = destination.route.asset
  if (quantiseDown(amount, increment) !== amount) {
    const reason = `${row.amount} ${asset} is no multiple of its increment ${formatDecimal(increment)}`
    return named({ code: NonLegCode.BelowMinimum, reason })
  }
  const total = policy.feeMode === 'add' ? plus(amount, destination.route.fee) : amount
  const withdrawal = fitWithdrawal(destination.route, destination.task, total)
  if (isObstacle(withdrawal)) return named(withdrawal)
  const allowance = draft.limits.allowanceOf(destination.move)
  if (allowance !== undefined && allowance.most < total) {
    const reason = `it takes ${formatDecimal(total)} ${asset}, and goes whole or not at all`
    return named(guardObstacle(allowance, { code: NonLegCode.Guard, reason }))
  }
  return { destination, withdrawal }
}

function taskOf({ feeMode, feeCeilingBps }: PayoutsPolicy, { id, contactId }: PayoutRow): SweepTask {
  return {
    key: `${rowKey(id)}-`,
    keep: { target: ZERO, trigger: ZERO },
    contactId,
    canary: false,
    feeMode,
    ...(feeCeilingBps !== undefined && { feeCeilingBps }),
  }
}
