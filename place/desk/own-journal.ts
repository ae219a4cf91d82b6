// Checks that the journal that a session has just opened belongs to its directory. For a new directory it records that.
// A journal that was lost, or restored from an older copy, moves nothing before a person has verified it.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import { SluiceError } from '../../core/errors.ts'
import { ExitCode } from '../exit-code.ts'
import { journalTable } from '../journal/journal-client.ts'
import { isOfOtherForm, otherFormFailure } from '../journal/journal-failure.ts'
import { assertDeclared, declareOwnTable } from '../journal/own-table.ts'
import { OperationError } from '../operation-error.ts'
import { INVOCATION } from '../words/command-line.ts'

interface Opened {
  /** Whether the directory had executions before. */
  readonly hasRun: boolean
  /** False for a command that only reads. Its functions themselves refuse a table that may move nothing. */
  readonly mayMove: boolean
}

/** Stops the embedded AWS and throws where the journal may move nothing. @throws OperationError (exit 3) */
export async function settleOwnJournal(aws: EmbeddedAws, { hasRun, mayMove }: Opened): Promise<void> {
  const table = journalTable(aws)
  const asked = { hasRunBefore: () => hasRun, nowMs: Date.now() }
  try {
    await (mayMove ? assertDeclared(table, asked) : declareOwnTable(table, asked))
  } catch (error) {
    await aws.stop()
    if (!(error instanceof SluiceError) || error.name === 'Transient') throw error
    if (isOfOtherForm(error)) throw otherFormFailure(error)
    throw new OperationError(
      {
        exitCode: ExitCode.NeedsPerson,
        code: 'state_unusable',
        message: `${error.message}; nothing was sent`,
        next: `${INVOCATION} journal verify, with the same --state; run its ids nowhere else`,
      },
      { cause: error },
    )
  } finally {
    table.client.destroy()
  }
}
