// Prepares a desk for its drill where waiting would take too long. It starts the embedded AWS of the closed desk in
// this process, and each wait moves the service's clock instead.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import type { StateMachine } from '../../core/contract/states.ts'
import { loadTreasury } from '../../core/treasury/config.ts'
import { embeddedKeys } from '../../place/desk/embedded-keys.ts'
import type { Desk } from './drill.ts'

/** Longer sleeps are time-outs. */
const LONGEST_WAIT_MS = 3_600_000

export interface Begun {
  readonly stateMachine: StateMachine
  readonly name: string
  readonly input: object
}

/**
 * Runs executions of a closed desk to their ends, one after the other, because each wait moves time for all. @returns
 * the outcome of each
 */
export async function runInVirtualTime(desk: Desk, begun: readonly Begun[]): Promise<readonly string[]> {
  const { service } = loadTreasury(path.join(desk.folder, 'treasury.json'))
  const aws = await startEmbeddedAws({
    assemblyDir: assemblyOf(desk),
    stateDir: desk.awsDir(),
    parameters: { ServiceUrl: desk.sandbox.baseUrl },
    ...embeddedKeys(service, readFileSync(path.join(desk.folder, 'keys.json'), 'utf8')),
    clock: {
      nowMs: () => Date.now(),
      async sleep(ms, signal) {
        if (ms <= LONGEST_WAIT_MS) return void (await desk.control('/clock', { advanceMs: Math.ceil(ms) }))
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
      },
    },
  })
  try {
    const outcomes: string[] = []
    for (const { input, name, stateMachine } of begun) {
      const { executionArn } = await aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
      const { output, cause } = await aws.untilFinished(executionArn)
      outcomes.push(JSON.parse(output ?? cause ?? '{}').outcome)
    }
    return outcomes
  } finally {
    await aws.stop()
  }
}

/**
 * The assembly that the desk has served.
 * @throws Error unless there is exactly one
 */
function assemblyOf({ folder }: Desk): string {
  const all = path.join(folder, 'state', 'assembly')
  const [only, ...others] = readdirSync(all)
  if (only === undefined || others.length > 0) throw new Error(`${all}: expected one assembly`)
  return path.join(all, only)
}
