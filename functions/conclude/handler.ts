// Handler of every state Conclude. It connects the journal and its lanes, and passes each event to conclude.ts.

import { systemClock } from '../../core/clock.ts'
import { concludeInput } from '../../core/contract/conclude.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireConcluding } from '../runtime/movement-wiring.ts'
import { conclude } from './conclude.ts'
import { conversionConclusion, withdrawalConclusion } from './conclusions.ts'

export const makeConcludeHandler: MakeHandler = (env) => {
  const ports = { ...wireConcluding(env), clock: systemClock, timing: readTiming(env) }
  return frameHandler(
    Verb.Conclude,
    concludeInput,
    (input): Promise<{ outcome: string }> =>
      input.kind === IntentKind.Convert
        ? conclude(input, conversionConclusion, ports)
        : conclude(input, withdrawalConclusion, ports),
  )
}
