// The function that looks again: wires its clients, hands the event to the decision.
import { lookAgainInput } from '../../core/contract/look-again.ts'
import { Verb } from '../../core/contract/states.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireLookAgain } from '../runtime/recovery-wiring.ts'
import { lookAgain } from './look-again.ts'

export const makeLookAgainHandler: MakeHandler = (env) => {
  const ports = { ...wireLookAgain(env), timing: readTiming(env) }
  return frameHandler(Verb.LookAgain, lookAgainInput, (input) => lookAgain(input, ports))
}
