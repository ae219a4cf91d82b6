// The function that people reach to halt sending, or to let it go on: wires the journal, hands the word to the decision.
import { systemClock } from '../../core/clock.ts'
import { switchRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { newId, wireTable } from '../runtime/clients.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { framePeople } from '../runtime/people-frame.ts'
import { throwSwitch } from './throw-switch.ts'

export const makeThrowSwitchHandler: MakeHandler = (env) => {
  // Also in a table that nobody has accepted yet: whoever verifies it finds that people halted.
  const { store } = wireTable(env, { mayDeclare: false })
  const ports = { halts: createHalts(store, newId), clock: systemClock }
  return framePeople(Verb.ThrowSwitch, switchRequest, (request, by) => throwSwitch(request, by, ports))
}
