// Thousands of unsigned deliveries at the webhooks' address, and one of the service among them.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEAD_LETTER_QUEUE, DEPOSIT_QUEUE } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { recordVerified } from '../../place/journal/journal-client.ts'
import { assemble } from '../helpers/assemble.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type Arrived, type LocalServer, startLocalServer } from '../helpers/local-server.ts'

const KEY_SECRET = 'sluice/service-key'
const TREASURY = {
  service: { url: 'https://service.example', stage: 'test', keySecret: KEY_SECRET },
  webhooks: {},
  policies: { 'sol-in': { kind: 'convert-on-arrival', asset: 'SOL', into: 'USDC' } },
}
/** Forged deliveries continue until the run of the signed one has started, within these limits. */
const LEAST_FORGED = 2_000
const MOST_FORGED = 20_000
/** Connections that one attacker's machine keeps busy. */
const AT_ONCE = 64

const folder = folderOfFile()
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE + 1 })
let aws: EmbeddedAws
let sandbox: Sandbox
let relay: LocalServer

beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'))
  relay = await startLocalServer((_, response) => void response.writeHead(200).end())
  sandbox = await startSandbox({ webhookUrl: relay.baseUrl })
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  aws = await declared(
    startEmbeddedAws({
      assemblyDir: join(folder, 'cdk.out'),
      stateDir: join(folder, 'state'),
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
    }),
  )
  await recordVerified(aws, Date.now())
})

afterAll(async () => {
  agent.destroy()
  await aws?.stop()
  await sandbox?.stop()
  await relay?.stop()
})

/** @returns the status of the answer */
function deliver(body: string | Buffer, signature: string | undefined): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { 'x-webhook-signature': signature }),
  }
  return new Promise((resolve, reject) => {
    const address = aws.functionUrls().find(({ functionName }) => functionName === 'sluice-receive-webhook')
    const sent = request(address?.url ?? '', { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(body)
  })
}

/** A delivery that the service has signed. */
async function depositOf(amount: string): Promise<Arrived> {
  await fetch(`${sandbox.controlUrl}/balance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assetSymbol: 'SOL', credit: amount }),
  })
  const isDeposit = ({ body }: Arrived) => body.toString().includes('deposit')
  await expect.poll(() => relay.arrived.some(isDeposit), { interval: 5 }).toBe(true)
  return relay.arrived.find(isDeposit) as Arrived
}

/** A delivery of each sort with another cost: no signature, an unknown key, the service's key, or a large body. */
function forge(nth: number, { headers, body }: Arrived): [string | Buffer, string | undefined] {
  const genuine = String(headers['x-webhook-signature'])
  const unknown = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: `k-${nth}` })).toString('base64url')
  switch (nth % 4) {
    case 0:
      return [body, undefined]
    case 1:
      return [body, `${unknown}..${'A'.repeat(86)}`]
    case 2:
      return [`${body.toString()}${' '.repeat(1 + (nth % 100))}`, genuine]
    default:
      return [Buffer.alloc(70_000, 0x20), genuine]
  }
}

test(`among at least ${LEAST_FORGED} forged deliveries only the one that the service signed starts its run`, async () => {
  const deposit = await depositOf('5')
  const statuses = new Set<number>()
  let answered = 0
  let next = 0
  let hasStarted = false
  const attack = async () => {
    for (let nth = next++; nth < (hasStarted ? LEAST_FORGED : MOST_FORGED); nth = next++) {
      statuses.add(await deliver(...forge(nth, deposit)))
      answered += 1
    }
  }
  const attackers = Promise.all(Array.from({ length: AT_ONCE }, attack))
  await expect.poll(() => answered, { interval: 10 }).toBeGreaterThan(LEAST_FORGED / 10)

  // The service repeats a delivery that is not answered with success.
  while ((await deliver(deposit.body, String(deposit.headers['x-webhook-signature']))) !== 200) {
    expect(answered).toBeLessThan(MOST_FORGED)
  }
  await expect.poll(() => aws.listExecutions(StateMachine.Rebalance).length, { interval: 10 }).toBeGreaterThan(0)
  const [run] = aws.listExecutions(StateMachine.Rebalance)
  expect(run?.name).toMatch(/^sol-in-[0-9a-f]{26}$/)
  expect(answered).toBeLessThan(MOST_FORGED)
  hasStarted = true

  await attackers
  expect(answered).toBeGreaterThanOrEqual(LEAST_FORGED)
  // 503 means that nobody can decide yet, because an unknown key may be new.
  expect([...statuses].toSorted()).toEqual([401, 413, 503])
  expect(aws.listExecutions(StateMachine.Rebalance)).toHaveLength(1)
  // No forged delivery has reached a queue.
  expect([...aws.queueMessages(DEPOSIT_QUEUE), ...aws.queueMessages(DEAD_LETTER_QUEUE)]).toEqual([])
})
