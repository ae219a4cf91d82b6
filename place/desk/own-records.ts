// Checks and records what a desk that has just opened says of itself in its journal. A journal that was lost, or restored
// from an older copy, moves nothing before a person has verified it. The log of people gets the treasury.json that the desk
// was started with, and by whom. Nobody verifies that name.

import { randomUUID } from 'node:crypto'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { asNotVerified } from '../../core/contract/person.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorText } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createConfigurationLog } from '../../core/people/configurations.ts'
import { ownRelease, type Progress, type Variables } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { journalTable } from '../journal/journal-client.ts'
import { isOfOtherForm, otherFormFailure } from '../journal/journal-failure.ts'
import { assertDeclared, declareOwnTable } from '../journal/own-table.ts'
import { advice } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'

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
        next: advice`${{ do: 'verify-journal' }}; run its ids nowhere else`,
      },
      { cause: error },
    )
  } finally {
    table.client.destroy()
  }
}

interface Started {
  readonly treasury: Treasury
  readonly variables: Variables
  readonly nowMs: number
  readonly progress: Progress
}

/** A desk starts where this fails, because no movement depends on it. */
export async function recordOwnConfiguration(
  aws: EmbeddedAws,
  { nowMs, progress, treasury, variables }: Started,
): Promise<void> {
  const { client, tableName } = journalTable(aws)
  const user = variables.USER || variables.USERNAME
  const by = user ? asNotVerified(user) : undefined
  try {
    const log = createConfigurationLog(createDynamoStore(client, tableName), randomUUID)
    await log.record({ treasury, release: ownRelease(), by }, nowMs)
  } catch (error) {
    const text = `the configuration was not recorded for the log of people: ${error instanceof SluiceError ? error.message : errorText(error)}`
    progress.line({ label: 'found', text, tone: 'wait' })
  } finally {
    client.destroy()
  }
}
