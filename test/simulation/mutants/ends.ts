// Naive variants of the reports about a movement, and of the ends of an intent.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import {
  BOOKING,
  CONCLUDE,
  NEVER_BOOKED,
  ORDER,
  ORDER_LOOK,
  WITHDRAW,
  WITHDRAWAL_LOOK,
  WITHDRAWAL_REPORT,
} from './texts.ts'

const NEXT_WAIT = 'return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }'
const ONE_LOOK_AT_ORDER = 'pollUntilSettled(() => reportOrder(intent, service), '
const ONE_LOOK_AT_WITHDRAWAL = 'pollUntilSettled(() => reportWithdrawal(intent, service, timing), '

const IS_NEVER = 'isVisible && (await isNeverBooked(row, bookedByMs(intent, timing), timing, service))'

export const END_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'unknown-status-failed-order': mutant(
    'convert',
    'takes an order of unknown status for failed',
    edit('core/movements/conversion/report.ts', 'return ConvertStep.Processing\n}', 'return ConvertEnd.Failed\n}'),
  ),
  'unknown-status-completed': mutant(
    'withdraw',
    'takes a withdrawal that has not failed for completed',
    edit(WITHDRAWAL_REPORT, "if (row.status === 'COMPLETED')", 'if (!FAILED_WITHDRAWAL_STATUSES.has(row.status))'),
  ),
  'look-fault-is-failed-order': mutant(
    'convert',
    'takes a fault of a look at an accepted order for its failure',
    edit(
      ORDER_LOOK,
      ONE_LOOK_AT_ORDER,
      `pollUntilSettled(
      () => reportOrder(intent, service).catch(() => ({ outcome: ConvertEnd.Failed, intentId: intent.intentId, fills: [] })),
      `,
    ),
  ),
  'look-fault-is-refusal': mutant(
    'withdraw',
    'takes a fault of a look at an accepted withdrawal for a refusal',
    edit(
      WITHDRAWAL_LOOK,
      ONE_LOOK_AT_WITHDRAWAL,
      `pollUntilSettled(
      () => reportWithdrawal(intent, service, timing).catch(() => ({ outcome: WithdrawEnd.Rejected, intentId: intent.intentId })),
      `,
    ),
  ),
  'fault-after-yes-ends-attempt': mutant(
    'convert',
    'abandons the attempt of an accepted order after a later fault, and asks for another quote',
    edit(
      ORDER,
      "if (answer.kind === 'accepted') return settle(armed, ports, terms.orderId)",
      `if (answer.kind === 'accepted')
    return settle(armed, ports, terms.orderId).catch(() => endAttempt(armed, 'it could not be looked at', ports))`,
    ),
  ),
  'fault-after-yes-refuses': mutant(
    'withdraw',
    'takes a fault after the acceptance of a withdrawal for a refusal',
    edit(
      WITHDRAW,
      "if (answer.kind === 'accepted') return settleAnswered(armed, answer.withdrawal, ports)",
      `if (answer.kind === 'accepted')
    return settleAnswered(armed, answer.withdrawal, ports).catch(() =>
      end(armed, ports, { state: 'REJECTED', outcome: WithdrawEnd.Rejected, why: 'it could not be looked at' }))`,
    ),
  ),
  'no-wait-after-send-order': mutant(
    'convert',
    'hands a sent order to the state machine without a time to wait',
    edit(ORDER_LOOK, NEXT_WAIT, `if (waits === 0) return report\n  ${NEXT_WAIT}`),
  ),
  'no-wait-after-send-withdrawal': mutant(
    'withdraw',
    'hands a sent withdrawal to the state machine without a time to wait',
    edit(WITHDRAWAL_LOOK, NEXT_WAIT, `if (waits === 0) return report\n  ${NEXT_WAIT}`),
  ),
  'concludes-unwritten': mutant(
    'convert',
    'reports that an intent is closed, and does not write it',
    edit(
      CONCLUDE,
      'return conclusion.ended(await journal.advance(intent, end))',
      'return conclusion.ended({ ...intent, ...end })',
    ),
  ),
  // Somebody changed the request in the record, so the intent's own run now has another request.
  'concludes-of-another-request': amid(
    ['insiders'],
    mutant(
      'withdraw',
      'closes an intent for a run that has its id and another request',
      edit(CONCLUDE, 'if (!hasParams(intent, input.request)) {', 'if (isLost && !hasParams(intent, input.request)) {'),
    ),
  ),
  'too-much-is-completed': amid(
    ['charges'],
    mutant(
      'withdraw',
      'reports a withdrawal as completed that took more than its request allows',
      edit(WITHDRAWAL_REPORT, 'if (isMore(params.most))', 'if (false && isMore(params.most))'),
    ),
  ),
  'failed-has-come-back': amid(
    ['books'],
    mutant(
      'withdraw',
      'says that a failed withdrawal has come back without a look at the ledger',
      edit(WITHDRAWAL_REPORT, "isBack: false, why: 'its refund is not visible yet'", "isBack: true, why: ''"),
    ),
  ),
  'leg-is-refund': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes the second leg of a debit for a refund',
      edit(BOOKING, '/refund|revers|return/i', '/refund|revers|return|credit/i'),
    ),
  ),
  'more-than-debit-is-refund': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes whatever the ledger shows beyond a debit for its refund',
      edit(BOOKING, "? 'debited' : 'unclear'", "? 'debited' : 'refunded'"),
    ),
  ),
  'debit-of-completed-is-refund': amid(
    ['books', 'past'],
    mutant(
      'withdraw',
      'does not leave out what the debit of a completed withdrawal shows too',
      edit(BOOKING, 'return index < 0', 'return true'),
    ),
  ),
  'refund-is-one-entry': amid(
    ['books'],
    mutant(
      'withdraw',
      'does not add up the entries of a refund',
      edit(BOOKING, 'return sumOf(entries.map(amountOf))', 'return sumOf(entries.slice(-1).map(amountOf))'),
    ),
  ),
  'empty-ledger-has-come-back': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes a ledger that shows nothing at all for one that shows that nothing was booked',
      edit(WITHDRAWAL_REPORT, IS_NEVER, 'isVisible'),
    ),
  ),
  'unbooked-has-come-back': amid(
    ['books'],
    mutant(
      'withdraw',
      'says of a failed withdrawal that is not in the ledger yet that it never will be',
      edit(WITHDRAWAL_REPORT, IS_NEVER, 'true'),
    ),
  ),
  'older-entries-show-a-ledger': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes a ledger that shows nothing later for one that is not behind',
      edit(NEVER_BOOKED, '> laterMs', '> 0'),
    ),
  ),
  'filtered-ledger-is-whole': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes what a filter does not find for what is not in the ledger',
      edit(NEVER_BOOKED, 'if (source?.id === id &&', 'if (source?.id !== source?.id &&'),
    ),
  ),
  'legs-are-as-its-refund-has-them': amid(
    ['books'],
    mutant(
      'withdraw',
      'does not compare the legs of a refund with those of its debit',
      edit(BOOKING, 'legsOf(debits, whole)', '(areTwoHalves(refunds) ? 2 : 1)'),
    ),
  ),
  'taken-back-is-a-second-leg': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes the entry that undoes a refund for its second leg',
      edit(BOOKING, ' || mayTakeBack(entries)', ''),
    ),
  ),
  'cancelled-refund-is-a-second-leg': amid(
    ['books'],
    mutant(
      'withdraw',
      'takes a refund that is cancelled for the second leg of one',
      edit(BOOKING, 'isSameAmount(entry, other) && hasMoreWords(entry, other)', 'entry !== entry && other !== other'),
    ),
  ),
  'key-refusal-is-no-order': mutant(
    'convert',
    'takes the refusal of a key for a refusal of the conversion',
    edit(ORDER, 'if (said?.business) return end(', 'if (said?.business || said?.keyAtFault) return end('),
  ),
  'key-refusal-is-no-withdrawal': amid(
    ['keys', 'faults'],
    mutant(
      'withdraw',
      'takes the refusal of a key for a refusal of the withdrawal',
      edit(
        WITHDRAW,
        'if (attempt.said?.business)\n    return end(',
        'if (attempt.said?.business || attempt.said?.keyAtFault)\n    return end(',
      ),
    ),
  ),
}
