// A person who declares for every withdrawal in doubt that nothing moved, true or not. The product must refuse this
// when the evidence may contradict it. The witness sees whether an acceptance was right.
import { IntentKind } from '../../core/contract/records.ts'
import { Defect, KeyFault, Refused, Transient } from '../../core/errors.ts'
import { isLost, isWithdrawal } from '../../core/journal/intent.ts'
import { type Examine, resolveIntent } from '../../core/journal/resolution.ts'
import { examineWithdrawal } from '../../core/movements/withdrawal/examine-withdrawal.ts'
import { intentsOf, kindOf, type Schedule } from './schedule.ts'
import { Crash } from './scheduler.ts'
import type { Stage } from './stage.ts'
import { Broken } from './steps.ts'

const WORD = { by: 'ada', because: 'audit', at: '2026-01-01T00:00:00.000Z' }
const VERB = 'Resolve'

/**
 * `saysNoneMs`: times of the declarations, ms after the start. `onBroken`: called with an error that no fault of these
 * worlds explains.
 */
export function declareNothingMoved(stage: Stage, schedule: Schedule, onBroken: (error: unknown) => void): void {
  for (const atMs of schedule.saysNoneMs ?? []) {
    for (const intentId of intentsOf(schedule)) {
      if (kindOf(schedule, intentId) !== IntentKind.Withdraw) continue
      const declare = () => void declareFor(stage, intentId).catch(onBroken)
      stage.scheduler.later(atMs, declare, { text: () => `none of ${intentId}` })
    }
  }
}

/** @throws Broken */
async function declareFor({ environments }: Stage, intentId: string): Promise<void> {
  const environment = environments.take(VERB)
  const { machine, ports } = environment
  machine.beginCall(VERB, WORD, intentId)
  try {
    await resolveIntent({ kind: IntentKind.Withdraw, intentId }, WORD, examine(ports), ports.journal)
    environments.giveBack(environment)
  } catch (error) {
    // The person learns why the declaration was refused, and leaves it at that. A killed command reports nothing.
    const isExpected = [Refused, Transient, KeyFault, Defect, Crash].some((kind) => error instanceof kind)
    if (!isExpected) throw new Broken(VERB, error)
  }
}

type Ports = ReturnType<Stage['environments']['take']>['ports']

function examine(ports: Ports): Examine {
  return async (intent, movementId) => {
    // An intent that the journal has lost needs other evidence.
    if (!isWithdrawal(intent) || isLost(intent)) throw new Refused(`${intent.intentId} is left alone`)
    await examineWithdrawal(ports)(intent, movementId)
  }
}
