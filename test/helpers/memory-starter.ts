// Step Functions in memory, as far as starting goes: a name is taken once, for good. Faults come from a
// hook, so that a schedule can own them.
import { Transient } from '../../core/errors.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

/** `lost`: started, the answer lost; `refused`: not started. */
export type StartFault = 'lost' | 'refused'

export interface MemoryStarter extends Starter {
  /** Executions, by their names. */
  readonly executions: ReadonlyMap<string, Start>
  /** Every execution under way comes to its end. */
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
