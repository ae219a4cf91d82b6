// Handler of RequestRun, which people call. It connects its clients, and passes each request to request-run.ts.
import { systemClock } from '../../core/clock.ts'
import { requestRunRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { newId, wireStore } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/environment.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { wireStarter } from '../runtime/trigger-wiring.ts'
import { requestRun } from './request-run.ts'

export const makeRequestRunHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const store = wireStore(env)
  const ports = {
    policies,
    runs: createRuns(store, newId),
    requesters: createRequesters(store, newId),
    starter: wireStarter(env),
    clock: systemClock,
  }
  return frameSignedRequests(Verb.RequestRun, requestRunRequest, wireAuthentication(env, store), (request, by) =>
    requestRun(request, by, ports),
  )
}
