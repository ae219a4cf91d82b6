// Builds the clients that bundles share from the environment: DynamoDB, the service, the key, the clock and randomness. Warms
// them up while the function initialises. movement-wiring.ts, run-wiring.ts and trigger-wiring.ts build the ports of each
// bundle from them.
import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { systemClock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { Defect, KeyFault, Refused } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import type { TableClient } from '../../core/journal/dynamo-table.ts'
import { readTableFacts } from '../../core/journal/dynamo-table.ts'
import { createListBeginning, type ListBeginning } from '../../core/journal/intent-index.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { sdkTableClient } from '../../core/journal/sdk-table-client.ts'
import {
  type AssertOwnTable,
  createDeclaration,
  createOwnTable,
  guardList,
  guardStore,
} from '../../core/journal/table-identity.ts'
import type { Turns } from '../../core/journal/turns.ts'
import type { Seals } from '../../core/journal/watermarks.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { kmsClient, kmsDecisionKey, kmsSigner } from '../../core/keys/kms-signer.ts'
import { createSeals } from '../../core/keys/record-seals.ts'
import {
  formerReadKeySource,
  secretsManagerClient,
  secretsManagerKeySource,
  secretsManagerReadKeySource,
} from '../../core/keys/secrets-manager-key-source.ts'
import type { KeyAlgorithm, Signer } from '../../core/keys/signer.ts'
import type { DecisionKey } from '../../core/runs/approval/signed-decision.ts'
import type { ReadLimits } from '../../core/service/endure.ts'
import { createReadBudget } from '../../core/service/pace.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import {
  readDecisionKey,
  readJournalTable,
  readKeyRole,
  readKeySecret,
  readKmsKey,
  readServiceUrl,
  readStage,
} from './environment.ts'
import { notePace, watchClock } from './observation.ts'
import { noteVersions } from './seen-versions.ts'
import { warmUp } from './warm-up.ts'

/** Makes an id that nobody can guess, for nonces, owners and stamps. */
export const newId = randomUUID

export function journalClient(): TableClient {
  return sdkTableClient(new DynamoDBClient(requestLimits(AWS_LIMITS)))
}

/** Opens the table that the journal's name leads to, and the check that it is the journal's own table. */
export function wireTable(
  env: NodeJS.ProcessEnv,
  client: TableClient = journalClient(),
): { readonly store: RecordStore; readonly assertOwnTable: AssertOwnTable } {
  const tableName = readJournalTable(env)
  const store = createDynamoStore(client, tableName)
  const readTable = () => readTableFacts(client, tableName)
  const assertOwnTable = createOwnTable({ store, readTable, clock: systemClock })
  // Resolves credentials and opens the connection while the function initialises.
  warmUp(assertOwnTable())
  return { store, assertOwnTable }
}

/** Opens the journal's own table, and refuses any other. The check starts while the function initialises. */
export function wireStore(env: NodeJS.ProcessEnv, client?: TableClient): RecordStore {
  const { store, assertOwnTable } = wireTable(env, client)
  return noteVersions(guardStore(store, assertOwnTable))
}

interface ListedRecords {
  readonly store: RecordStore
  readonly list: ListBeginning
  /** Whether the table was declared to be the journal. A function that only looks can skip any other table. */
  readonly isDeclared: () => Promise<boolean>
}

/**
 * Builds the store as `wireStore` does, with the lists of the table. Used by functions that may find nothing in a list,
 * and then read no record.
 */
export function wireListed(env: NodeJS.ProcessEnv): ListedRecords {
  const client = journalClient()
  const { store, assertOwnTable } = wireTable(env, client)
  return {
    store: noteVersions(guardStore(store, assertOwnTable)),
    list: guardList(createListBeginning(client, readJournalTable(env)), assertOwnTable),
    isDeclared: createDeclaration(store),
  }
}

interface ServiceUse {
  /** Limits of repeated reads; the client's own by default. */
  readonly readLimits?: Partial<ReadLimits>
  /** Percent of the service's rate limit that it leaves to others; `LEFT_TO_SENDS` by default. */
  readonly leaves?: number
  /** Gives a quote its turn among all processes that quote; at once by default. */
  readonly quoteTurn?: Turns['take']
}

/** Percent of the service's rate limit that plans, looks and audits leave to sends. */
export const LEFT_TO_SENDS = 30
/** Settings of steps that quote or send. A quote lives for seconds, and an unsettled send keeps its asset's lane. */
export const URGENT: ServiceUse = { leaves: 0 }

export function wireServiceClient(env: NodeJS.ProcessEnv, usage: ServiceUse = {}): ServiceClient {
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  const source = secretsManagerKeySource({ ...where, role: readKeyRole(env), signWith: wireKmsSigner(env) })
  return wireClient(env, source, usage)
}

/** Client for steps that only read: their bundle has no signing code. Throws Defect for a key that signs. */
export function wireReadingClient(env: NodeJS.ProcessEnv, usage: ServiceUse = {}): ServiceClient {
  if (readKeyRole(env) !== KeyRole.Read)
    throw new Defect('this function has a key that signs, and expects one that only reads')
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  return wireClient(env, secretsManagerReadKeySource(where), usage)
}

/** Seals of the journal's table, by the key with which the function reads the service. */
export function wireSeals(env: NodeJS.ProcessEnv): Seals {
  const client = secretsManagerClient()
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock, client }
  const keys = { present: secretsManagerReadKeySource(where), former: formerReadKeySource(where) }
  return createSeals({ ...keys, about: readJournalTable(env) })
}

function wireClient(
  env: NodeJS.ProcessEnv,
  source: KeySource,
  { leaves = LEFT_TO_SENDS, ...usage }: ServiceUse,
): ServiceClient {
  const key = { ...source, current: () => source.current().catch(keyFaultOf) }
  const budget = createReadBudget({ clock: systemClock, leaves })
  const options = { baseUrl: readServiceUrl(env), key, clock: systemClock, newId, budget, onPace: notePace, ...usage }
  const client = createServiceClient(options)
  watchClock(client.clock)
  warmUp(client.accountOfKey(), client.clock.measure())
  return client
}

/** Turns Refused into KeyFault: unusable key material is no answer to the request, and a person may replace it. */
function keyFaultOf(error: unknown): never {
  throw error instanceof Refused ? new KeyFault(error.message) : error
}

/** Opened where a decision is counted or signed: SettleRun does neither, and does not know the key. */
export function wireDecisionKey(env: NodeJS.ProcessEnv): DecisionKey {
  return kmsDecisionKey(() => ({ keyId: readDecisionKey(env), client: kmsClient() }))
}

/** Signs with KMS where treasury.json names a KMS key. One client is used, however often the secret is read. */
function wireKmsSigner(env: NodeJS.ProcessEnv): ((alg: KeyAlgorithm) => Signer) | undefined {
  const keyId = readKmsKey(env)
  if (keyId === undefined) return undefined
  const client = kmsClient()
  return (alg) => kmsSigner({ keyId, alg, client })
}
