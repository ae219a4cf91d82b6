// The intents of a state directory that were sent and are not certified to have moved nothing, each in one line. Reads
// only. The caller holds the directory's lock.
import { randomUUID } from 'node:crypto'
import { intentIdOf } from '../../core/contract/fields.ts'
import { IntentState } from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { frozenLegs } from '../../core/runs/record/run-record.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { unfinishedExecutions } from '../../embedded-aws/embedded-journal.ts'
import type { AwsAddress } from '../target/aws-address.ts'
import { journalTable, scanIntents } from '../target/journal/journal-client.ts'
import { damagedJournal, openKeptJournal } from '../target/state/kept-journal.ts'
import { printable } from '../terminal/table.ts'

export interface SentIntent {
  /** One sentence. */
  readonly line: string
  /** True where it has moved, and nothing else can come of it. */
  readonly isSettled: boolean
}

/**
 * With an id: what was sent of that intent, or of that run's legs. Without an id: every intent that is not settled.
 * @throws CommandError (exit 3) where the journal cannot be read
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

/** The same of a journal that is open already: at a desk, or on AWS. */
export async function sentAt(address: AwsAddress, intentId: string | undefined): Promise<readonly SentIntent[]> {
  const table = journalTable(address)
  try {
    const store = createDynamoStore(table.client, table.tableName)
    if (intentId === undefined) return (await scanIntents(table)).filter(isUnsettled).map(sentOf)
    const journal = createJournal(store, randomUUID)
    const run = await createRuns(store, randomUUID).find(intentId)
    const ids = run === undefined ? [intentId] : frozenLegs(run).map((leg) => leg.intentId)
    const intents: Intent[] = []
    for (const id of ids) {
      const intent = await journal.find(id)
      if (intent !== undefined) intents.push(intent)
    }
    return intents.filter(wasSent).map(sentOf)
  } finally {
    table.client.destroy()
  }
}

/** For a journal that another process has open: the executions that are not at their end. */
export function underWayIn(awsDir: string, intentId: string | undefined): readonly SentIntent[] {
  return unfinishedExecutions(awsDir)
    .filter((name) => intentId === undefined || intentIdOf(name) === intentId)
    .map((name) => ({
      line: `execution ${printable(name)} is under way or was cut off: it may have moved money`,
      isSettled: false,
    }))
}

/**
 * An armed intent counts as sent, because nobody can know. One that certainly moved nothing has ended, or is READY
 * again.
 */
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
