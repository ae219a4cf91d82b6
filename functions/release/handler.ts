// Handler of Release, which people call. It connects the journal, and passes each request to release.ts.
import { releaseRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import { newId, wireStore } from '../runtime/clients.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { release } from './release.ts'

export const makeReleaseHandler: MakeHandler = (env) => {
  const store = wireStore(env)
  const ports = { policyRecords: createPolicyRecords(store, newId) }
  return frameSignedRequests(Verb.Release, releaseRequest, wireAuthentication(env, store), (request, speaker) =>
    release(request, speaker, ports),
  )
}
