// What a command that failed says about its id. Before it ends, it looks into the journal: an id that was sent may have
// moved, whatever fails now, and whoever reads "failed" only would send it again.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { Transient } from '../../core/errors.ts'
import type { Deployment } from '../connection/aws-address.ts'
import { stateDirOf, Variable } from '../connection/settings.ts'
import type { OperationContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError, operationErrorOf } from '../operation-error.ts'
import type { ConnectionFlags } from '../words/command-line.ts'
import type { SentIntent } from './sent-intents.ts'

interface FailedCommand {
  /** The id of the intent, or of the run of a policy. Absent where all intents of the directory are looked at. */
  readonly intentId?: string
  readonly flags: ConnectionFlags
  /** The command that continues the work. */
  readonly again: string
}

const NOT_LOOKED_AT = 'what was sent before could not be looked at, because the journal does not answer'

/** Where another process uses the directory, this command does not wait, because it is ending. */
const LOCK_WAIT_MS = 0

/** @returns the same failure, or one with exit 3 where the id may have moved, or where that is not known */
export async function withWhatMoved(
  error: unknown,
  command: FailedCommand,
  context: Pick<OperationContext, 'clock' | 'variables'>,
): Promise<OperationError> {
  const failure = operationErrorOf(error)
  // The failure says so already, or the person ended the command.
  if (failure.exitCode === ExitCode.NeedsPerson || failure.exitCode === ExitCode.Interrupted) return failure
  try {
    const sent = await findSent(command, context)
    // A mistake in the command says nothing about its id. Only an intent in doubt is more important.
    const relevant = failure.exitCode === ExitCode.Usage ? sent.filter(({ isSettled }) => !isSettled) : sent
    return relevant.length === 0 ? failure : mayHaveMoved(failure, relevant, command)
  } catch (unreadable) {
    if (unreadable instanceof Transient) return inDoubt(failure, [NOT_LOOKED_AT], failure.next)
    const { message, next } = operationErrorOf(unreadable)
    // The directory was refused for what others may have put there: nothing in it says what moved.
    if (message === failure.message) return failure
    return inDoubt(failure, [message], next)
  }
}

/** The intents that were sent and did not certainly move nothing. */
async function findSent(
  { intentId, flags }: FailedCommand,
  { clock, variables }: Pick<OperationContext, 'clock' | 'variables'>,
): Promise<readonly SentIntent[]> {
  if (flags.aws === true) {
    const { namedDeployment } = await import('../connection/deployed-configuration.ts')
    let deployment: Deployment
    try {
      deployment = namedDeployment(flags, variables)
    } catch {
      // A file that cannot be read is the failure itself: this command has looked nowhere.
      return []
    }
    return (await import('./sent-intents.ts')).sentAt(deployment, intentId)
  }
  const stateDir = stateDirOf(flags, variables)
  if (!existsSync(path.join(stateDir, 'lock'))) return []
  // The modules of a journal are loaded only where there is a journal.
  const [
    { findDesk },
    { keepPrivate },
    { lockState },
    { sentAt, sentIn, underWayIn },
    { builtInFolder, serviceFolder },
  ] = await Promise.all([
    import('../connection/desk/desk-file.ts'),
    import('../connection/state/private-directory.ts'),
    import('../connection/state/state-lock.ts'),
    import('./sent-intents.ts'),
    import('../connection/state/state-layout.ts'),
  ])
  keepPrivate(stateDir, () => undefined)
  const isNamed = Boolean(flags.service ?? variables[Variable.service])
  const desk = findDesk(stateDir)
  if (desk !== undefined && desk.tour === undefined && isNamed === (desk.service !== undefined))
    return sentAt(desk, intentId)
  const { awsDir } = isNamed ? serviceFolder(stateDir) : builtInFolder(stateDir)
  const lock = await lockState({ stateDir, clock, waitMs: LOCK_WAIT_MS }).catch(() => undefined)
  if (lock === undefined) return underWayIn(awsDir, intentId)
  try {
    return await sentIn(awsDir, intentId)
  } finally {
    lock.release()
  }
}

function mayHaveMoved(failure: OperationError, sent: readonly SentIntent[], { again }: FailedCommand): OperationError {
  return inDoubt(
    failure,
    sent.map(({ line }) => line),
    `do not start it under another id or in another directory; ${failure.next.includes(again) ? failure.next : `once what failed is put right (${withoutClaim(failure.next)}), go on with: ${again}`}`,
  )
}

function inDoubt(failure: OperationError, lines: readonly string[], next: string): OperationError {
  const message = [withoutClaim(failure.message), ...lines].join('\n')
  return new OperationError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: failure })
}

/** Removes what is true of this command only, because it would be read as true of the id. */
export function withoutClaim(text: string): string {
  return text.replaceAll(
    /; (nothing was (sent|started)|nothing has moved|this command has sent nothing)( that could move money)?/g,
    '',
  )
}
