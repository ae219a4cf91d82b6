// Handler of Resume, which people call: wires the journal and the rule of treasury.json, and passes the request to the
// decision.
import { systemClock } from '../../core/clock.ts'
import { resumeRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { newId, wireTable } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/environment.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { framePeople, wireAuthentication } from '../runtime/people-frame.ts'
import { wireSwitchPublisher } from '../runtime/report-switch.ts'
import { resume } from './resume.ts'

export const makeResumeHandler: MakeHandler = (env) => {
  // This table is not checked, as in ThrowSwitch. A halt can be lifted in a table that nobody has accepted yet.
  const { store } = wireTable(env)
  const tell = wireSwitchPublisher(Verb.Resume, env)
  const ports = { halts: createHalts(store, newId, readTreasuryFile(env).resumedBy), clock: systemClock, tell }
  return framePeople(Verb.Resume, resumeRequest, wireAuthentication(env, store), (request, by) =>
    resume(request, by, ports),
  )
}
