// Builds the parts of a JournalConnection that use the journal's table, whichever process has it. It reads and writes
// nothing until a caller uses a part. The index of halts lags behind the table by moments, so halts are read by their
// keys too.

import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { listing } from '../../core/contract/records.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createHalts, EVERYTHING, type Halt, type Halts, scopeOfHalt } from '../../core/journal/halts.ts'
import { createIntentIndex, createListBeginning, listBeginningOf } from '../../core/journal/intent-index.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { listKeys } from '../../core/journal/listed-keys.ts'
import {
  type OnMisfit,
  type OpenIntentsPart,
  readAllOpenIntents,
  readOpenIntents,
} from '../../core/journal/listed-records.ts'
import { findPin } from '../../core/journal/pinned-account.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import { createVerification } from '../../core/journal/verification.ts'
import { createDecisions } from '../../core/runs/approval/decisions.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { createRunBudgets } from '../../core/runs/plan/limits.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import type { JournalTable, KeyedTable } from '../aws/aws-address.ts'
import { type ScanPart, scanPart } from './journal-scan.ts'
import { type AskedList, type RequestSpan, walkRequests } from './request-index.ts'
import { createRunJournal } from './run-journal.ts'

/** JournalConnection describes each field. */
export function recordsOf(table: KeyedTable, treasury: Treasury) {
  const store = createDynamoStore(table.client, table.tableName)
  const journal = createJournal(store, randomUUID)
  const listed = { list: listBeginningOf(table), journal }
  const halts = createHalts(store, randomUUID, treasury)
  return {
    journal,
    store,
    table,
    budgets: createRunBudgets(store, journal, randomUUID),
    halts,
    namesOf: createPolicyNames(store, treasury.policies),
    decisionKey: table.decisionKey,
    decisions: createDecisions(store, randomUUID, table.decisionKey),
    requesters: createRequesters(store, randomUUID),
    haltsInForce: () => findHaltsInForce(table, halts, treasury),
    findPin: () => findPin(store),
    isVerified: createVerification(store),
    openIntents: (part?: OpenIntentsPart) => readOpenIntents(listed, part),
    allOpenIntents: (onMisfit?: OnMisfit) => readAllOpenIntents(listed, onMisfit),
    intentIndex: createIntentIndex(createListBeginning(table.client, table.tableName)),
    scanPart: (prefixes: readonly string[], part: ScanPart) => scanPart(table, prefixes, part),
    walkRequests: (lists: readonly AskedList[], span: RequestSpan, nowMs: number) =>
      walkRequests(table, lists, span, nowMs),
    readRecord: store.read,
    runJournal: createRunJournal(table),
    policyRecords: createPolicyRecords(store, randomUUID),
  }
}

/** Each policy may have a person's halt and its breaker's halt. */
const MOST_HALTS = 1_000

/** Oldest first. */
export async function findHaltsInForce(
  table: JournalTable,
  halts: Pick<Halts, 'findOf'>,
  { policies }: Pick<Treasury, 'policies'>,
): Promise<Halt[]> {
  const named = Object.entries(policies).flatMap(([name, { was }]) => (was === undefined ? [name] : [name, was]))
  const { keys } = await listKeys(table, listing.halts, { limit: MOST_HALTS })
  const listed = keys.map(scopeOfHalt)
  // The record takes precedence, because the list may still have a halt that was just resumed.
  const found = await mapBounded([...new Set([EVERYTHING, ...named, ...listed])], READS_AT_ONCE, halts.findOf)
  const orderOf = ({ at, scope }: Halt) => `${at} ${scope}`
  return found.flat().sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}
