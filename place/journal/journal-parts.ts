// Defines the parts of a connection to a journal. A function names in its parameters the parts that it uses, and no
// more.

import type { Treasury } from '../../core/contract/treasury.ts'
import type { Halt, Halts } from '../../core/journal/halts.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { IntentIndex } from '../../core/journal/intent-index.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { OnMisfit, OpenIntents, OpenIntentsPart } from '../../core/journal/listed-records.ts'
import type { Pin } from '../../core/journal/pinned-account.ts'
import type { PolicyNames } from '../../core/journal/policy-names.ts'
import type { RecordStore, StoredRecord } from '../../core/journal/record-store.ts'
import type { Decisions } from '../../core/runs/approval/decisions.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import type { DecisionVerifier } from '../../core/runs/approval/signed-decision.ts'
import type { RunBudgets } from '../../core/runs/ports.ts'
import type { PolicyRecords } from '../../core/runs/record/policy-record.ts'
import type { JournalTable } from '../aws/aws-address.ts'
import type { PeopleDoor } from '../aws/people-door.ts'
import type { Service } from '../service/built-in-sandbox.ts'
import type { ServiceFolder } from '../state/state-layout.ts'
import type { ScanPart } from './journal-scan.ts'
import type { AskedList, RequestEntry, RequestSpan } from './request-index.ts'
import type { RunJournal } from './run-journal.ts'

export interface NamedJournal {
  /** In words: the state directory, or AWS. */
  readonly name: string
}

export interface ConfiguredJournal {
  readonly treasury: Treasury
}

export interface PlacedJournal extends ConfiguredJournal {
  /** Present where the journal is that of a state directory. */
  readonly embedded: StateDirectory | undefined
}

/** The state directory that keeps these records. */
export interface StateDirectory {
  readonly stateDir: string
  readonly folder: ServiceFolder
  /** Absent: the built-in sandbox. */
  readonly serviceUrl: string | undefined
  /** The built-in sandbox, where the desk of another process has it open. */
  readonly sandbox?: Service | undefined
}

/** Intents, by their ids, and claims on movements. */
export interface IntentAccess {
  readonly journal: Journal
}

export interface OpenIntentAccess {
  /**
   * The intents that have not ended, or wait for a person. Throws for an unreadable record, unless `onMisfit` handles
   * it.
   */
  openIntents(part?: OpenIntentsPart): Promise<OpenIntents>
  /** All open intents. @throws TooMany where there are too many to compare with a movement */
  allOpenIntents(onMisfit?: OnMisfit): Promise<readonly Intent[]>
  /** Lists ids of intents by the journal's index, which may lag behind. */
  readonly intentIndex: IntentIndex
}

export interface RunAccess {
  readonly runJournal: RunJournal
}

export interface PolicyAccess {
  readonly policyRecords: PolicyRecords
  /** The rest of the day's budgets. */
  readonly budgets: RunBudgets
}

export interface HaltAccess {
  /** On AWS a person's decision goes through the function that records who asked. */
  readonly halts: Halts
  /** The halts in force, oldest first. */
  haltsInForce(): Promise<Halt[]>
  /** All names of a policy, each of which may be halted. */
  readonly namesOf: PolicyNames
}

export interface ApprovalAccess {
  /** People's decisions on waiting plans. */
  readonly decisions: Decisions
  readonly decisionKey: DecisionVerifier
  readonly requesters: Requesters
}

export interface RequestAccess {
  /** Requests, newest first. */
  walkRequests(lists: readonly AskedList[], span: RequestSpan, nowMs: number): AsyncGenerator<RequestEntry, void>
  readRecord(key: string): Promise<StoredRecord | undefined>
}

/** The raw records, for tools that maintain the whole journal. */
export interface RecordAccess {
  readonly store: RecordStore
  readonly table: JournalTable
  /**
   * Every record whose key begins with one of the prefixes, in no order, from a key on and up to the bound of a scan.
   */
  scanPart(prefixes: readonly string[], part: ScanPart): AsyncGenerator<StoredRecord, void>
}

export interface AccountAccess {
  /** The account that the journal is pinned to, where it is pinned. */
  findPin(): Promise<Pin | undefined>
  /** Whether its keys were verified. Until then schedules start nothing. */
  isVerified(): Promise<boolean>
}

export interface DoorAccess {
  /** Present on AWS: the functions that record people's decisions. */
  readonly door?: PeopleDoor
}
