// Another user of the same machine: every action is refused, also under a host name that resolves to this machine.
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
interface Report {
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

/** The source of the program. The other user may have no permission to read the file itself. */
const PROGRAM = readFileSync(path.join(import.meta.dirname, 'fixture', 'stranger.mjs'), 'utf8')

async function reportOf(question: object, uid?: number): Promise<Report> {
  const args = ['--input-type=module', '--eval', PROGRAM]
  const user = uid === undefined ? {} : { uid, gid: uid }
  // The program gets no variable of our environment, and a folder that every user may enter.
  const child = spawn(process.execPath, args, { ...user, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(question))
  return JSON.parse(await text(child.stdout)) as Report
}

async function expectRefused(uid?: number): Promise<void> {
  const { aws, calls } = await booted()
  const { accessKeyId } = aws.credentials
  const { answers, uid: own } = await reportOf({ endpointUrl: aws.endpointUrl, accessKeyId, targets: TARGETS }, uid)
  if (uid !== undefined) expect(own).toBe(uid)
  expect(answers.length).toBe(TARGETS.length * 6)
  expect(answers.filter(({ name, status }) => !REFUSALS.includes(name) || ![400, 403].includes(status))).toEqual([])
  expect(calls).toEqual([])
}

test.runIf(mayStartNeighbour)(`every action is refused to another user${AS_NEIGHBOUR}`, () => expectRefused(NOBODY))

test('every action is refused to another program of the same user', () => expectRefused())

test('each of these actions exists for an authorised caller', async () => {
  const { aws } = await booted()
  for (const target of TARGETS) {
    const { body } = await ask(aws, target, { TableName: 'records', SecretId: 'team/key', KeyId: 'alias/x' })
    expect([target, body]).not.toMatchObject([target, { __type: 'UnknownOperationException' }])
  }
})
