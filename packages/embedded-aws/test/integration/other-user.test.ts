// Another user of the same machine: every action that the gateway has is refused, also by a name that leads here.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { AS_NEIGHBOUR, mayStartNeighbour, NOBODY } from '../../../../test/helpers/neighbour.ts'
import type { EndpointCall } from '../../embedded-aws.ts'
import { oneTask, SECRET, TABLE } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { ask } from './fixture/signed.ts'

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  AWSEvents: ['PutEvents'],
  AWSStepFunctions: [
    ...['StartExecution', 'StopExecution', 'RedriveExecution', 'DescribeExecution', 'ListExecutions'],
    ...['GetExecutionHistory', 'ListStateMachines', 'DescribeStateMachine'],
  ],
  AmazonSQS: ['SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueUrl', 'GetQueueAttributes'],
  DynamoDB_20120810: [
    ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'Scan', 'DescribeTable', 'ListTables'],
    ...['BatchGetItem', 'BatchWriteItem', 'DescribeTimeToLive'],
    ...['GetResourcePolicy', 'PutResourcePolicy', 'DeleteResourcePolicy'],
  ],
  TrentService: ['Sign', 'GetPublicKey', 'DescribeKey'],
  secretsmanager: [
    ...['GetSecretValue', 'DescribeSecret', 'ListSecretVersionIds', 'PutSecretValue', 'UpdateSecretVersionStage'],
  ],
}
const TARGETS = Object.entries(ACTIONS).flatMap(([service, names]) => names.map((name) => `${service}.${name}`))
const REFUSALS = [
  ...['MissingAuthenticationTokenException', 'IncompleteSignatureException', 'InvalidSignatureException'],
  ...['UnrecognizedClientException', 'AccessDeniedException'],
]
interface Said {
  readonly uid: number
  readonly answers: readonly { readonly target: string; readonly status: number; readonly name: string }[]
}

async function booted() {
  const calls: EndpointCall[] = []
  const aws = await boot(
    { functions: { echo: {} }, machines: { Echo: oneTask('echo') }, resources: { Table: TABLE, Secret: SECRET } },
    { onEndpointCall: (call) => void calls.push(call) },
  )
  return { aws, calls }
}

/** The program itself, which another user need not be allowed to read. */
const PROGRAM = readFileSync(path.join(import.meta.dirname, 'fixture', 'stranger.mjs'), 'utf8')

async function said(question: object, uid?: number): Promise<Said> {
  const args = ['--input-type=module', '--eval', PROGRAM]
  const user = uid === undefined ? {} : { uid, gid: uid }
  // Nothing of our own environment, and no folder that it may not enter.
  const child = spawn(process.execPath, args, { ...user, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(question))
  return JSON.parse(await text(child.stdout)) as Said
}

async function expectRefused(uid?: number): Promise<void> {
  const { aws, calls } = await booted()
  const { accessKeyId } = aws.credentials
  const { answers, uid: own } = await said({ endpointUrl: aws.endpointUrl, accessKeyId, targets: TARGETS }, uid)
  if (uid !== undefined) expect(own).toBe(uid)
  expect(answers.length).toBe(TARGETS.length * 6)
  expect(answers.filter(({ name, status }) => !REFUSALS.includes(name) || ![400, 403].includes(status))).toEqual([])
  expect(calls).toEqual([])
}

test.runIf(mayStartNeighbour)(`every action is refused to another user${AS_NEIGHBOUR}`, () => expectRefused(NOBODY))

test('every action is refused to another program of the same user', () => expectRefused())

test('each of these actions is there for whoever may ask', async () => {
  const { aws } = await booted()
  for (const target of TARGETS) {
    const { body } = await ask(aws, target, { TableName: 'records', SecretId: 'team/key', KeyId: 'alias/x' })
    expect([target, body]).not.toMatchObject([target, { __type: 'UnknownOperationException' }])
  }
})
