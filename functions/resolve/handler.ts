// Handler of Resolve, which people call. It connects its clients, and passes each request to resolve.ts.
import { resolveRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createLanes } from '../../core/journal/lanes.ts'
import { findPin } from '../../core/journal/pinned-account.ts'
import { newId } from '../runtime/clients.ts'
import { wireDoubts } from '../runtime/doubt-wiring.ts'
import { readTiming } from '../runtime/environment.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { resolve } from './resolve.ts'

export const makeResolveHandler: MakeHandler = (env) => {
  const { clock, journal, service, store } = wireDoubts(env)
  const lanes = createLanes(store, journal, newId)
  const ports = { clock, journal, lanes, service, timing: readTiming(env), findPin: () => findPin(store) }
  return frameSignedRequests(Verb.Resolve, resolveRequest, wireAuthentication(env, store), (request, speaker) =>
    resolve(request, speaker, ports),
  )
}
