// Turns the events of every run of a policy that starts, and of their legs, into progress: each line says which
// policy's it is.
import * as z from 'zod/mini'
import { StateMachine } from '../../core/contract/states.ts'
import type { Progress } from '../terminal/progress.ts'
import { intentOf, type Watcher } from './watch-execution.ts'
import { watchRun } from './watch-run.ts'

const started = z.object({ policy: z.string() })

export function watchRuns(progress: Progress): Watcher {
  const watchers = new Map<string, Watcher>()
  return (executionArn, event) => {
    const policy = policyIn(executionArn, event.executionStartedEventDetails?.input)
    if (policy !== undefined)
      watchers.set(intentOf(executionArn), watchRun(intentOf(executionArn), progress, { name: policy }))
    for (const watch of watchers.values()) watch(executionArn, event)
  }
}

function policyIn(executionArn: string, input: string | undefined): string | undefined {
  const [machine] = executionArn.split(':').slice(-2)
  if (input === undefined || (machine !== StateMachine.Rebalance && machine !== StateMachine.Sweep)) return undefined
  return started.safeParse(JSON.parse(input)).data?.policy
}
