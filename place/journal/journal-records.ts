// Builds the parts of a JournalConnection that use the journal's table, whichever process has it. It reads and writes
// nothing until a caller uses a part.
import { randomUUID } from 'node:crypto'
import type { Treasury } from '../../core/contract/treasury.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { createIntentIndex, createListBeginning, listBeginningOf } from '../../core/journal/intent-index.ts'
import { createJournal } from '../../core/journal/journal.ts'
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
import type { KeyedTable } from '../aws/aws-address.ts'
import { findHaltsInForce } from './halts-in-force.ts'
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
