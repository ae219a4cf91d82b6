// A person who says of every withdrawal in doubt that nothing moved, whether or not that is so. The product refuses the word
// wherever the evidence may speak against it; the witness sees whether it was right to take it.
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

/** `saysNoneMs`: when, after the start. `onBroken`: told of what no fault of these worlds explains. */
export function letPersonSayNone(stage: Stage, schedule: Schedule, onBroken: (error: unknown) => void): void {
  for (const atMs of schedule.saysNoneMs ?? []) {
    for (const intentId of intentsOf(schedule)) {
      if (kindOf(schedule, intentId) !== IntentKind.Withdraw) continue
      const say = () => void sayNone(stage, intentId).catch(onBroken)
      stage.scheduler.later(atMs, say, { text: () => `none of ${intentId}` })
    }
  }
}

/** @throws Broken */
async function sayNone({ environments }: Stage, intentId: string): Promise<void> {
  const environment = environments.take(VERB)
  const { machine, ports } = environment
  machine.beginCall(VERB, WORD, intentId)
  try {
    await resolveIntent({ kind: IntentKind.Withdraw, intentId }, WORD, examine(ports), ports.journal)
    environments.giveBack(environment)
  } catch (error) {
    // The person is told why it was not taken, and leaves it at that. A command that was killed says nothing.
    const isTold = [Refused, Transient, KeyFault, Defect, Crash].some((kind) => error instanceof kind)
    if (!isTold) throw new Broken(VERB, error)
  }
}

type Ports = ReturnType<Stage['environments']['take']>['ports']

function examine(ports: Ports): Examine {
  return async (intent, movementId) => {
    // One that the journal has lost is examined by other evidence.
    if (!isWithdrawal(intent) || isLost(intent)) throw new Refused(`${intent.intentId} is left alone`)
    await examineWithdrawal(ports)(intent, movementId)
  }
}
