// Handler of ThrowSwitch, which people call to halt sending. It connects the journal, and passes each request to
// throw-switch.ts.
import { haltRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { newId, wireTable } from '../runtime/clients.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication, wireSwitchPublisher } from '../runtime/people-frame.ts'
import { throwSwitch } from './throw-switch.ts'

export const makeThrowSwitchHandler: MakeHandler = (env) => {
  // A halt is recorded even in a table that nobody has accepted yet. Whoever verifies the table finds the halt.
  const { store } = wireTable(env)
  const publish = wireSwitchPublisher(Verb.ThrowSwitch, env)
  const ports = { halts: createHalts(store, newId), publish }
  return frameSignedRequests(Verb.ThrowSwitch, haltRequest, wireAuthentication(env, store), (request, speaker) =>
    throwSwitch(request, speaker, ports),
  )
}
