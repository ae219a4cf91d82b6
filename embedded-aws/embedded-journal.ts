// The embedded DynamoDB alone, and what is known of executions, over the state directory of an embedded AWS
// that does not run. It is for programs that look at their tables between runs. It starts and resumes nothing.
// The caller sees to it that one process at a time uses a directory.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { databaseFolder } from './database-folder.ts'
import { DynamoDb } from './dynamodb/dynamodb.ts'
import { Callers } from './endpoint/callers.ts'
import { Gateway } from './endpoint/gateway.ts'
import { describe, type ExecutionDescription } from './states/execution-description.ts'
import { ExecutionFiles } from './states/execution-files.ts'
import { DamagedLog, readLog } from './states/execution-log.ts'

export interface EmbeddedJournal {
  /** For SDK clients; any credentials do. */
  readonly endpointUrl: string
  /** One that cannot be read is `UNREADABLE`, with its file. */
  findExecution(stateMachineName: string, name: string): KnownExecution | undefined
  stop(): Promise<void>
}

export type KnownExecution = Pick<ExecutionDescription, 'error' | 'cause'> & { readonly status: string }

/** Where an assembly without account and region runs. */
const PLACE = { account: '123456789012', region: 'us-east-1' }

/** `undefined` where no embedded AWS has ever run. Throws Refusal where another process uses the directory. */
export async function startEmbeddedJournal(stateDir: string): Promise<EmbeddedJournal | undefined> {
  const directory = databaseFolder(stateDir)
  if (!existsSync(directory)) return undefined
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  const gateway = new Gateway({ callers: new Callers(), policies: new Map(), hook: undefined, newId: randomUUID })
  const endpointUrl = await gateway.listen(0)
  gateway.serve([dynamoDb.endpoint()])
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  return {
    endpointUrl,
    findExecution(stateMachineName, name) {
      const file = files.find(stateMachineName, name)
      try {
        const logged = file === undefined ? undefined : readLog(file)
        return logged && describe(logged)
      } catch (error) {
        if (error instanceof DamagedLog) return { status: 'UNREADABLE', error: error.message }
        throw error
      }
    },
    async stop() {
      await gateway.close()
      await dynamoDb.close()
    },
  }
}

/** Names of executions that have not ended, read from their files alone: another process may be running them. */
export function unfinishedExecutions(stateDir: string): readonly string[] {
  const files = new ExecutionFiles(path.join(stateDir, 'executions'))
  return files.machineNames().flatMap((machine) => files.unfinishedNames(machine))
}
