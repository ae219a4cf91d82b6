// ThrowSwitch: halts sending when a person asks for it, on AWS. Records the halt under the identity that signed, then
// publishes it on the bus. A recorded halt is in force even when the bus fails. Resume is a separate function, because
// IAM sees which function is called and nothing of the request.
import type { Clock } from '../../core/clock.ts'
import { EVENT_VERSION, type ReportSwitch, SwitchEvent } from '../../core/contract/events.ts'
import type { HaltAnswer, HaltRequest } from '../../core/contract/people.ts'
import type { Halts } from '../../core/journal/halts.ts'

export interface ThrowSwitchPorts {
  readonly halts: Pick<Halts, 'halt'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly publish: ReportSwitch
}

/** @throws Transient */
export async function throwSwitch(
  { scope, because }: HaltRequest,
  by: string,
  { halts, clock, publish }: ThrowSwitchPorts,
): Promise<HaltAnswer> {
  const timeMs = clock.nowMs()
  const at = new Date(timeMs).toISOString()
  await halts.halt({ scope, because, by, at })
  const detail = { version: EVENT_VERSION, scope, because, by, at, isBreaker: false }
  await publish({ detailType: SwitchEvent.Halted, detail, timeMs })
  return { outcome: 'HALTED', by, at }
}
