// The function behind the state Conclude: wires the journal, hands the event to the decision.
import { concludeInput } from '../contract/convert.ts'
import { Verb } from '../contract/states.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireJournal } from '../shared/lambda/wiring.ts'
import { conclude } from './conclude.ts'

export const makeConcludeHandler: MakeHandler = (env) => {
  const journal = wireJournal(env)
  return frameHandler(Verb.Conclude, concludeInput, (input) => conclude(input, { journal }))
}
