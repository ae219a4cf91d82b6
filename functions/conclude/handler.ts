// The function behind every state Conclude: wires the journal and its lanes, hands the event to the decision.
import { concludeInput } from '../contract/conclude.ts'
import { IntentKind } from '../contract/records.ts'
import { Verb } from '../contract/states.ts'
import { systemClock } from '../shared/clock.ts'
import { readTiming } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireConcluding } from '../shared/lambda/wiring.ts'
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
