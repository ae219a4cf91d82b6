// Lists naive variants of what the next run of a policy takes for certain about the withdrawals of the run before.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'

const PAYMENTS = 'core/runs/plan/payments.ts'
const SETTLE_LEG = 'core/runs/settle/settle-leg.ts'
const besideNext = (about: string, ...edits: SimulatedMutant['edits']) =>
  amid(['runs', 'misnamed', 'hurry'], mutant('withdraw', about, ...edits))

export const RUN_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'row-of-a-person-is-zero': besideNext(
    'pays a row again that waits for a person',
    edit(
      PAYMENTS,
      "return isSettled(intent.state) ? 'zero'",
      "return isSettled(intent.state) || intent.state === IntentState.Escalated ? 'zero'",
    ),
  ),
  'row-on-its-way-is-zero': besideNext(
    'pays a row again whose withdrawal has not ended',
    edit(PAYMENTS, "WithdrawStep.Processing ? 'open' : 'paid'", "WithdrawStep.Processing ? 'zero' : 'paid'"),
  ),
  'row-that-failed-is-paid': besideNext(
    'takes a row for paid whose withdrawal came back',
    edit(
      PAYMENTS,
      "if (outcome === WithdrawEnd.FailedRefunded) return 'zero'",
      "if (outcome === WithdrawEnd.FailedRefunded) return 'paid'",
    ),
  ),
  'leg-of-a-person-is-nothing': besideNext(
    'ends a run whose leg waits for a person as if the leg had moved nothing',
    edit(SETTLE_LEG, "moved: isCertain ? 'nothing' : 'unknown'", "moved: 'nothing'"),
  ),
  'bank-payout-is-final': amid(
    ['runs'],
    mutant(
      'withdraw',
      'takes a payout on its way to a bank for one that nothing can change any more',
      edit(SETTLE_LEG, " || found.moved === 'unknown' || isOnItsWay(found.result)", " || found.moved === 'unknown'"),
    ),
  ),
  'ready-row-is-zero': besideNext(
    'pays a row again that waits to be sent',
    edit(
      PAYMENTS,
      "return isSettled(intent.state) ? 'zero' : 'open'",
      "return isSettled(intent.state) || intent.state === IntentState.Ready ? 'zero' : 'open'",
    ),
  ),
}
