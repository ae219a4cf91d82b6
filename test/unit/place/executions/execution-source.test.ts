// Thousands of executions are read with as few calls as AWS needs, and no faster than it allows.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { awsSource } from '../../../../place/executions/aws-source.ts'

const MACHINE = `arn:aws:states:us-east-1:123456789012:stateMachine:${StateMachine.Convert}`
const ANSWERS: Readonly<Record<string, object>> = {
  ListStateMachines: { stateMachines: [{ name: StateMachine.Convert, stateMachineArn: MACHINE, type: 'STANDARD' }] },
  DescribeExecution: { status: 'SUCCEEDED', input: '{"amount":"1"}', startDate: 1 },
  GetExecutionHistory: { events: [] },
}

let server: Server
afterEach(() => server.close())

/** `refused`: how many calls of an action are throttled first. `pages`: of each history. */
async function stepFunctions({ refused = 0, pages = 1 } = {}) {
  const calls = new Map<string, number>()
  server = createServer((request, response) => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const nth = (calls.get(action) ?? 0) + 1
    calls.set(action, nth)
    const isRefused = action === 'DescribeExecution' && nth <= refused
    const goesOn = action === 'GetExecutionHistory' && nth % pages !== 0 && { nextToken: 'more' }
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.statusCode = isRefused ? 400 : 200
    const answer = isRefused ? { __type: 'ThrottlingException', message: 'Rate exceeded' } : ANSWERS[action]
    response.end(JSON.stringify({ ...answer, ...goesOn }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpointUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  return { calls, source: awsSource({ endpointUrl, region: 'us-east-1', credentials }) }
}

test('an execution costs one description and one history, and the state machines are listed once', async () => {
  const { calls, source } = await stepFunctions()
  for (const name of ['one', 'two', 'three', 'four']) {
    expect(await source.read(StateMachine.Convert, name)).toMatchObject({ name, input: { amount: '1' } })
  }
  source.destroy()
  expect(Object.fromEntries(calls)).toEqual({ ListStateMachines: 1, DescribeExecution: 4, GetExecutionHistory: 4 })
})

test('a throttled request is repeated until AWS answers', async () => {
  const { source } = await stepFunctions({ refused: 2 })
  expect(await source.read(StateMachine.Convert, 'one')).toMatchObject({ status: 'SUCCEEDED' })
  source.destroy()
})

test('an endless history is no evidence, and is reported with a message', async () => {
  const { source } = await stepFunctions({ pages: 1_000 })
  expect(await source.read(StateMachine.Convert, 'one')).toBe('the history of one has more pages than are read')
  source.destroy()
})
