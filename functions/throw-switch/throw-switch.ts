// ThrowSwitch: a person halts sending or lets it go on, on AWS. It records that under the identity that asked, and then tells
// it on the bus. It can reach nothing but switches. A halt that is recorded is in force, whether or not it can be told.
import type { Clock } from '../../core/clock.ts'
import { EVENT_VERSION, SwitchEvent } from '../../core/contract/events.ts'
import type { SwitchAnswer, SwitchRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import type { Halts } from '../../core/journal/halts.ts'

export interface ThrowSwitchPorts {
  readonly halts: Pick<Halts, 'halt' | 'resume'>
  readonly clock: Pick<Clock, 'nowMs'>
  /** Resolves also where the bus did not take it. */
  readonly tell: (event: SwitchTold) => Promise<void>
}

export interface SwitchTold {
  readonly detailType: SwitchEvent
  readonly detail: object
  /** Milliseconds since the epoch. */
  readonly timeMs: number
}

/** @throws Refused for a halt of another scope; Transient, also where a halt that was shown is not in force any more */
export async function throwSwitch(
  request: SwitchRequest,
  by: string,
  { halts, clock, tell }: ThrowSwitchPorts,
): Promise<SwitchAnswer> {
  const { scope, because } = request
  const timeMs = clock.nowMs()
  const at = new Date(timeMs).toISOString()
  const told = { version: EVENT_VERSION, scope, because, by, at }
  if (request.action === 'halt') {
    await halts.halt({ scope, because, by, at })
    await tell({ detailType: SwitchEvent.Halted, detail: { ...told, isBreaker: false }, timeMs })
    return { outcome: 'HALTED', by, at }
  }
  if (request.halts.some((halt) => halt.scope !== scope)) {
    throw new Refused(`body.halts: expected halts of ${scope} alone`)
  }
  const shown = request.halts.map(({ trip, ...halt }) => ({ ...halt, ...(trip !== undefined && { trip }) }))
  await halts.resume({ scope, because, by, at }, shown)
  await tell({ detailType: SwitchEvent.Resumed, detail: told, timeMs })
  return { outcome: 'RESUMED', by, at }
}
