// Serves the embedded DynamoDB, and KMS for keys that the caller names, and reads executions, in the state directory of an embedded AWS that is not
// running. For programs that read their tables between runs. It starts and resumes nothing. The caller ensures that
// only one process uses a directory.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { AwsError, awsErrorOf, codeIn } from './aws-error.ts'
import { databaseFolder } from './database-folder.ts'
import type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
import type { RequestBody } from './endpoint/endpoint.ts'
import { describe, type ExecutionDescription } from './states/execution-description.ts'
import { ExecutionFiles, readExecution } from './states/execution-files.ts'
import { DamagedLog } from './states/execution-log.ts'
import type { HistoryEvent } from './states/history.ts'

/** Its access is the administrator's. */
export interface EmbeddedJournal extends EndpointAccess {
  /** An unreadable execution has the status `UNREADABLE`, and names its file. */
  findExecution(stateMachineName: string, name: string): KnownExecution | undefined
  /**
   * Performs a request on the tables as the endpoint does, without HTTP.
   * @throws AwsError
   */
  perform(operation: string, body: object): Promise<unknown>
  stop(): Promise<void>
}

export type KnownExecution = Pick<ExecutionDescription, 'error' | 'cause'> & { readonly status: string }

export type KnownHistory = KnownExecution &
  Partial<Pick<ExecutionDescription, 'executionArn' | 'startDate' | 'stopDate'>> & {
    readonly events: readonly HistoryEvent[]
  }

/** The place of an assembly without account and region. */
const PLACE = { account: '123456789012', region: 'us-east-1' }

export interface EmbeddedJournalOptions {
  /** The administrator's access key. Default: a new one for this start. */
  readonly credentials?: Credentials
  /** Aliases of the signing keys of the assembly. Default: none. */
  readonly signingKeys?: readonly string[]
}

/**
 * Returns undefined when no embedded AWS has ever run there. Throws Refusal when another process uses the directory.
 */
export async function startEmbeddedJournal(
  stateDir: string,
  { credentials, signingKeys = [] }: EmbeddedJournalOptions = {},
): Promise<EmbeddedJournal | undefined> {
  const directory = databaseFolder(stateDir)
  if (!existsSync(directory)) return undefined
  // Loads the database only when it is needed. Most callers find a process that has it open.
  const [{ DynamoDb }, { administratorsGateway }, { keptKeys }, { kmsEndpoint }] = await Promise.all([
    import('./dynamodb/dynamodb.ts'),
    import('./endpoint/gateway.ts'),
    import('./kms/kms-key.ts'),
    import('./kms/kms-endpoint.ts'),
  ])
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  const gateway = administratorsGateway(PLACE.region, credentials)
  const access = await gateway.listen(0)
  const endpoint = dynamoDb.endpoint()
  gateway.serve([endpoint, kmsEndpoint(keptKeys(stateDir, signingKeys, PLACE))])
  return {
    ...access,
    // Copied as on the wire, so that neither side sees a later change of the other's objects.
    perform: async (operation, body) =>
      overWire(await endpoint.perform(operation, overWire(body) as RequestBody).catch(asOverWire)),
    findExecution: (stateMachineName, name) => findKnownExecution(stateDir, stateMachineName, name),
    async stop() {
      await gateway.close()
      await dynamoDb.close()
    },
  }
}

function overWire(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}

function asOverWire(error: unknown): never {
  const { message, name, status } = awsErrorOf(error)
  throw new AwsError(codeIn(name), message, status)
}

/**
 * Reads an execution from its file, for executions that no process continues now. An unreadable one is `UNREADABLE`,
 * and names its file.
 */
export function findKnownExecution(
  stateDir: string,
  stateMachineName: string,
  name: string,
): KnownExecution | undefined {
  const file = new ExecutionFiles(path.join(stateDir, 'executions')).find(stateMachineName, name)
  try {
    const logged = file === undefined ? undefined : readExecution(file)
    return logged && describe(logged)
  } catch (error) {
    if (error instanceof DamagedLog) return { status: 'UNREADABLE', error: error.message }
    throw error
  }
}

/** Returns the execution with its events, oldest first. An unreadable one has no events. */
export function findKnownHistory(stateDir: string, stateMachineName: string, name: string): KnownHistory | undefined {
  const file = new ExecutionFiles(path.join(stateDir, 'executions')).find(stateMachineName, name)
  try {
    const logged = file === undefined ? undefined : readExecution(file)
    return logged && { ...describe(logged), events: logged.events }
  } catch (error) {
    if (error instanceof DamagedLog) return { status: 'UNREADABLE', error: error.message, events: [] }
    throw error
  }
}

/** An execution with its whole history. */
export interface KeptExecution extends ExecutionDescription {
  readonly events: readonly HistoryEvent[]
}

/**
 * Yields the executions of a state machine, latest start first, from their files; another process may be running them.
 * Reads each file only when its execution is taken. `onDamaged` gets the message of each unreadable file.
 */
export function* keptExecutions(
  stateDir: string,
  stateMachineName: string,
  onDamaged: (message: string) => void,
): Generator<KeptExecution, void> {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  let reported = 0
  for (const listed of files.latest(stateMachineName)) {
    const logged = listed.read()
    for (const message of files.damage().slice(reported)) onDamaged(message)
    reported = files.damage().length
    if (logged !== undefined) yield { ...describe(logged), events: logged.events }
  }
}

/**
 * Reads one execution.
 * @throws DamagedLog when its file cannot be read
 */
export function readKeptExecution(stateDir: string, stateMachineName: string, name: string): KeptExecution | undefined {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  const file = files.find(stateMachineName, name)
  if (file === undefined) return undefined
  const logged = readExecution(existsSync(file) ? file : files.pathOf(stateMachineName, name, 'finished'))
  return logged && { ...describe(logged), events: logged.events }
}

/** Whether an execution was ever started there. */
export function hasExecutions(stateDir: string): boolean {
  return new ExecutionFiles(path.join(stateDir, 'executions')).hasAny()
}

/** Returns the names of executions that have not ended, from their files; another process may be running them. */
export function unfinishedExecutions(stateDir: string): readonly string[] {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  return files.machineNames().flatMap((machine) => files.unfinishedNames(machine))
}
