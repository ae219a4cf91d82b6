// Many runs at once under a low rate limit of the service, in real time. They share it by what the service reports
// about it.
import { join } from 'node:path'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StateMachine } from '../../core/contract/states.ts'
import { assemble } from '../helpers/assemble.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'

const KEY_SECRET = 'sluice/service-key'
const TREASURY = { service: { url: 'https://service.example', stage: 'test', keySecret: KEY_SECRET } }
const CONVERSION = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '5' }
/** Together they send three times as many requests as one window allows. */
const RUNS = 30
const LIMIT = { perKey: 50, perAccount: 100_000, windowSeconds: 5 }

const folder = folderOfFile()
let aws: EmbeddedAws
let sandbox: Sandbox

beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'))
  sandbox = await startSandbox()
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  aws = await declared(
    startEmbeddedAws({
      assemblyDir: join(folder, 'cdk.out'),
      stateDir: join(folder, 'state'),
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
      // Each is a process of its own, which learns the limit only from the service.
      workersPerFunction: 4,
    }),
  )
})

afterAll(async () => {
  await aws?.stop()
  await sandbox?.stop()
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly status: number
}

async function control<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(`${sandbox.controlUrl}${path}`, init)
  if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function convert(name: string): Promise<{ outcome?: string }> {
  const request = { stateMachine: StateMachine.Convert, name, input: JSON.stringify(CONVERSION) }
  const { executionArn } = await aws.startExecution(request)
  const { output, cause } = await aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? '{}')
}

test('thirty runs under a limit for six all fill, and no order is refused for the limit or sent twice', async () => {
  // The functions start, and learn their account.
  expect(await convert('first')).toMatchObject({ outcome: 'FILLED' })
  await control('/limits', LIMIT)

  const ends = await Promise.all(Array.from({ length: RUNS }, (_, nth) => convert(`run-${nth}`)))

  // On a slow machine a quote may expire before its order is sent. The next attempt then has a quote of its own.
  expect(new Set(ends.map(({ outcome }) => outcome))).toEqual(new Set(['FILLED']))
  const { requests } = await control<{ requests: Asked[] }>('/oracle')
  const orders = requests.filter(({ method, path }) => method === 'POST' && path === '/v2/orders')
  expect(orders.map(({ status }) => status)).toEqual(Array.from({ length: RUNS + 1 }, () => 201))
  expect(requests.length).toBeGreaterThan(3 * LIMIT.perKey)
})
