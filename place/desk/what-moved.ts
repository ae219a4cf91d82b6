// Adds to the error of a failed command what its id may have moved. It reads the journal before the command ends. An id
// that was sent may have moved, and a person who reads only "failed" would send it again.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Transient } from '../../core/errors.ts'
import type { Deployment } from '../aws/aws-address.ts'
import type { OperationContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { type Advice, advice, type ConnectionFlags, partsOf, type Step, withTexts } from '../next-step.ts'
import { OperationError, operationErrorOf } from '../operation-error.ts'
import { stateDirOf, Variable } from '../settings.ts'
import type { SentIntent } from './sent-intents.ts'

interface FailedCommand {
  /** The id of the intent, or of the run of a policy. Absent: all intents of the directory. */
  readonly intentId?: string
  readonly flags: ConnectionFlags
  /** Continues the work. */
  readonly again: Step
}

const NOT_LOOKED_AT = 'what was sent before could not be read, because the journal does not answer'

/** The command is ending, so it does not wait for a directory that another process uses. */
const LOCK_WAIT_MS = 0

/** @returns the same error, or an error with exit 3 where the id may have moved, or where that is not known */
export async function withWhatMoved(
  error: unknown,
  command: FailedCommand,
  context: Pick<OperationContext, 'clock' | 'variables'>,
): Promise<OperationError> {
  const failure = operationErrorOf(error)
  // The error reports it already, or the person ended the command.
  if (failure.exitCode === ExitCode.NeedsPerson || failure.exitCode === ExitCode.Interrupted) return failure
  try {
    const sent = await findSent(command, context)
    // A mistake in the command says nothing about its id. Only an intent in doubt is more important.
    const relevant = failure.exitCode === ExitCode.Usage ? sent.filter(({ isSettled }) => !isSettled) : sent
    return relevant.length === 0 ? failure : mayHaveMoved(failure, relevant, command)
  } catch (unreadable) {
    if (unreadable instanceof Transient) return inDoubt(failure, [NOT_LOOKED_AT], failure.next)
    const { message, text, next } = operationErrorOf(unreadable)
    // The directory was refused because others may have changed it, so it proves nothing.
    if (message === failure.message) return failure
    return inDoubt(failure, [text], next)
  }
}

/** The intents that were sent and are not a certified zero. */
async function findSent(
  { intentId, flags }: FailedCommand,
  { clock, variables }: Pick<OperationContext, 'clock' | 'variables'>,
): Promise<readonly SentIntent[]> {
  if (flags.aws === true) {
    const { namedDeployment } = await import('../aws/deployed-configuration.ts')
    let deployment: Deployment
    try {
      deployment = namedDeployment(flags, variables)
    } catch {
      // The unreadable file is the failure itself, so there is nowhere to read.
      return []
    }
    return (await import('./sent-intents.ts')).sentAt(deployment, intentId)
  }
  const stateDir = stateDirOf(flags, variables)
  if (!existsSync(path.join(stateDir, 'lock'))) return []
  // The modules of a journal are loaded only where a journal exists.
  const [
    { findDesk },
    { keepPrivate },
    { lockState },
    { sentAt, sentIn, underWayIn },
    { builtInFolder, serviceFolder },
  ] = await Promise.all([
    import('./desk-file.ts'),
    import('../state/private-directory.ts'),
    import('../state/state-lock.ts'),
    import('./sent-intents.ts'),
    import('../state/state-layout.ts'),
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
  const says = partsOf(failure.next).some((part) => isDeepStrictEqual(part, again))
  return inDoubt(
    failure,
    sent.map(({ line }) => line),
    advice`do not start it under another id or in another directory; ${says ? failure.next : advice`once the failure is corrected (${withTexts(failure.next, withoutClaim)}), continue with: ${again}`}`,
  )
}

function inDoubt(failure: OperationError, lines: readonly Advice[], next: Advice): OperationError {
  const message = [withTexts(failure.text, withoutClaim), ...lines].flatMap((line, index) =>
    index === 0 ? partsOf(line) : ['\n', ...partsOf(line)],
  )
  return new OperationError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: failure })
}

/** Removes claims about this command only, because a reader would apply them to the id. */
export function withoutClaim(text: string): string {
  return text.replaceAll(
    /; (nothing was (sent|started)|nothing has moved|this command has sent nothing)( that could move money)?/g,
    '',
  )
}
