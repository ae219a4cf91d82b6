// Handler of Decide, which people call. It connects its clients, and passes each request to decide.ts.
import { decideRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createDecisions } from '../../core/runs/approval/decisions.ts'
import { createRequesterReader } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { newId, wireDecisionKey, wireStore } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { wireStarter } from '../runtime/trigger-wiring.ts'
import { decide } from './decide.ts'

export const makeDecideHandler: MakeHandler = (env) => {
  const store = wireStore(env)
  const ports = {
    runs: createRuns(store, newId),
    journal: createJournal(store, newId),
    treasury: readTreasuryFile(env),
    decisions: createDecisions(store, newId, wireDecisionKey(env)),
    requesters: createRequesterReader(store),
    starter: wireStarter(env),
  }
  return frameSignedRequests(Verb.Decide, decideRequest, wireAuthentication(env, store), (request, speaker) =>
    decide(request, speaker, ports),
  )
}
