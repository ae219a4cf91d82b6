// Whether a run may begin at all: halts, maintenance, quiet hours. Reads, and writes nothing.
import type { Policy } from '../../contract/policies.ts'
import { RunEnd } from '../../contract/runs.ts'
import { findQuiet } from '../../guards/quiet-hours.ts'
import { haltText } from '../../journal/halts.ts'
import type { RunPorts } from '../ports.ts'
import { guardSetsOf } from './limits.ts'

export interface Standing {
  readonly outcome: typeof RunEnd.Halted | typeof RunEnd.Guarded
  /** Which guard, for a plan's sayings. */
  readonly guard: string
  readonly why: string
}

const MAINTENANCE = 'MAINTENANCE'

/**
 * What stands against it; `undefined` where nothing does, and then the service's clock has been measured.
 * @throws Transient, Defect
 */
export async function findStanding(name: string, policy: Policy, ports: RunPorts): Promise<Standing | undefined> {
  const { halts, service } = ports
  const { was } = policy
  const halt = (await halts.find(name)) ?? (was === undefined ? undefined : await halts.find(was))
  if (halt) return { outcome: RunEnd.Halted, guard: 'halt', why: haltText(halt) }
  const { status } = await service.health()
  // During maintenance nothing else answers, the clock neither.
  if (status === MAINTENANCE) {
    return { outcome: RunEnd.Guarded, guard: 'maintenance', why: 'the service is in maintenance' }
  }
  await service.clock.measure()
  for (const { root, guards } of guardSetsOf(name, policy, ports)) {
    const quiet = findQuiet(guards.quietHours ?? [], service.clock.reachedMs(), service.clock.nowMs())
    if (quiet === undefined) continue
    const until = quiet.untilMs === undefined ? 'without an end' : `until ${new Date(quiet.untilMs).toISOString()}`
    return {
      outcome: RunEnd.Guarded,
      guard: 'quietHours',
      why: `it is in the quiet hours of ${root}.quietHours, ${until}`,
    }
  }
  return undefined
}
