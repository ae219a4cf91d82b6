// Plays people who settle intents in doubt by the product's own Resolve. One says that nothing moved, whether that is true or
// false. Another one knows what moved. The product must refuse a word that the evidence may contradict. If it accepts one,
// the witness judges whether that was right.
import type { IntentKind } from '../../core/contract/records.ts'
import { Defect, KeyFault, Refused, Transient } from '../../core/errors.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import { isLost } from '../../core/journal/intent.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { resolve } from '../../functions/resolve/resolve.ts'
import type { PersonsWord } from './schedule.ts'
import { Crash } from './scheduler.ts'
import type { Stage } from './stage.ts'
import { Broken } from './steps.ts'

const VERB = 'Resolve'
const SPEAKER: Speaker = { by: 'ada', at: '2026-01-01T00:00:00.000Z', spoken: 'N#resolve#1' }
const IN_DOUBT: ReadonlySet<unknown> = new Set(['ARMED', 'ESCALATED'])

/** Says each word of every intent that is in doubt then. Calls `onBroken` with an error that no simulated fault explains. */
export function settleDoubts(stage: Stage, words: readonly PersonsWord[], onBroken: (error: unknown) => void): void {
  const { scheduler, witness } = stage
  for (const { atMs, knows } of words) {
    const say = () => {
      for (const [intentId, { record, movements }] of witness.intents)
        if (IN_DOUBT.has(record.state)) {
          const movement = (knows ? movements[0]?.id : undefined) ?? null
          void settle(stage, { kind: record.kind as IntentKind, intent: intentId, movement }).catch(onBroken)
        }
    }
    scheduler.later(atMs, say, { text: () => `a person settles, ${knows ? 'and knows' : 'for none'}` })
  }
}

interface Settled {
  readonly kind: IntentKind
  readonly intent: string
  readonly movement: string | null
}

/** @throws Broken */
async function settle({ environments }: Stage, settled: Settled): Promise<void> {
  const environment = environments.take(VERB)
  const { machine, ports } = environment
  machine.beginCall(VERB, settled, settled.intent)
  const request = { action: 'resolve', sameAccount: false, because: 'audit', ...settled } as const
  try {
    // Nobody can contradict a person about an intent that the journal has lost.
    const intent = await ports.journal.find(settled.intent, settled.kind)
    if (intent && !isLost(intent)) {
      const asked = await resolve(request, SPEAKER, ports)
      if (asked.outcome === 'ASKS') await resolve({ ...request, agreed: questionHash(asked.question) }, SPEAKER, ports)
    }
    environments.giveBack(environment)
  } catch (error) {
    // After these errors the person does not try again. `Crash` stands for a killed command.
    const isExpected = [Refused, Transient, KeyFault, Defect, Crash].some((kind) => error instanceof kind)
    if (!isExpected) throw new Broken(VERB, error)
  }
}
