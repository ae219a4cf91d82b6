// Sends 1,000 hostile requests to the service and the control API of a sandbox. Its process survives, keeps no more
// memory than before, and answers. It refuses pages of a browser, and outside names that lead to this machine.
import { request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedProcess, type Memory, startAttackedProcess } from '../../../../test/helpers/attacked-process.ts'
import { attack } from '../../../../test/helpers/hostile-requests.ts'
import type { Started } from './attacked.ts'

const MOST_KEPT_BYTES = 32 * 1024 * 1024
const MOST_GROWTH_BYTES = 300 * 1024 * 1024

let attacked: AttackedProcess<Started>
beforeAll(async () => {
  attacked = await startAttackedProcess(path.join(import.meta.dirname, 'attacked.ts'))
})
afterAll(() => attacked?.stop())

const controlPath = '/_control/balance'
const account = (headers: Readonly<Record<string, string>> = {}) => {
  const { baseUrl, secret } = attacked.started
  return status(`${baseUrl}/v2/account`, { authorization: `Bearer ${secret}`, ...headers })
}

/** Returns the status of a request with exactly these headers. */
function status(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

test('the service and the control API survive 1,000 hostile requests, half to each', async () => {
  const port = Number(new URL(attacked.started.baseUrl).port)
  const attackBoth = (every: number) =>
    Promise.all(['/v2/orders', controlPath].map((target) => attack(port, target, every)))
  // A first round makes the server allocate what it keeps for good.
  await attackBoth(5)
  const before = await attacked.ask<Memory>('memory')
  const attacking = attackBoth(2)
  for (let nth = 0; nth < 20; nth += 1) expect(await account()).toBe(200)
  await attacking
  const grown = async () => (await attacked.ask<Memory>('memory')).keptBytes - before.keptBytes
  await expect.poll(grown).toBeLessThan(MOST_KEPT_BYTES)
  const { mostBytes } = await attacked.ask<Memory>('memory')
  expect(mostBytes - before.mostBytes).toBeLessThan(MOST_GROWTH_BYTES)
})

test('a body of 20 MB is refused, or its connection is closed', async () => {
  const body = Buffer.alloc(20 * 1024 * 1024, 'a')
  for (const target of ['/v2/orders', controlPath]) {
    const answer = await fetch(attacked.started.baseUrl + target, { method: 'POST', body }).then(
      (response) => response.status,
      () => 'closed',
    )
    expect([400, 'closed']).toContain(answer)
  }
  expect(await account()).toBe(200)
})

test.each(['https://page.example', 'null', 'http://127.0.0.1'])(
  'the Origin %s is refused everywhere',
  async (origin) => {
    expect(await account({ origin })).toBe(403)
    expect(await status(`${attacked.started.baseUrl}/_control/oracle`, { origin })).toBe(403)
    expect(await status(`${attacked.started.baseUrl}/_control/rules`, { origin }, 'DELETE')).toBe(403)
  },
)

test.each(['rebound.example', 'rebound.example:PORT', '127.0.0.1', '127.0.0.1:1', '127.0.0.2:PORT'])(
  'the control API refuses the Host %s; the service accepts it',
  async (name) => {
    const host = name.replace('PORT', new URL(attacked.started.baseUrl).port)
    expect(await status(`${attacked.started.baseUrl}/_control/oracle`, { host })).toBe(403)
    expect(await account({ host })).toBe(200)
  },
)

test.each(['localhost', '[::1]', 'LOCALHOST'])('the control API accepts the Host name %s', async (name) => {
  const host = `${name}:${new URL(attacked.started.baseUrl).port}`
  expect(await status(`${attacked.started.baseUrl}/_control/oracle`, { host })).toBe(200)
})
