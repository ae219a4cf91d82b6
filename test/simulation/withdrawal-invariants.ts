// What must hold of withdrawals beyond what every world's witness sees: budgets, contacts, and that
// what a run said is what moved.
import { WithdrawEnd } from '../../functions/contract/outcomes.ts'
import type { WithdrawReport } from '../../functions/contract/withdraw.ts'
import { parseDecimal } from '../../functions/shared/money/decimal.ts'
import type { WithdrawSchedule } from './withdraw-world.ts'
import { CONTACT, type WithdrawalModel } from './withdrawal-model.ts'
import type { Ended, Stage } from './world.ts'

const CERTIFIED_ZERO: ReadonlySet<unknown> = new Set([WithdrawEnd.Rejected, WithdrawEnd.Exhausted])
/** The only reasons for which a person is asked. */
const CAUSES: readonly RegExp[] = [
  /^\d+ new rows may be this withdrawal, and others write to this account$/,
  /^\d+ new rows match this withdrawal and \d+ are like it$/,
  /^the service accepted the withdrawal, and no row of it can be found$/,
  /nothing could be certified within \d+ waits$/,
  /^a withdrawal may have been made and could not be looked up: /,
]

/** Holds at the end: what was said is what moved, every intent ended, and the budget is what moved and what is in doubt. */
export function findEndViolations(
  service: WithdrawalModel,
  stage: Stage,
  { truth, entries }: WithdrawSchedule,
  { ends, lastEnds }: Ended<WithdrawReport>,
): string[] {
  const found = ends.flatMap((end) => judgeSaying(end, service, stage))
  const intents = new Set(entries.map(({ intentId }) => intentId)).size
  if (lastEnds.length !== intents) found.push(`${lastEnds.length} of ${intents} intents came to an end`)
  // A person is asked only where the service's answer, or other writers, leave it open which row is whose.
  const mayHalt = truth.foreignRowsMs.length > 0 || truth.garblesAnswer
  for (const end of lastEnds) {
    if (end.outcome === WithdrawEnd.NeedsAttention && !mayHalt) found.push(`halted without a cause: ${end.why}`)
    if (end.outcome === WithdrawEnd.Stuck) found.push(`stuck without faults: ${end.why}`)
  }
  return [...found, ...judgeMoney(service), ...judgeReservations(service, stage)]
}

function judgeSaying(end: WithdrawReport, service: WithdrawalModel, { witness }: Stage): string[] {
  const moved = witness.intents.get(end.intentId)?.movements ?? []
  if (CERTIFIED_ZERO.has(end.outcome)) return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
  if (end.outcome === WithdrawEnd.NeedsAttention)
    return CAUSES.some((cause) => cause.test(end.why ?? '')) ? [] : [`halted for no cause of the list: ${end.why}`]
  if (moved.length !== 1 || moved[0]?.id !== end.withdrawalId)
    return [`${end.outcome} of a movement that is not its own`]
  if (end.outcome === WithdrawEnd.Stuck) return []
  const expected = service.truth.endsAs === 'COMPLETED' ? WithdrawEnd.Completed : WithdrawEnd.FailedRefunded
  if (end.outcome !== expected) return [`${end.outcome}, not ${expected}`]
  const row = service.movements.find(({ id }) => id === end.withdrawalId)
  return row?.total === end.total ? [] : ['a figure that is not what moved']
}

/** Every debit is what arrived and its fee, and went where it should. */
function judgeMoney({ movements }: WithdrawalModel): string[] {
  return movements.flatMap((row) => {
    const found: string[] = []
    const sum = parseDecimal(row.amount, 'amount') + parseDecimal(row.fee, 'fee')
    if (sum !== parseDecimal(row.total, 'total')) found.push('the ledger does not sum to zero')
    if (row.nonce !== undefined && row.contactId !== CONTACT.id) found.push('a movement to another contact')
    return found
  })
}

/** Decision 0008: what counts in a budget is what moved and what is in doubt. */
function judgeReservations(service: WithdrawalModel, { witness, journal }: Stage): string[] {
  const found: string[] = []
  for (const [intentId, { record, movements }] of witness.intents) {
    const { total } = record.frozen as { readonly total?: string }
    const [moved] = movements
    found.push(...witness.guards.judgeEnd(record, moved && total, journal.records))
    // A fee that rose after the checks is the service's doing; the next reservation does not know of it.
    if (moved && !service.truth.changesFee && service.movements.find(({ id }) => id === moved.id)?.total !== total)
      found.push(`${intentId} moved another total than it reserved`)
  }
  return found
}
