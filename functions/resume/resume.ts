// Resume: lifts a halt when a person asks for it, on AWS. Records the request under the identity that signed it. Where
// treasury.json asks for two people, the first request is recorded and lifts nothing. A lifted halt is published on the
// bus.
import { EVENT_VERSION, type ReportSwitch, SwitchEvent } from '../../core/contract/events.ts'
import type { ResumeAnswer, ResumeRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import type { Halts } from '../../core/journal/halts.ts'

interface ResumePorts {
  readonly halts: Pick<Halts, 'resume'>
  readonly publish: ReportSwitch
}

/**
 * @throws Refused for a halt of another scope; Transient, also when a halt that the person was shown is no longer in
 * force
 */
export async function resume(
  { scope, because, halts: requested }: ResumeRequest,
  { by, at, spoken }: Speaker,
  { halts, publish }: ResumePorts,
): Promise<ResumeAnswer> {
  if (requested.some((halt) => halt.scope !== scope)) throw new Refused(`body.halts: expected halts of ${scope} alone`)
  const shown = requested.map(({ trip, ...halt }) => ({ ...halt, ...(trip !== undefined && { trip }) }))
  const { isLifted } = await halts.resume({ scope, because, by, at, spoken }, shown)
  if (!isLifted) return { outcome: 'WAITS', by, at }
  const detail = { version: EVENT_VERSION, scope, because, by, at }
  await publish({ detailType: SwitchEvent.Resumed, detail, timeMs: Date.parse(at) })
  return { outcome: 'RESUMED', by, at }
}
