// The function that looks again: wires its clients, hands the event to the decision.
import { LookAgainOutcome, lookAgainInput } from '../../core/contract/look-again.ts'
import { Verb } from '../../core/contract/states.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireLookAgain } from '../runtime/recovery-wiring.ts'
import { lookAgain, NOTHING } from './look-again.ts'

export const makeLookAgainHandler: MakeHandler = (env) => {
  const { isDeclared, ...wired } = wireLookAgain(env)
  const ports = { ...wired, timing: readTiming(env) }
  return frameHandler(Verb.LookAgain, lookAgainInput, async (input) =>
    // Nothing was ever opened in a table that is nobody's journal yet. That is no fault of anybody.
    (await isDeclared())
      ? lookAgain(input, ports)
      : { ...NOTHING, outcome: LookAgainOutcome.NothingOpen, isCutOff: false },
  )
}
