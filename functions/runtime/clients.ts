// The clients that every bundle needs: DynamoDB, the service, the key, and the machine's own clock and randomness.
// Built from the environment, and warmed up while the function initialises. What each bundle hands to its decisions
// is made of them in movement-wiring.ts, run-wiring.ts and trigger-wiring.ts.
import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { systemClock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { Defect, KeyFault, Refused } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { readTableFacts } from '../../core/journal/dynamo-table.ts'
import { createListBeginning, type ListBeginning } from '../../core/journal/intent-index.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import {
  type AssertOwnTable,
  createDeclaration,
  createOwnTable,
  guardList,
  guardStore,
} from '../../core/journal/table-identity.ts'
import type { Turns } from '../../core/journal/turns.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { kmsClient, kmsSigner } from '../../core/keys/kms-signer.ts'
import { secretsManagerKeySource, secretsManagerReadKeySource } from '../../core/keys/secrets-manager-key-source.ts'
import type { KeyAlgorithm, Signer } from '../../core/keys/signer.ts'
import type { ReadPatience } from '../../core/service/endure.ts'
import { createReadBudget } from '../../core/service/pace.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import { readJournalTable, readKeyRole, readKeySecret, readKmsKey, readServiceUrl, readStage } from './environment.ts'
import { notePace, watchClock } from './observation.ts'
import { noteVersions } from './seen-versions.ts'
import { warmUp } from './warm-up.ts'

/** An id nobody can guess: for nonces, owners and stamps. */
export const newId = randomUUID

export function journalClient(): DynamoDBClient {
  return new DynamoDBClient(requestLimits(AWS_LIMITS))
}

/** The table behind the journal's name, whichever that is, and the question whether it is the journal's own. */
export function wireTable(
  env: NodeJS.ProcessEnv,
  client: DynamoDBClient = journalClient(),
): { readonly store: RecordStore; readonly assertOwnTable: AssertOwnTable } {
  const tableName = readJournalTable(env)
  const store = createDynamoStore(client, tableName)
  const readTable = () => readTableFacts(client, tableName)
  const assertOwnTable = createOwnTable({ store, readTable, clock: systemClock })
  // Resolves credentials and opens the connection while the function initialises.
  warmUp(assertOwnTable())
  return { store, assertOwnTable }
}

/** Of the journal's own table, and of no other: the first question begins while the function initialises. */
export function wireStore(env: NodeJS.ProcessEnv, client?: DynamoDBClient): RecordStore {
  const { store, assertOwnTable } = wireTable(env, client)
  return noteVersions(guardStore(store, assertOwnTable))
}

export interface ListedRecords {
  readonly store: RecordStore
  readonly list: ListBeginning
  /** Whether anybody has said yet whose the table is: what only looks has nothing to look at before. */
  readonly isDeclared: () => Promise<boolean>
}

/** The same with its lists, for functions that may find nothing in one and then read no record. */
export function wireListed(env: NodeJS.ProcessEnv): ListedRecords {
  const client = journalClient()
  const { store, assertOwnTable } = wireTable(env, client)
  return {
    store: noteVersions(guardStore(store, assertOwnTable)),
    list: guardList(createListBeginning(client, readJournalTable(env)), assertOwnTable),
    isDeclared: createDeclaration(store),
  }
}

/** How a function asks the service. */
export interface Asking {
  /** Of its reads; the client's own unless given. */
  readonly patience?: Partial<ReadPatience>
  /** Percent of the service's rate limit that it leaves to others; that of a function nobody waits for unless given. */
  readonly leaves?: number
  /** Of a quote among all processes that quote; always unless given. */
  readonly quoteTurn?: Turns['take']
}

/** What plans, looks and audits leaves so much of the service's rate limit to what sends. */
export const LEFT_TO_SENDS = 30
/** A quote lives for seconds, and a send that waits for its answer keeps an asset's lane. */
export const URGENT: Asking = { leaves: 0 }

export function wireServiceClient(env: NodeJS.ProcessEnv, asking: Asking = {}): ServiceClient {
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  const source = secretsManagerKeySource({ ...where, role: readKeyRole(env), signWith: wireKmsSigner(env) })
  return wireClient(env, source, asking)
}

/** For steps that only ever read: their bundle is without what signs. */
export function wireReadingClient(env: NodeJS.ProcessEnv, asking: Asking = {}): ServiceClient {
  if (readKeyRole(env) !== KeyRole.Read) throw new Defect('this function has a key that signs, and has no use for one')
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  return wireClient(env, secretsManagerReadKeySource(where), asking)
}

function wireClient(
  env: NodeJS.ProcessEnv,
  source: KeySource,
  { leaves = LEFT_TO_SENDS, ...asking }: Asking,
): ServiceClient {
  const key = { ...source, current: () => source.current().catch(keyFaultOf) }
  const budget = createReadBudget({ clock: systemClock, leaves })
  const given = { baseUrl: readServiceUrl(env), key, clock: systemClock, newId, budget, onPace: notePace, ...asking }
  const client = createServiceClient(given)
  watchClock(client.clock)
  warmUp(client.accountOfKey(), client.clock.measure())
  return client
}

/** Key material that cannot be used is no answer to what was asked for: the right one may be put in its place. */
function keyFaultOf(error: unknown): never {
  throw error instanceof Refused ? new KeyFault(error.message) : error
}

/** How to sign where treasury.json names a KMS key. One client, however often the secret is read anew. */
function wireKmsSigner(env: NodeJS.ProcessEnv): ((alg: KeyAlgorithm) => Signer) | undefined {
  const keyId = readKmsKey(env)
  if (keyId === undefined) return undefined
  const client = kmsClient()
  return (alg) => kmsSigner({ keyId, alg, client })
}
