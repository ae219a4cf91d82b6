// Reports executions that an earlier command left unfinished. A command that only reads leaves them alone: with its
// keys they would be refused, and could never continue. It also names executions whose file was damaged, and refuses to
// continue those of another release.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type DamagedLog, DURABLE, type EmbeddedAws, unfinishedExecutions } from '@sluice/embedded-aws'
import { StateMachine } from '../../core/contract/states.ts'
import { ownRelease, type Progress } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { advice, type Step } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'

/**
 * Records the release that continues executions from here on. An execution keeps the machine with which it began, and
 * nobody has tried that machine with the functions of another release.
 * @throws OperationError (exit 1) where another release left executions
 */
export function takeOver(awsDir: string): void {
  const folder = path.dirname(awsDir)
  const file = path.join(folder, 'release')
  const own = ownRelease()
  const last = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (last === own) return
  const left = unfinishedExecutions(awsDir).length
  if (left > 0) {
    const of = last === undefined ? 'an earlier release' : `release ${last}`
    const message = `executions of ${of} under way: ${left}; this command is release ${own}, and nothing was sent`
    const next = `end them with that release, as docs/deployment.md, "Upgrade", says`
    throw new OperationError({ exitCode: ExitCode.Failed, code: 'state_unusable', message, next })
  }
  DURABLE.makeFolder(folder)
  DURABLE.replace(file, own)
}

/** Names executions that nobody can read and no command continues. The journal knows their intents. */
export function reportDamaged(aws: Pick<EmbeddedAws, 'damagedExecutions'>, progress: Progress): void {
  for (const damage of aws.damagedExecutions()) {
    const text = `${damage}; that execution does not continue, all others do; ${MOVE_ASIDE}`
    progress.line({ label: 'found', text, tone: 'wait' })
  }
}

/** The error where the requested id has the damaged execution. */
export function damagedExecution(error: DamagedLog, again: Step): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'state_unusable',
      message: `${error.message}; only the journal says what this id has done; this command has started nothing of it`,
      next: advice`do not start it under another id or in another directory; ${MOVE_ASIDE}, with: ${again}`,
    },
    { cause: error },
  )
}

const MOVE_ASIDE =
  'move the file out of the state directory, and its id continues from the journal, which knows what was sent'

/** `continuing`: continues them. */
export function reportLeftUnfinished(
  aws: Pick<EmbeddedAws, 'listExecutions'>,
  continuing: Step,
  progress: Progress,
): void {
  const left = Object.values(StateMachine).flatMap((stateMachine) => aws.listExecutions(stateMachine, true))
  if (left.length === 0) return
  const text = `unfinished executions that this command leaves where they are: ${left.length}; with keys that may move money this continues them`
  progress.line({ label: 'found', text, tone: 'wait', next: continuing })
}
