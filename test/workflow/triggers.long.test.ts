// Tests schedules, events and webhooks on one machine: the synthesized assembly in the embedded AWS, against the
// sandbox. Whatever AWS may deliver twice is delivered twice. AWS's waits pass in virtual time.
import { join } from 'node:path'
import { type DeliveryHook, type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResultEvent, resultDetail } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { READ_LIMITS } from '../../core/service/endure.ts'
import { MOST_KEY_READS } from '../../core/service/webhook-deliveries.ts'
import { recordVerified } from '../../place/journal/journal-client.ts'
import { assemble } from '../helpers/assemble.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type Arrived, type LocalServer, startLocalServer } from '../helpers/local-server.ts'
import { virtualClock } from '../helpers/running-machines.ts'

const KEY_SECRET = 'sluice/service-key'
const TREASURY = {
  service: { url: 'https://service.example', stage: 'test', keySecret: KEY_SECRET },
  timing: { pollInsideSeconds: 0 },
  webhooks: {},
  policies: {
    'sol-in': { kind: 'convert-on-arrival', asset: 'SOL', into: 'USDC' },
    hourly: {
      kind: 'convert-and-withdraw',
      mode: 'shadow',
      from: 'BTC',
      into: 'USD',
      contactId: 'contact-1',
      schedule: { expression: 'rate(1 hour)' },
    },
  },
}

const folder = folderOfFile()
let aws: EmbeddedAws
let sandbox: Sandbox
let relay: LocalServer
/** The events that the functions put on the bus. */
const told: { readonly detailType: ResultEvent; readonly detail: unknown }[] = []
let deliveryOf: DeliveryHook = () => undefined
/** The answer of the deposit queue when it refuses a message. */
let queueFault: { readonly errorType: string; readonly status: number } | undefined
const logged: string[] = []

beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'))
  // The service needs an address before the embedded AWS has one.
  relay = await startLocalServer((request, response) => {
    deliver(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    )
  })
  sandbox = await startSandbox({ webhookUrl: relay.baseUrl })
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  aws = await startEmbeddedAws({
    assemblyDir: join(folder, 'cdk.out'),
    stateDir: join(folder, 'state'),
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
    clock: virtualClock(),
    executionEvents: true,
    onDelivery: (attempt) => deliveryOf(attempt),
    onFunctionLog: (_name, line) => logged.push(line),
    onEndpointCall: ({ operation, functionName, body, phase }) => {
      if (phase === 'before' && operation === 'SendMessage' && functionName === 'sluice-receive-webhook')
        return queueFault
      if (phase !== 'after' || operation !== 'PutEvents' || functionName !== 'sluice-announce') return undefined
      const { Entries } = body as { Entries: { DetailType: ResultEvent; Detail: string }[] }
      for (const { DetailType, Detail } of Entries) told.push({ detailType: DetailType, detail: JSON.parse(Detail) })
      return undefined
    },
  })
})

/** The answers of the functions that run by schedule at that time. */
let lookedUndeclared: readonly unknown[] = []
/** Number of runs that a schedule started before anybody verified the keys. */
let startedUnverified = Number.NaN

beforeAll(async () => {
  aws.schedules.fire('hourly', new Date('2026-12-01T08:00:00Z'))
  startedUnverified = (await ended(StateMachine.Sweep)).length
  // The deployment's own schedules call these every few minutes, without waiting for anybody.
  lookedUndeclared = await Promise.all(
    ['sluice-reconcile', 'sluice-look-again'].map(async (name) => JSON.parse(await aws.invokeFunction(name, '{}'))),
  )
  // Records what `setup doctor --after-deploy` records after a first deployment.
  await declared(Promise.resolve(aws))
  await recordVerified(aws, Date.now())
})

afterAll(async () => {
  await aws?.stop()
  await sandbox?.stop()
  await relay?.stop()
})

/** Passes a delivery of the service to the function's address. @returns the status of its answer */
async function deliver({ headers, body }: Pick<Arrived, 'headers' | 'body'>, change = ''): Promise<number> {
  const address = aws.functionUrls().find(({ functionName }) => functionName === 'sluice-receive-webhook')
  const signature = String(headers['x-webhook-signature'])
  const answer = await fetch(address?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-signature': signature },
    body: `${body.toString()}${change}`,
  })
  return answer.status
}

const requested = (DetailType: string, detail: object) => ({
  ...{ EventBusName: 'sluice', Source: 'payroll', DetailType },
  Detail: JSON.stringify(detail),
})

/** Resolves when every execution of a machine has ended and was announced. */
async function ended(machine: StateMachine) {
  await aws.untilDelivered()
  const runs = await Promise.all(aws.listExecutions(machine).map(({ executionArn }) => aws.untilFinished(executionArn)))
  await aws.untilDelivered()
  return runs
}

/** Announced results, parsed by their published schema. */
function toldOf(detailType: ResultEvent) {
  return told.flatMap((each) => (each.detailType === detailType ? [resultDetail[detailType].parse(each.detail)] : []))
}

test('before anybody has declared the owner of the journal, the audit and LookAgain find nothing, and no fault', () => {
  expect(lookedUndeclared).toMatchObject([{ outcome: 'NOT_DECLARED' }, { outcome: 'NOTHING_OPEN' }])
})

test('a conversion requested by an event, put twice and delivered twice, is one movement, and its end is announced', async () => {
  deliveryOf = ({ sourceArn }) => (sourceArn.includes('sluice-requests') ? 'twice' : undefined)
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  const event = requested('Conversion Requested', { version: 1, id: 'salaries-1', request })
  await aws.putEvents([event])
  await aws.putEvents([event])
  const [run, ...others] = await ended(StateMachine.Convert)
  expect(others).toEqual([])
  expect(run?.name).toMatch(/^convert-[0-9a-f]{26}$/)
  expect(JSON.parse(run?.output ?? '{}')).toMatchObject({ outcome: 'FILLED', intentId: run?.name })

  const oracle = (await (await fetch(`${sandbox.controlUrl}/oracle`)).json()) as { movements: unknown[] }
  expect(oracle.movements).toHaveLength(1)
  // The version of its record is for the execution's history, and is not announced.
  const { version: _version, ...result } = JSON.parse(run?.output ?? '{}')
  expect(toldOf(ResultEvent.Conversion)).toEqual([
    expect.objectContaining({ id: 'salaries-1', execution: run?.name, result }),
  ])
})

test('an invalid event starts nothing, and is kept with its reason', async () => {
  deliveryOf = () => undefined
  await aws.putEvents([requested('Rebalance Requested', { version: 1, id: 'x-1', policy: 'hourly' })])
  await aws.untilDelivered()
  const [message, ...others] = aws.queueMessages('sluice-dead-letters')
  expect(others).toEqual([])
  const { requestPayload, responsePayload } = JSON.parse(message?.body ?? '{}')
  expect(responsePayload).toMatchObject({
    errorType: 'Refused',
    errorMessage: expect.stringContaining('of kind convert-and-withdraw'),
  })
  expect(requestPayload.detail).toMatchObject({ id: 'x-1' })
  expect(aws.listExecutions(StateMachine.Rebalance)).toEqual([])
})

test('a schedule starts nothing, and leaves no dead letter, until the keys are verified', () => {
  expect(startedUnverified).toBe(0)
  const kept = aws.queueMessages('sluice-dead-letters').map(({ body }) => JSON.parse(body).requestPayload)
  expect(kept.filter(({ source }) => source === 'schedule')).toEqual([])
})

test('a schedule that fires twice for one time is one run, and its end is announced', async () => {
  const at = new Date('2026-12-01T09:00:00Z')
  aws.schedules.fire('hourly', at, 2)
  const [run, ...others] = await ended(StateMachine.Sweep)
  expect(others).toEqual([])
  expect(run?.name).toMatch(/^hourly-[0-9a-f]{26}$/)
  expect(JSON.parse(run?.input ?? '{}')).toEqual({
    policy: 'hourly',
    trigger: { by: 'schedule', id: '2026-12-01T09:00:00Z' },
  })
  expect(toldOf(ResultEvent.Run)).toEqual([
    expect.objectContaining({ execution: run?.name, result: expect.objectContaining({ policy: 'hourly' }) }),
  ])
  expect(toldOf(ResultEvent.Run)[0]).not.toHaveProperty('id')

  aws.schedules.fire('hourly', new Date(at.getTime() + 3_600_000))
  expect(await ended(StateMachine.Sweep)).toHaveLength(2)
})

test('a deposit starts the waiting policy once, however often it is delivered; a forged one does not', async () => {
  await fetch(`${sandbox.controlUrl}/balance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assetSymbol: 'SOL', credit: '5' }),
  })
  const isDeposit = ({ body }: Arrived) => body.toString().includes('deposit')
  await expect.poll(() => relay.arrived.some(isDeposit), { interval: 5 }).toBe(true)
  const delivery = relay.arrived.find(isDeposit)
  if (delivery === undefined) throw new Error('the sandbox told of no deposit')
  expect(await deliver(delivery)).toBe(200)
  expect(await deliver(delivery)).toBe(200)
  expect(await deliver(delivery, ' ')).toBe(401)

  // The fault is ours, so we repair it. The service must not drop the event, so it is asked to deliver again.
  for (const errorType of ['AccessDeniedException', 'QueueDoesNotExist']) {
    logged.length = 0
    queueFault = { errorType, status: 400 }
    expect(await deliver(delivery)).toBe(503)
    expect(logged.join('')).toMatch(new RegExp(`"error":"OwnFault".*${errorType}.*"OwnFaults":1`))
  }
  queueFault = undefined
  expect(await deliver(delivery)).toBe(200)

  const [run, ...others] = await ended(StateMachine.Rebalance)
  expect(others).toEqual([])
  expect(run?.name).toMatch(/^sol-in-[0-9a-f]{26}$/)
  expect(JSON.parse(run?.input ?? '{}')).toMatchObject({ policy: 'sol-in', trigger: { by: 'deposit' } })
})

const FAILS = { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' }

test('31 forged deliveries cause only a few reads of the service’s keys, also when each read fails', async () => {
  const target = '/v2/.well-known/webhook-jwks.json'
  await controlled('/rules', { match: { path: target, times: 'always' }, fault: FAILS })
  const known = await readsOf(target)
  for (let nth = 0; nth < 31; nth += 1) {
    // Each names an unknown key.
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: `k-${nth}` })).toString('base64url')
    const forged = { headers: { 'x-webhook-signature': `${header}..${'A'.repeat(86)}` }, body: Buffer.from('{}') }
    // The delivery may still be genuine.
    expect(await deliver(forged)).toBe(503)
  }
  expect((await readsOf(target)) - known).toBeLessThanOrEqual(MOST_KEY_READS * READ_LIMITS.attempts)
  // Each read takes a second, so the count would show it if all were made, and no time-out would.
})

async function controlled(at: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(sandbox.controlUrl + at, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

/** Requests that have reached the service. */
async function readsOf(target: string): Promise<number> {
  const { requests } = (await (await fetch(`${sandbox.controlUrl}/oracle`)).json()) as { requests: { path: string }[] }
  return requests.filter(({ path }) => path === target).length
}
