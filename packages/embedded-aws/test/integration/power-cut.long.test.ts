// A power cut loses nothing that the embedded AWS has acknowledged.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type LosingDisk,
  losingDisk,
  STRONGEST_WITNESS,
  WITNESSES,
} from '../../../../test/helpers/power-cut/losing-disk.ts'
import { openStore } from '../../dynamodb/dynalite-store.ts'
import { type EmbeddedAws, startEmbeddedAws } from '../../embedded-aws.ts'
import {
  ACCOUNT,
  ON_TABLE,
  oneTask,
  REGION,
  SECRET,
  TABLE,
  TRUSTS_SERVICES,
  task,
  temporaryDirectory,
  writeAssembly,
} from './fixture/assembly.ts'

/**
 * Items of 50 KB. 100 items exceed 4 MB, so LevelDB starts a second log. Few, because the disk copies a log at each
 * sync.
 */
const ITEMS = 100

const temporary = temporaryDirectory()
const assemblyDir = path.join(temporary.directory, 'cdk.out')

beforeAll(() => {
  const starts = {
    Effect: 'Allow',
    Action: 'states:StartExecution',
    Resource: `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:Echo`,
  }
  return writeAssembly(assemblyDir, {
    functions: { put: ON_TABLE, get: ON_TABLE, echo: {} },
    machines: {
      Echo: oneTask('echo'),
      PutThenGet: {
        StartAt: 'Put',
        States: { Put: task('put', { ResultPath: '$.put', Next: 'Get' }), Get: task('get', { End: true }) },
      },
      Waiting: {
        StartAt: 'Wait',
        States: { Wait: { Type: 'Wait', Seconds: 3600, Next: 'Done' }, Done: { Type: 'Succeed' } },
      },
    },
    resources: {
      Table: TABLE,
      Secret: SECRET,
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
      Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'sluice' } },
      RuleRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: 'rule',
          AssumeRolePolicyDocument: TRUSTS_SERVICES,
          Policies: [{ PolicyName: 'own', PolicyDocument: { Version: '2012-10-17', Statement: [starts] } }],
        },
      },
      Rule: {
        Type: 'AWS::Events::Rule',
        Properties: {
          Name: 'rule',
          EventBusName: { Ref: 'Bus' },
          EventPattern: { source: ['treasury'] },
          Targets: [{ Id: 'T', Arn: { Ref: 'MachineEcho' }, RoleArn: { 'Fn::GetAtt': ['RuleRole', 'Arn'] } }],
        },
      },
    },
  })
})
afterAll(() => temporary.remove())

/** Runs a fixture program over the disk until it prints a line or kills itself. The program is dead on return. */
async function untilDead({ variables }: LosingDisk, script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'fixture', script), ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.stdout.once('data', () => child.kill('SIGKILL'))
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
}

async function withAws(stateDir: string, work: (aws: EmbeddedAws) => Promise<void>): Promise<void> {
  const aws = await startEmbeddedAws({ assemblyDir, stateDir })
  try {
    await work(aws)
  } finally {
    await aws.stop()
  }
}

async function secretOf(aws: EmbeddedAws): Promise<string | undefined> {
  const { credentials, region } = aws
  const client = new SecretsManagerClient({ endpoint: aws.endpointUrl, region, credentials })
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: 'team/key' }))).SecretString
  } finally {
    client.destroy()
  }
}

describe('after a power cut', () => {
  test('executions, secrets, events and messages that were acknowledged are there', async () => {
    const disk = losingDisk(STRONGEST_WITNESS)
    await untilDead(disk, 'acknowledged.ts', [assemblyDir, path.join(disk.rootDir, 'state')])
    for (const names of ['synced', 'latest'] as const) {
      await withAws(path.join(disk.afterPowerCut(names), 'state'), async (aws) => {
        expect(aws.findExecution('PutThenGet', 'ended')).toMatchObject({
          status: 'SUCCEEDED',
          output: '{"value":"written"}',
        })
        expect(aws.findExecution('Waiting', 'waiting')?.status).toBe('RUNNING')
        expect(await secretOf(aws)).toBe('put')
        expect(aws.queueMessages('dead').map(({ body }) => body)).toEqual(['sent'])
        await aws.untilDelivered()
        expect(aws.listExecutions('Echo')).toHaveLength(1)
      })
    }
  })

  test('an execution has recorded the Task whose function has written', async () => {
    const disk = losingDisk(STRONGEST_WITNESS)
    const stateDir = path.join(disk.rootDir, 'state')
    // The process kills itself at the first LambdaFunctionSucceeded, which is Put's: the item was acknowledged before
    // it.
    const args = [assemblyDir, stateDir, 'PutThenGet', 'run-1', '{"id":"a"}', 'LambdaFunctionSucceeded', '1']
    await untilDead(disk, 'killed.ts', args)
    for (const names of ['synced', 'latest'] as const) {
      await withAws(path.join(disk.afterPowerCut(names), 'state'), async (aws) => {
        const [execution] = aws.listExecutions('PutThenGet')
        const { executionArn, output } = await aws.untilFinished(execution?.executionArn ?? '')
        expect(output).toBe('{"value":"written"}')
        const types = aws.history(executionArn).map(({ type }) => type)
        // Put was scheduled before the cut, and again after it.
        expect(types.slice(0, 4)).toEqual([
          'ExecutionStarted',
          'TaskStateEntered',
          'LambdaFunctionScheduled',
          'LambdaFunctionStarted',
        ])
        expect(types.filter((type) => type === 'LambdaFunctionScheduled')).toHaveLength(3)
      })
    }
  })

  describe.each(WITNESSES)('with $witness as the record of what was synced', ({ witness, isAbsent }) => {
    test.skipIf(isAbsent)('every item of a journal of several logs is there', async () => {
      const disk = losingDisk(witness)
      await untilDead(disk, 'many-writes.ts', [path.join(disk.rootDir, 'dynamodb'), String(ITEMS)])
      for (const names of ['synced', 'latest'] as const) {
        const directory = path.join(disk.afterPowerCut(names), 'dynamodb')
        const store = await openStore(directory, { account: ACCOUNT, region: REGION })
        let found = 0
        for (let from = 0; from < ITEMS; from += 100) {
          const Keys = Array.from({ length: 100 }, (_, index) => ({ pk: { S: String(from + index) } }))
          const RequestItems = { records: { Keys, ProjectionExpression: 'pk' } }
          const answer = (await store.perform('BatchGetItem', { RequestItems })) as {
            Responses: { records: unknown[] }
          }
          found += answer.Responses.records.length
        }
        expect(found).toBe(ITEMS)
        await store.close()
      }
    })
  })
})
