// Handler of RequestRun, which people call. It connects its clients, and passes each request to
// request-run.ts.
import { systemClock } from '../../core/clock.ts'
import { askRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createAskers } from '../../core/journal/askers.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createPages } from '../../core/journal/pages.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { newId, wireStore } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { wireStarter } from '../runtime/trigger-wiring.ts'
import { recordAsker, requestRun } from './request-run.ts'

export const makeRequestRunHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const store = wireStore(env)
  const ports = {
    policies,
    runs: createRuns(store, newId),
    pages: createPages(store),
    requesters: createRequesters(store, newId),
    starter: wireStarter(env),
    clock: systemClock,
  }
  const ofMovements = { askers: createAskers(store, newId), journal: createJournal(store, newId), clock: systemClock }
  return frameSignedRequests(Verb.RequestRun, askRequest, wireAuthentication(env, store), async (asked, { by }) =>
    'kind' in asked ? recordAsker(asked, by, ofMovements) : requestRun(asked, by, ports),
  )
}
