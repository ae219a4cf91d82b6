// ThrowSwitch: halts sending when a person asks for it, on AWS. Records the halt under the identity that signed, then
// publishes it on the bus. A recorded halt is in force even when the bus fails. Resume is a separate function, because
// IAM sees which function is called and nothing of the request.
import { EVENT_VERSION, type ReportSwitch, SwitchEvent } from '../../core/contract/events.ts'
import type { HaltAnswer, HaltRequest } from '../../core/contract/people.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import type { Halts } from '../../core/journal/halts.ts'

interface ThrowSwitchPorts {
  readonly halts: Pick<Halts, 'halt'>
  readonly publish: ReportSwitch
}

/** @throws Transient */
export async function throwSwitch(
  { scope, because }: HaltRequest,
  { by, at, spoken }: Speaker,
  { halts, publish }: ThrowSwitchPorts,
): Promise<HaltAnswer> {
  await halts.halt({ scope, because, by, at, spoken })
  const detail = { version: EVENT_VERSION, scope, because, by, at, isBreaker: false }
  await publish({ detailType: SwitchEvent.Halted, detail, timeMs: Date.parse(at) })
  return { outcome: 'HALTED', by, at }
}
