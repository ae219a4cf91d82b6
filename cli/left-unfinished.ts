// What a command that only reads does with executions that a former one left unfinished: nothing, and it says so.
// They were started with keys that may move money; with its own they would be refused, and end as if for good.
import { StateMachine } from '../functions/contract/states.ts'
import type { EmbeddedAws } from '../sandbox/aws/embedded-aws.ts'
import type { Progress } from './progress/progress.ts'

/** `goesOn`: the command that goes on with them. */
export function tellLeft(aws: Pick<EmbeddedAws, 'listExecutions'>, goesOn: string, progress: Progress): void {
  const left = Object.values(StateMachine)
    .flatMap((stateMachine) => aws.listExecutions(stateMachine))
    .filter(({ status }) => status === 'RUNNING')
  if (left.length === 0) return
  const text = `unfinished executions that this command leaves where they are: ${left.length}; with keys that may move money they go on: ${goesOn}`
  progress.line({ label: 'found', text, tone: 'wait' })
}
