// Lists the intents that were sent and are not a certified zero, each in one line: in a state directory, at a desk, or
// on AWS. Reads only.

import { randomUUID } from 'node:crypto'
import { unfinishedExecutions } from '@sluice/embedded-aws'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { IntentState } from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { listBeginningOf } from '../../core/journal/intent-index.ts'
import { createJournal, findOfEitherKind, type Journal } from '../../core/journal/journal.ts'
import { MOST_OPEN, readOpenIntents } from '../../core/journal/listed-records.ts'
import { printable } from '../../core/printable.ts'
import { frozenLegs, legOf } from '../../core/runs/record/run-record.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import type { AwsAddress, JournalTable } from '../aws/aws-address.ts'
import { journalTable } from '../journal/journal-client.ts'
import { damagedJournal, openKeptJournal } from '../journal/kept-journal.ts'

export interface SentIntent {
  /** One sentence. */
  readonly line: string
  /** True where it has moved, and cannot move again. */
  readonly isSettled: boolean
}

/**
 * With an id: the sent intent, or the sent legs of the run. Without an id: every intent that is not settled. The caller
 * holds the directory's lock.
 * @throws OperationError (exit 3) where the journal cannot be read
 */
export async function sentIn(awsDir: string, intentId: string | undefined): Promise<readonly SentIntent[]> {
  const kept = await openKeptJournal(awsDir)
  if (kept === undefined) return []
  try {
    return await sentAt(kept, intentId)
  } catch (error) {
    throw damagedJournal(awsDir, error)
  } finally {
    await kept.stop()
  }
}

/** Reads the same from a journal that is open already: at a desk, or on AWS. */
export async function sentAt(address: AwsAddress, intentId: string | undefined): Promise<readonly SentIntent[]> {
  const table = journalTable(address)
  try {
    const store = createDynamoStore(table.client, table.tableName)
    const journal = createJournal(store, randomUUID)
    if (intentId === undefined) return await unsettledIn(table, journal)
    const run = await createRuns(store, randomUUID).find(intentId)
    const intents =
      run === undefined
        ? await findOfEitherKind(journal, intentId)
        : await mapBounded(frozenLegs(run), READS_AT_ONCE, (leg) => journal.find(leg.intentId, legOf(run, leg).kind))
    return intents
      .filter((intent) => intent !== undefined)
      .filter(wasSent)
      .map(sentOf)
  } finally {
    table.client.destroy()
  }
}

/** An intent is listed when it is opened, which is before it is sent. So the index had time to catch up. */
async function unsettledIn(table: JournalTable, journal: Journal): Promise<SentIntent[]> {
  const { intents, lookedAtUpTo } = await readOpenIntents({ list: listBeginningOf(table), journal })
  const sent = intents.filter(isUnsettled).map(sentOf)
  if (lookedAtUpTo === undefined) return sent
  const line = `more than ${MOST_OPEN} intents are open, and not all of them were read: sluice cases list shows them`
  return [...sent, { line, isSettled: false }]
}

/** For a journal that another process has open: the executions that have not ended. */
export function underWayIn(awsDir: string, intentId: string | undefined): readonly SentIntent[] {
  return unfinishedExecutions(awsDir)
    .filter((name) => intentId === undefined || intentIdOf(name) === intentId)
    .map((name) => ({
      line: `execution ${printable(name)} is under way or was cut off: it may have moved money`,
      isSettled: false,
    }))
}

/** An armed intent counts as sent, because nobody can know. A certified zero has ended, or is READY again. */
function isUnsettled({ state }: Intent): boolean {
  return state === IntentState.Armed || state === IntentState.Escalated
}

function wasSent(intent: Intent): boolean {
  return isUnsettled(intent) || intent.state === IntentState.Done
}

function sentOf(intent: Intent): SentIntent {
  return { line: lineOf(intent), isSettled: !isUnsettled(intent) }
}

function lineOf({ intentId, kind, state, ref, attempt }: Intent): string {
  if (state === IntentState.Done) return `intent ${intentId} has moved: ${kind} ${printable(ref ?? '?')}`
  const sent = attempt === undefined ? '' : ` at ${new Date(attempt.iat * 1000).toISOString()}`
  return `intent ${intentId} (${kind}) was sent${sent} and is not settled: it may have moved money`
}
