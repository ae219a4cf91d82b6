// Naive variants of what is said of a movement, and of what ends an intent.
import { amid, edit, type Mutant, mutant } from '../mutant.ts'
import { ORDER, WITHDRAW, WITHDRAWAL_REPORT } from './texts.ts'

export const END_MUTANTS: Readonly<Record<string, Mutant>> = {
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
  'failed-has-come-back': amid(
    ['books'],
    mutant(
      'withdraw',
      'says that a failed withdrawal has come back without a look at the ledger',
      edit(WITHDRAWAL_REPORT, "if (booking === 'refunded') return", 'if (booking !== undefined) return'),
    ),
  ),
  'unbooked-has-come-back': amid(
    ['books'],
    mutant(
      'withdraw',
      'says of a failed withdrawal that is not in the ledger yet that it never will be',
      edit(WITHDRAWAL_REPORT, "booking === 'none' && isVisible", "booking === 'none'"),
    ),
  ),
  'key-refusal-is-no-order': mutant(
    'convert',
    'takes the refusal of a key for a no to the conversion',
    edit(ORDER, 'if (said?.business) return end(', 'if (said?.business || said?.keyAtFault) return end('),
  ),
  'key-refusal-is-no-withdrawal': amid(
    ['keys', 'faults'],
    mutant(
      'withdraw',
      'takes the refusal of a key for a no to the withdrawal',
      edit(
        WITHDRAW,
        'if (attempt.said?.business)\n    return end(',
        'if (attempt.said?.business || attempt.said?.keyAtFault)\n    return end(',
      ),
    ),
  ),
}
