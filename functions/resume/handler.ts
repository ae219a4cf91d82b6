// Handler of Resume, which people call to lift a halt. It connects the journal, reads in treasury.json who may lift a halt
// (`resumedBy`), and passes each request to resume.ts.
import { resumeRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { newId, wireTable } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication, wireSwitchPublisher } from '../runtime/people-frame.ts'
import { resume } from './resume.ts'

export const makeResumeHandler: MakeHandler = (env) => {
  // The table is not verified: a halt can be lifted in a table that nobody has accepted yet. ThrowSwitch does the same.
  const { store } = wireTable(env)
  const publish = wireSwitchPublisher(Verb.Resume, env)
  const ports = { halts: createHalts(store, newId, readTreasuryFile(env)), publish }
  return frameSignedRequests(Verb.Resume, resumeRequest, wireAuthentication(env, store), (request, speaker) =>
    resume(request, speaker, ports),
  )
}
