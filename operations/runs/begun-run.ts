// Changes the error of a command that fails after its run was begun. It says what the journal shows of the id, and nothing
// that follows only from where the command stood. It starts nothing itself.

import type { AwsAddress } from '../../place/aws/aws-address.ts'
import { type SentIntent, sentAt } from '../../place/desk/sent-intents.ts'
import { withoutClaim } from '../../place/desk/what-moved.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { advice, type Step, withTexts } from '../../place/next-step.ts'
import { OperationError, operationErrorOf } from '../../place/operation-error.ts'

interface BegunRun {
  readonly intentId: string
  /** The step that continues the run. */
  readonly again: Step
  readonly journal: AwsAddress
  /** Whether another process goes on with it after this command. */
  readonly isElsewhere: boolean
}

/** Returns the error with what was sent. Exit 3, unless a key is at fault and nothing of the id was sent. */
export async function failureOfBegun(error: unknown, run: BegunRun): Promise<OperationError> {
  const failure = operationErrorOf(error)
  if (failure.exitCode === ExitCode.NeedsPerson || failure.exitCode === ExitCode.Interrupted) return failure
  const sent = await sentAt(run.journal, run.intentId).catch(() => undefined)
  return begunFailure(failure, sent, run)
}

/** `sent`: undefined where the journal could not be read. Pure. */
export function begunFailure(
  failure: OperationError,
  sent: readonly SentIntent[] | undefined,
  { again, isElsewhere }: Pick<BegunRun, 'again' | 'isElsewhere'>,
): OperationError {
  const isOfKey = failure.code === 'key_at_fault'
  const known = sentLines(sent).join('\n')
  const message = advice`${withTexts(failure.text, withoutClaim)}; the run was begun${isElsewhere ? ', and continues without this command' : ''}\n${known}`
  return new OperationError(
    {
      exitCode: isOfKey && sent?.length === 0 ? ExitCode.Failed : ExitCode.NeedsPerson,
      code: isOfKey ? failure.code : 'in_doubt',
      message,
      next: isOfKey ? failure.next : advice`do not start it under another id; to see its result: ${again}`,
    },
    { cause: failure },
  )
}

function sentLines(sent: readonly SentIntent[] | undefined): readonly string[] {
  if (sent === undefined) return ['what it has sent could not be read, because the journal does not answer']
  return sent.length === 0 ? ['it has sent nothing so far, as the journal shows'] : sent.map(({ line }) => line)
}
