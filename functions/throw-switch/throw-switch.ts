// ThrowSwitch: a person halts sending or lets it go on, on AWS. It records that under the identity that asked. It can
// reach nothing but switches.
import type { Clock } from '../../core/clock.ts'
import type { SwitchAnswer, SwitchRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import type { Halts } from '../../core/journal/halts.ts'

export interface ThrowSwitchPorts {
  readonly halts: Pick<Halts, 'halt' | 'resume'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Refused for a halt of another scope; Transient, also where a halt that was shown is not in force any more */
export async function throwSwitch(
  request: SwitchRequest,
  by: string,
  { halts, clock }: ThrowSwitchPorts,
): Promise<SwitchAnswer> {
  const { scope, because } = request
  const at = new Date(clock.nowMs()).toISOString()
  if (request.action === 'halt') {
    await halts.halt({ scope, because, by, at })
    return { outcome: 'HALTED', by, at }
  }
  if (request.halts.some((halt) => halt.scope !== scope)) {
    throw new Refused(`body.halts: expected halts of ${scope} alone`)
  }
  const shown = request.halts.map(({ trip, ...halt }) => ({ ...halt, ...(trip !== undefined && { trip }) }))
  await halts.resume({ scope, because, by, at }, shown)
  return { outcome: 'RESUMED', by, at }
}
