// Builds what handlers hand to their decisions, from the environment. The only room where the
// AWS clients, the service client and the machine's own clock and randomness come together.
import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { systemClock } from '../../core/clock.ts'
import { recordKey } from '../../core/contract/records.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { Defect, KeyFault, Refused } from '../../core/errors.ts'
import type { GuardSettings } from '../../core/guards/frozen-guards.ts'
import { createMovementGuard, type MovementGuard } from '../../core/guards/movement-guard.ts'
import { createPolicyTerms } from '../../core/guards/policy-terms.ts'
import { createBudgets } from '../../core/journal/budgets.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createFloors } from '../../core/journal/floors.ts'
import { createHalts, type Halts } from '../../core/journal/halts.ts'
import { createIntentIndex, type IntentIndex } from '../../core/journal/intent-index.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import { createLanes, type Lanes } from '../../core/journal/lanes.ts'
import { createPinnedAccount, type PinnedAccount } from '../../core/journal/pinned-account.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { createWatermarks, type Watermarks } from '../../core/journal/watermarks.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { kmsClient, kmsSigner } from '../../core/keys/kms-signer.ts'
import { secretsManagerKeySource, secretsManagerReadKeySource } from '../../core/keys/secrets-manager-key-source.ts'
import type { KeyAlgorithm, Signer } from '../../core/keys/signer.ts'
import type { ReadPatience } from '../../core/service/endure.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import {
  readJournalTable,
  readKeyRole,
  readKeySecret,
  readKmsKey,
  readServiceUrl,
  readStage,
  readTreasuryFile,
} from './environment.ts'

/** An id nobody can guess: for nonces, owners and stamps. */
export const newId = randomUUID

/** An answer takes milliseconds; a function must not spend its life on one that does not come. */
const JOURNAL_TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true }
const JOURNAL_ATTEMPTS = 3

/** What the journal's table holds, by what it is for. */
export interface Records {
  readonly journal: Journal
  readonly lanes: Lanes
  readonly guard: MovementGuard
  readonly halts: Halts
}

export function wireJournal(env: NodeJS.ProcessEnv): Journal {
  return createJournal(wireStore(env), newId)
}

/** What a step that opens intents needs of the journal's table and of treasury.json. */
export function wireOpening(env: NodeJS.ProcessEnv): {
  readonly journal: Journal
  readonly account: PinnedAccount
  readonly guards: GuardSettings
} {
  const store = wireStore(env)
  const { guards: everywhere, policies } = readTreasuryFile(env)
  return {
    journal: createJournal(store, newId),
    account: createPinnedAccount(store, newId),
    guards: { everywhere, policies: createPolicyTerms(policies, store) },
  }
}

/** What a step that sends goes by right before ARM. */
export function wireRecords(env: NodeJS.ProcessEnv): Records {
  const store = wireStore(env)
  const journal = createJournal(store, newId)
  return {
    journal,
    lanes: createLanes(store, journal, newId),
    guard: createMovementGuard(
      readTreasuryFile(env).guards,
      createBudgets(store, journal, newId),
      createFloors(store, journal, newId),
    ),
    halts: createHalts(store, newId),
  }
}

/** What the last word on a run is written into. */
export function wireConcluding(env: NodeJS.ProcessEnv): Pick<Records, 'journal' | 'lanes'> {
  const store = wireStore(env)
  const journal = createJournal(store, newId)
  return { journal, lanes: createLanes(store, journal, newId) }
}

/** What an audit reads, and its watermark. */
export function wireAuditRecords(env: NodeJS.ProcessEnv): {
  readonly journal: Journal
  readonly index: IntentIndex
  readonly watermarks: Watermarks
} {
  const client = journalClient()
  const store = wireStore(env, client)
  return {
    journal: createJournal(store, newId),
    index: createIntentIndex(client, readJournalTable(env)),
    watermarks: createWatermarks(store, newId),
  }
}

export function journalClient(): DynamoDBClient {
  return new DynamoDBClient({ maxAttempts: JOURNAL_ATTEMPTS, requestHandler: JOURNAL_TIMEOUTS })
}

export function wireStore(env: NodeJS.ProcessEnv, client = journalClient()): RecordStore {
  const store = createDynamoStore(client, readJournalTable(env))
  // Resolves credentials and opens the connection while the function initialises.
  warmUp(store.read(recordKey.intent('warm-up')))
  return store
}

/** `patience`: of its reads; the client's own unless given. */
export function wireServiceClient(env: NodeJS.ProcessEnv, patience: Partial<ReadPatience> = {}): ServiceClient {
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  const source = secretsManagerKeySource({ ...where, role: readKeyRole(env), signWith: wireKmsSigner(env) })
  return wireClient(env, source, patience)
}

/** For steps that only ever read: their bundle is without what signs. */
export function wireReadingClient(env: NodeJS.ProcessEnv, patience: Partial<ReadPatience> = {}): ServiceClient {
  if (readKeyRole(env) !== KeyRole.Read) throw new Defect('this function has a key that signs, and has no use for one')
  const where = { secretId: readKeySecret(env), stage: readStage(env), clock: systemClock }
  return wireClient(env, secretsManagerReadKeySource(where), patience)
}

function wireClient(env: NodeJS.ProcessEnv, source: KeySource, patience: Partial<ReadPatience>): ServiceClient {
  const key = { ...source, current: () => source.current().catch(keyFaultOf) }
  const client = createServiceClient({ baseUrl: readServiceUrl(env), key, clock: systemClock, newId, patience })
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

/** The first real call meets the same fault, if it lasts, and is the one to tell. */
function warmUp(...calls: readonly Promise<unknown>[]): void {
  for (const call of calls) call.catch(() => undefined)
}
