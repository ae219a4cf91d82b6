// What a command does with executions that an earlier one left unfinished. A command that only reads leaves them alone
// and says so: with its keys they would be refused, and end for good. An execution whose file was damaged is named.

import type { DamagedLog, EmbeddedAws } from '@sluice/embedded-aws'
import { StateMachine } from '../../core/contract/states.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'
import type { Progress } from '../progress.ts'

/** Names executions that nobody can read and no command continues. The journal knows what they were to move. */
export function reportDamaged(aws: Pick<EmbeddedAws, 'damagedExecutions'>, progress: Progress): void {
  for (const damage of aws.damagedExecutions()) {
    const text = `${damage}; that execution does not go on, all others do; ${MOVE_ASIDE}`
    progress.line({ label: 'found', text, tone: 'wait' })
  }
}

/** The failure where the damaged execution is that of the id that is asked for. */
export function damagedExecution(error: DamagedLog, again: string): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'state_unusable',
      message: `${error.message}; how far this id has come is for the journal to say; this command has started nothing of it`,
      next: `do not start it under another id or in another directory; ${MOVE_ASIDE}, with: ${again}`,
    },
    { cause: error },
  )
}

const MOVE_ASIDE =
  'move the file out of the state directory, and its id goes on from the journal, which knows what was sent'

/** `goesOn`: the command that continues them. */
export function reportLeftUnfinished(
  aws: Pick<EmbeddedAws, 'listExecutions'>,
  goesOn: string,
  progress: Progress,
): void {
  const left = Object.values(StateMachine).flatMap((stateMachine) => aws.listExecutions(stateMachine, true))
  if (left.length === 0) return
  const text = `unfinished executions that this command leaves where they are: ${left.length}; with keys that may move money they go on: ${goesOn}`
  progress.line({ label: 'found', text, tone: 'wait' })
}
