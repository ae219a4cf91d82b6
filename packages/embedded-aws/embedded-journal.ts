// The embedded DynamoDB alone, and what is known of executions, over the state directory of an embedded AWS
// that does not run. It is for programs that look at their tables between runs. It starts and resumes nothing.
// The caller sees to it that one process at a time uses a directory.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { databaseFolder } from './database-folder.ts'
import type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
import { describe, type ExecutionDescription } from './states/execution-description.ts'
import { ExecutionFiles, readExecution } from './states/execution-files.ts'
import { DamagedLog } from './states/execution-log.ts'
import type { HistoryEvent } from './states/history.ts'

/** Its access is the administrator's. */
export interface EmbeddedJournal extends EndpointAccess {
  /** One that cannot be read is `UNREADABLE`, with its file. */
  findExecution(stateMachineName: string, name: string): KnownExecution | undefined
  stop(): Promise<void>
}

export type KnownExecution = Pick<ExecutionDescription, 'error' | 'cause'> & { readonly status: string }

export type KnownHistory = KnownExecution &
  Partial<Pick<ExecutionDescription, 'executionArn' | 'startDate' | 'stopDate'>> & {
    readonly events: readonly HistoryEvent[]
  }

/** Where an assembly without account and region runs. */
const PLACE = { account: '123456789012', region: 'us-east-1' }

export interface EmbeddedJournalOptions {
  /** The administrator's access key. Default: one that is made for this start. */
  readonly credentials?: Credentials
}

/** `undefined` where no embedded AWS has ever run. Throws Refusal where another process uses the directory. */
export async function startEmbeddedJournal(
  stateDir: string,
  { credentials }: EmbeddedJournalOptions = {},
): Promise<EmbeddedJournal | undefined> {
  const directory = databaseFolder(stateDir)
  if (!existsSync(directory)) return undefined
  // A database is loaded by whoever opens one. Most who look do so at a desk that has it open.
  const [{ DynamoDb }, { administratorsGateway }] = await Promise.all([
    import('./dynamodb/dynamodb.ts'),
    import('./endpoint/administrators-gateway.ts'),
  ])
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  const gateway = administratorsGateway(PLACE.region, credentials)
  const access = await gateway.listen(0)
  gateway.serve([dynamoDb.endpoint()])
  return {
    ...access,
    findExecution: (stateMachineName, name) => findKnownExecution(stateDir, stateMachineName, name),
    async stop() {
      await gateway.close()
      await dynamoDb.close()
    },
  }
}

/** From its file alone, for executions that no process goes on with now. One that cannot be read is `UNREADABLE`, with its file. */
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

/** The same with its events, oldest first. One that cannot be read has none. */
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
 * Executions of a state machine, latest started first, from their files alone: another process may be running them.
 * Each file is read when its execution is taken. `onDamaged` is told of a file that cannot be read.
 */
export function* keptExecutions(
  stateDir: string,
  stateMachineName: string,
  onDamaged: (message: string) => void,
): Generator<KeptExecution, void> {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  let told = 0
  for (const listed of files.latest(stateMachineName)) {
    const logged = listed.read()
    for (const message of files.damage().slice(told)) onDamaged(message)
    told = files.damage().length
    if (logged !== undefined) yield { ...describe(logged), events: logged.events }
  }
}

/** The same of one execution. @throws DamagedLog where its file cannot be read */
export function readKeptExecution(stateDir: string, stateMachineName: string, name: string): KeptExecution | undefined {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  const file = files.find(stateMachineName, name)
  if (file === undefined) return undefined
  const logged = readExecution(existsSync(file) ? file : files.pathOf(stateMachineName, name, 'finished'))
  return logged && { ...describe(logged), events: logged.events }
}

/** Names of executions that have not ended, read from their files alone: another process may be running them. */
export function unfinishedExecutions(stateDir: string): readonly string[] {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  return files.machineNames().flatMap((machine) => files.unfinishedNames(machine))
}
