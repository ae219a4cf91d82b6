// Tests which state survives a killed process (kill -9), and which error a second process gets.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNSYNCED } from '../../disk.ts'
import { openStore } from '../../dynamodb/dynalite-store.ts'
import { type EmbeddedAws, type EmbeddedAwsOptions, startEmbeddedAws } from '../../embedded-aws.ts'
import {
  legsOf,
  ON_TABLE,
  SECRET,
  startAndWaitStatements,
  TABLE,
  task,
  temporaryDirectory,
  writeAssembly,
} from './fixture/assembly.ts'
import { skippingClock } from './fixture/booted.ts'

const temporary = temporaryDirectory()
const assemblyDir = path.join(temporary.directory, 'cdk.out')
const stateDir = (name: string) => path.join(temporary.directory, name)

beforeAll(async () => {
  await writeAssembly(assemblyDir, {
    functions: { put: ON_TABLE, get: ON_TABLE, fail: {}, hang: {} },
    resources: { Table: TABLE, Secret: SECRET },
    machineStatements: startAndWaitStatements('PutThenGet'),
    machines: {
      Legs: legsOf('PutThenGet'),
      PutThenGet: {
        StartAt: 'Put',
        States: {
          Put: task('put', { ResultPath: '$.put', Next: 'Get' }),
          Get: task('get', { End: true }),
        },
      },
      Waiting: {
        StartAt: 'Wait',
        States: { Wait: { Type: 'Wait', Seconds: 3600, Next: 'Done' }, Done: { Type: 'Succeed' } },
      },
      Hanging: { StartAt: 'Hang', States: { Hang: task('hang', { TimeoutSeconds: 3600, End: true }) } },
      Retrying: {
        StartAt: 'Fail',
        States: { Fail: task('fail', { Retry: [{ ErrorEquals: ['Transient'], MaxAttempts: 3 }], End: true }) },
      },
    },
  })
})
afterAll(() => temporary.remove())

/** Runs killed.ts until it has killed itself. */
async function killedAt(
  directory: string,
  machine: string,
  event: string,
  count = 1,
  input: object = { id: 'a' },
): Promise<void> {
  const script = path.join(import.meta.dirname, 'fixture', 'killed.ts')
  const child = spawn(
    process.execPath,
    [script, assemblyDir, directory, machine, 'run-1', JSON.stringify(input), event, String(count)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

async function withAws<T>(
  directory: string,
  work: (aws: EmbeddedAws) => Promise<T>,
  options: Partial<EmbeddedAwsOptions> = {},
): Promise<T> {
  const aws = await startEmbeddedAws({ assemblyDir, stateDir: directory, ...options })
  try {
    return await work(aws)
  } finally {
    await aws.stop()
  }
}

const typesOf = (aws: EmbeddedAws, arn: string) => aws.history(arn).map((event) => event.type)

describe('an execution whose process was killed', () => {
  /** The process is killed once, just before Put is called. Each test gets a copy. */
  async function killedBeforePut(name: string): Promise<string> {
    const killed = stateDir('before-put')
    if (!existsSync(killed)) await killedAt(killed, 'PutThenGet', 'LambdaFunctionScheduled')
    const directory = stateDir(name)
    cpSync(killed, directory, { recursive: true })
    return directory
  }

  test('continues at its current state, and its functions find the earlier writes', async () => {
    const directory = stateDir('put')
    // The first LambdaFunctionSucceeded belongs to Put: its item is in the table, and Get has not been entered.
    await killedAt(directory, 'PutThenGet', 'LambdaFunctionScheduled', 2)
    await withAws(directory, async (aws) => {
      const [execution] = aws.listExecutions('PutThenGet')
      const run = await aws.untilFinished(execution?.executionArn ?? '')
      expect(run).toMatchObject({ status: 'SUCCEEDED', output: '{"value":"written"}' })
      expect(typesOf(aws, run.executionArn)).toEqual([
        'ExecutionStarted',
        'TaskStateEntered',
        'LambdaFunctionScheduled',
        'LambdaFunctionStarted',
        'LambdaFunctionSucceeded',
        'TaskStateExited',
        'TaskStateEntered',
        'LambdaFunctionScheduled',
        'LambdaFunctionStarted',
        'LambdaFunctionScheduled',
        'LambdaFunctionStarted',
        'LambdaFunctionSucceeded',
        'TaskStateExited',
        'ExecutionSucceeded',
      ])
      const ids = aws.history(run.executionArn).map((event) => event.id)
      expect(ids).toEqual(ids.map((_, index) => index + 1))
    })
  })

  test('keeps its name: starting it again returns the same execution', async () => {
    const directory = await killedBeforePut('again')
    await withAws(directory, async (aws) => {
      const request = { stateMachine: 'PutThenGet', name: 'run-1', input: '{"id":"a"}' }
      const again = await aws.startExecution(request)
      expect(again.existed).toBe(true)
      await aws.untilFinished(again.executionArn)
      await expect(aws.startExecution(request)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' })
      expect(aws.listExecutions('PutThenGet')).toHaveLength(1)
    })
  })

  // killed-anywhere.test.ts stops a Map after each of its events.
  test('with a Map continues with its own children', async () => {
    const directory = stateDir('legs')
    await killedAt(directory, 'Legs', 'LambdaFunctionScheduled', 3, { legs: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })
    await withAws(directory, async (aws) => {
      const run = await aws.untilFinished(aws.listExecutions('Legs')[0]?.executionArn ?? '')
      expect(run.status).toBe('SUCCEEDED')
      const output = { value: 'written' }
      expect(JSON.parse(run.output ?? '')).toEqual([{ output }, { output }, { output }])
      const children = aws.listExecutions('PutThenGet').map(({ name, status }) => `${name} ${status}`)
      expect(children.toSorted()).toEqual(['a SUCCEEDED', 'b SUCCEEDED', 'c SUCCEEDED'])
    })
  })

  test('drops an incomplete last line', async () => {
    const directory = await killedBeforePut('torn')
    const [log = ''] = globSync(path.join(directory, 'executions/PutThenGet/unfinished/*.jsonl'))
    appendFileSync(log, '{"event":{"id":5,"type":"LambdaFunc')
    await withAws(directory, async (aws) => {
      const arn = aws.listExecutions('PutThenGet')[0]?.executionArn ?? ''
      await expect(aws.untilFinished(arn)).resolves.toMatchObject({ status: 'SUCCEEDED' })
      expect(aws.history(arn).every((event, index) => event.id === index + 1)).toBe(true)
    })
  })

  test('does not exist if its start was written only in part', async () => {
    const directory = await killedBeforePut('start')
    const [log = ''] = globSync(path.join(directory, 'executions/PutThenGet/unfinished/*.jsonl'))
    writeFileSync(log, readFileSync(log, 'utf8').slice(0, 200))
    await withAws(directory, async (aws) => {
      expect(aws.findExecution('PutThenGet', 'run-1')).toBeUndefined()
      const fresh = await aws.startExecution({ stateMachine: 'PutThenGet', name: 'run-1', input: '{"id":"b"}' })
      expect(fresh.existed).toBe(false)
      await expect(aws.untilFinished(fresh.executionArn)).resolves.toMatchObject({ status: 'SUCCEEDED' })
    })
  })

  test('waits only for the rest of its wait', async () => {
    const directory = stateDir('wait')
    await killedAt(directory, 'Waiting', 'WaitStateEntered')
    const [log = ''] = globSync(path.join(directory, 'executions/Waiting/unfinished/*.jsonl'))
    const enteredMs = JSON.parse(readFileSync(log, 'utf8').split('\n')[2] ?? '').event.timestamp as number
    const clock = skippingClock(enteredMs + 3_000_000)
    await withAws(
      directory,
      async (aws) => {
        await aws.untilFinished(aws.listExecutions('Waiting')[0]?.executionArn ?? '')
        expect(clock.slept).toEqual([600_000])
      },
      { clock },
    )
  })

  test('continues the count of its retries', async () => {
    const directory = stateDir('retry')
    await killedAt(directory, 'Retrying', 'LambdaFunctionFailed', 2)
    await withAws(
      directory,
      async (aws) => {
        const arn = aws.listExecutions('Retrying')[0]?.executionArn ?? ''
        await expect(aws.untilFinished(arn)).resolves.toMatchObject({ status: 'FAILED', error: 'Transient' })
        // Four attempts are the first call and three retries. The kill came before the second retry was recorded, so
        // the second attempt is repeated.
        expect(typesOf(aws, arn).filter((type) => type === 'LambdaFunctionFailed')).toHaveLength(5)
      },
      { clock: skippingClock(Date.now()) },
    )
  })
})

test('a stopped embedded AWS keeps no process alive', async () => {
  const script = path.join(import.meta.dirname, 'fixture', 'stopped.ts')
  const child = spawn(process.execPath, [script, assemblyDir, stateDir('ended')], { stdio: 'inherit' })
  await expect(once(child, 'exit')).resolves.toEqual([0, null])
})

describe('the state directory', () => {
  test('is refused to a second process while the first process runs', async () => {
    const directory = stateDir('locked')
    await withAws(directory, async () => {
      await expect(startEmbeddedAws({ assemblyDir, stateDir: directory })).rejects.toMatchObject({
        name: 'Refusal',
        message: expect.stringContaining(`${path.join(directory, 'dynamodb')}: is in use by another process`),
      })
    })
  })

  test('is refused when its tables are gone but its executions remain', async () => {
    const directory = stateDir('lost')
    await withAws(directory, async (aws) => {
      const { executionArn } = await aws.startExecution({
        stateMachine: 'PutThenGet',
        name: 'run-1',
        input: '{"id":"a"}',
      })
      await aws.untilFinished(executionArn)
    })
    rmSync(path.join(directory, 'dynamodb'), { recursive: true })
    for (const _time of ['first', 'second']) {
      await expect(startEmbeddedAws({ assemblyDir, stateDir: directory })).rejects.toMatchObject({
        name: 'Refusal',
        message: `${directory}: has executions, but its tables are gone`,
      })
    }
  })

  test('completes a table whose creation was interrupted by a kill', async () => {
    const directory = stateDir('table')
    const place = { account: '123456789012', region: 'us-east-1' }
    const interrupted = await openStore(directory, place, UNSYNCED, 60_000)
    await interrupted.perform('CreateTable', { ...TABLE.Properties, TableName: 'half' })
    await interrupted.close()

    const store = await openStore(directory, place)
    await expect(store.perform('Scan', { TableName: 'half' })).rejects.toMatchObject({ name: 'DynaliteRefusal' })
    await store.finishCreation('half')
    await expect(store.perform('Scan', { TableName: 'half' })).resolves.toMatchObject({ Count: 0 })
    await store.close()
  })

  test('makes secrets and executions readable by their owner only', async () => {
    const directory = stateDir('modes')
    await withAws(
      directory,
      async (aws) => {
        const { executionArn } = await aws.startExecution({ stateMachine: 'Waiting', name: 'run-1', input: '{}' })
        expect(aws.describeExecution(executionArn).status).toBe('RUNNING')
      },
      { secrets: { 'team/key': 'text' } },
    )
    const files = [path.join(directory, 'secrets.json'), ...globSync(path.join(directory, 'executions/**/*.jsonl'))]
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test('keeps an execution that was running at the stop, and continues it', async () => {
    const directory = stateDir('stopped')
    const arn = await withAws(directory, async (aws) => {
      const { executionArn } = await aws.startExecution({ stateMachine: 'Waiting', name: 'run-1', input: '{}' })
      return executionArn
    })
    const clock = skippingClock(Date.now())
    await withAws(directory, (aws) => expect(aws.untilFinished(arn)).resolves.toMatchObject({ status: 'SUCCEEDED' }), {
      clock,
    })
  })
})
