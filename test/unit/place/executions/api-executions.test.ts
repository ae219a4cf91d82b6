// Executions are read in the same way from AWS by the SDK and from a desk without it, over a real socket. It takes as few
// requests as AWS needs, and is no faster than AWS allows.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { givenNames } from '../../../../core/contract/deployed-names.ts'
import { StateMachine } from '../../../../core/contract/states.ts'
import { type ApiExecutions, openApiExecutions } from '../../../../place/executions/api-executions.ts'
import { settingsOfAws } from '../../../helpers/aws-settings.ts'

afterEach(() => vi.unstubAllEnvs())

const PLACES = ['AWS', 'a desk'] as const
type Place = (typeof PLACES)[number]

interface Asked {
  readonly action: string
  readonly signedFor: string | undefined
  readonly body: { readonly statusFilter?: string; readonly maxResults?: number; readonly nextToken?: string }
}
type Answer = (asked: Asked, nth: number) => object

/** An answer with `__type` is a refusal. `nth`: of the action, from 1. */
async function executionsOf(place: Place, answer: Answer): Promise<{ asked: Asked[]; executions: ApiExecutions }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const [, signedFor] = /\/us-east-1\/([a-z]+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? []
    const one = { action, signedFor, body: JSON.parse(await text(request)) }
    asked.push(one)
    const given = answer(one, asked.filter((each) => each.action === action).length)
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.statusCode = '__type' in given ? 400 : 200
    response.end(JSON.stringify(given))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const endpointUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  settingsOfAws(endpointUrl, { region: 'us-east-1', credentials })
  const deployment = { environment: undefined, given: givenNames(undefined) }
  const executions = openApiExecutions(place === 'AWS' ? deployment : { endpointUrl, region: 'us-east-1', credentials })
  onTestFinished(() => {
    executions.destroy()
    server.close()
  })
  return { asked, executions }
}

const arnOf = (name: string) => `arn:aws:states:us-east-1:123456789012:stateMachine:${name}`
const MACHINES = { stateMachines: [{ name: StateMachine.Convert, stateMachineArn: arnOf(StateMachine.Convert) }] }
const ANSWERS: Readonly<Record<string, object>> = {
  ListStateMachines: MACHINES,
  DescribeExecution: { status: 'SUCCEEDED', input: '{"amount":"1"}', startDate: 1.5 },
  GetExecutionHistory: {
    events: [{ id: 1, type: 'TaskStateExited', timestamp: 2.25, stateExitedEventDetails: { name: 'Quote' } }],
  },
}
const throttled = { __type: 'ThrottlingException', message: 'Rate exceeded' }

test.each(PLACES)('at %s a failed look-up of the state machines is repeated', async (place) => {
  const { executions } = await executionsOf(place, (_asked, nth) =>
    nth === 1 ? { __type: 'AccessDeniedException', message: 'not yet' } : MACHINES,
  )
  await expect(executions.account()).rejects.toThrow('not yet')
  await expect(executions.account()).resolves.toBe('123456789012')
})

test.each(PLACES)('at %s an execution costs one description and one history, with its times', async (place) => {
  const { asked, executions } = await executionsOf(place, ({ action }) => ANSWERS[action] ?? {})
  for (const name of ['one', 'two', 'three']) {
    expect(await executions.read(StateMachine.Convert, name)).toMatchObject({
      name,
      input: { amount: '1' },
      startedAt: '1970-01-01T00:00:01.500Z',
      steps: [{ did: 'left', at: '1970-01-01T00:00:02.250Z', state: 'Quote' }],
    })
  }
  const count = (action: string) => asked.filter((each) => each.action === action).length
  expect(['ListStateMachines', 'DescribeExecution', 'GetExecutionHistory'].map(count)).toEqual([1, 3, 3])
})

test.each(PLACES)('at %s an execution that does not exist is not found', async (place) => {
  const missing = { __type: 'ExecutionDoesNotExist', message: 'none' }
  const { executions } = await executionsOf(place, ({ action }) =>
    action === 'ListStateMachines' ? MACHINES : missing,
  )
  expect(await executions.findExecution(StateMachine.Convert, 'one')).toBeUndefined()
  expect(await executions.findHistory(StateMachine.Convert, 'one')).toBeUndefined()
})

test('a throttled request of thousands is repeated until AWS answers', async () => {
  const { executions } = await executionsOf('AWS', ({ action }, nth) =>
    action === 'DescribeExecution' && nth <= 2 ? throttled : (ANSWERS[action] ?? {}),
  )
  expect(await executions.read(StateMachine.Convert, 'one')).toMatchObject({ status: 'SUCCEEDED' })
})

test('an endless history is no evidence, and is reported with a message', async () => {
  const { executions } = await executionsOf('a desk', ({ action }) => ({ ...ANSWERS[action], nextToken: 'more' }))
  expect(await executions.read(StateMachine.Convert, 'one')).toBe('the history of one has more pages than are read')
})

test('a history ends at an empty token, as the lists of the SDK do', async () => {
  const { executions } = await executionsOf('AWS', ({ action }) => ({ ...ANSWERS[action], nextToken: '' }))
  expect(await executions.read(StateMachine.Convert, 'one')).toMatchObject({ status: 'SUCCEEDED' })
})

const FAILED = ['f-1', 'f-2', 'f-3']

/** Every list comes in pages of one entry. */
const inPages: Answer = ({ action, body }) => {
  const at = Number(body.nextToken ?? 0)
  const names =
    action === 'ListStateMachines' ? Object.values(StateMachine) : FAILED.map((name) => `${name}-${body.statusFilter}`)
  const entry = { name: names[at], stateMachineArn: arnOf(String(names[at])), startDate: 1_795_000_000 }
  const nextToken = at + 1 < names.length ? { nextToken: String(at + 1) } : {}
  return { stateMachines: [entry], executions: [entry], ...nextToken }
}

test.each([2, 500])('of %i failures at most, AWS and a desk list the same by the same requests', async (limit) => {
  const list = async (place: Place) => {
    const { asked, executions } = await executionsOf(place, inPages)
    const listed = await executions.listExecutions(StateMachine.Withdraw, 'failed', limit)
    return { asked: asked.map((each) => JSON.stringify(each)).sort(), listed }
  }
  const atDesk = await list('a desk')
  expect(atDesk.listed.names.filter((name) => name.endsWith('-ABORTED'))).toEqual(
    FAILED.slice(0, limit).map((name) => `${name}-ABORTED`),
  )
  expect(atDesk.listed.isCutOff).toBe(limit < FAILED.length)
  expect(atDesk.asked.join()).toContain('"signedFor":"states"')
  expect(await list('AWS')).toEqual(atDesk)
})
