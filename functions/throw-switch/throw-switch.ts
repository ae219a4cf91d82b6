// ThrowSwitch: a person halts sending, on AWS. It records that under the identity that asked, and then tells it on the bus. A
// halt that is recorded is in force, whether or not it can be told. Who lets sending go on asks Resume, another function,
// because IAM sees the function that is called and nothing of the request.
import type { Clock } from '../../core/clock.ts'
import { EVENT_VERSION, SwitchEvent, type TellSwitch } from '../../core/contract/events.ts'
import type { HaltAnswer, HaltRequest } from '../../core/contract/people.ts'
import type { Halts } from '../../core/journal/halts.ts'

export interface ThrowSwitchPorts {
  readonly halts: Pick<Halts, 'halt'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly tell: TellSwitch
}

/** @throws Transient */
export async function throwSwitch(
  { scope, because }: HaltRequest,
  by: string,
  { halts, clock, tell }: ThrowSwitchPorts,
): Promise<HaltAnswer> {
  const timeMs = clock.nowMs()
  const at = new Date(timeMs).toISOString()
  await halts.halt({ scope, because, by, at })
  const detail = { version: EVENT_VERSION, scope, because, by, at, isBreaker: false }
  await tell({ detailType: SwitchEvent.Halted, detail, timeMs })
  return { outcome: 'HALTED', by, at }
}
