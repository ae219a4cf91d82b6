// Resume: a person lets sending go on after a halt, on AWS. It records the word under the identity that asked. Where
// treasury.json asks for two people, the word of the first is recorded and lifts nothing. What is lifted is told on the bus.
import type { Clock } from '../../core/clock.ts'
import { EVENT_VERSION, SwitchEvent, type TellSwitch } from '../../core/contract/events.ts'
import type { ResumeAnswer, ResumeRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import type { Halts } from '../../core/journal/halts.ts'

export interface ResumePorts {
  readonly halts: Pick<Halts, 'resume'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly tell: TellSwitch
}

/** @throws Refused for a halt of another scope; Transient, also where a halt that was shown is not in force any more */
export async function resume(
  { scope, because, halts: asked }: ResumeRequest,
  by: string,
  { halts, clock, tell }: ResumePorts,
): Promise<ResumeAnswer> {
  if (asked.some((halt) => halt.scope !== scope)) throw new Refused(`body.halts: expected halts of ${scope} alone`)
  const timeMs = clock.nowMs()
  const at = new Date(timeMs).toISOString()
  const shown = asked.map(({ trip, ...halt }) => ({ ...halt, ...(trip !== undefined && { trip }) }))
  const { isLifted } = await halts.resume({ scope, because, by, at }, shown)
  if (!isLifted) return { outcome: 'WAITS', by, at }
  await tell({ detailType: SwitchEvent.Resumed, detail: { version: EVENT_VERSION, scope, because, by, at }, timeMs })
  return { outcome: 'RESUMED', by, at }
}
