// Plays a person who declares that no withdrawal in doubt moved anything, whether that is true or false. The product must
// refuse a declaration that the evidence may contradict. If it accepts one, the witness judges whether that was right.
import { IntentKind } from '../../core/contract/records.ts'
import { Defect, KeyFault, Refused, Transient } from '../../core/errors.ts'
import { isLost, isWithdrawal } from '../../core/journal/intent.ts'
import { type Examine, resolveIntent } from '../../core/journal/resolution.ts'
import { examineWithdrawal } from '../../core/movements/withdrawal/examine-withdrawal.ts'
import { intentsOf, kindOf, type Schedule } from './schedule.ts'
import { Crash } from './scheduler.ts'
import type { Stage } from './stage.ts'
import { Broken } from './steps.ts'

const DECISION = { by: 'ada', because: 'audit', at: '2026-01-01T00:00:00.000Z' }
const VERB = 'Resolve'

/**
 * Declares at each time in `saysNoneMs` (ms after the start) that nothing moved. Calls `onBroken` with an error that no
 * simulated fault explains.
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
  machine.beginCall(VERB, DECISION, intentId)
  try {
    await resolveIntent({ kind: IntentKind.Withdraw, intentId }, DECISION, examine(ports), ports.journal)
    environments.giveBack(environment)
  } catch (error) {
    // After these errors the person does not try again. `Crash` stands for a killed command.
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
