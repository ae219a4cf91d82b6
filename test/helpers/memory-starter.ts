// Step Functions in memory, limited to starting executions: a name can be used once, for good. Faults come from a hook,
// so that a schedule can choose them.
import { Transient } from '../../core/errors.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

/** `lost`: started, but the answer is lost. `refused`: not started. */
export type StartFault = 'lost' | 'refused'

export interface MemoryStarter extends Starter {
  readonly executions: ReadonlyMap<string, Start>
  end(): void
}

export function createMemoryStarter(nextFault: () => StartFault | undefined = () => undefined): MemoryStarter {
  const executions = new Map<string, Start>()
  const ended = new Set<string>()
  return {
    executions,
    end() {
      for (const name of executions.keys()) ended.add(name)
    },
    async start(start) {
      const fault = nextFault()
      if (fault === 'refused') throw new Transient('Step Functions did not answer')
      const known = executions.get(start.name)
      if (known === undefined) executions.set(start.name, structuredClone(start))
      if (fault === 'lost') throw new Transient('Step Functions did not answer')
      if (known !== undefined && JSON.stringify(known.input) !== JSON.stringify(start.input)) return 'other'
      return ended.has(start.name) ? 'ended' : 'started'
    },
  }
}
