// 1,000 hostile requests to the service and to the control API of a sandbox: its process lives on, holds no more memory
// than before, and answers. Pages of a browser, and names of the outside that lead here, are refused.
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

/** Of a GET with these very headers. */
function status(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject)
    asked.end()
  })
}

test('the service and the control API outlive 1,000 hostile requests, half of them to each', async () => {
  const port = Number(new URL(attacked.started.baseUrl).port)
  const attackBoth = (every: number) =>
    Promise.all(['/v2/orders', controlPath].map((where) => attack(port, where, every)))
  // What a server keeps for good is there after some of them.
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
  for (const where of ['/v2/orders', controlPath]) {
    const answer = await fetch(attacked.started.baseUrl + where, { method: 'POST', body }).then(
      (given) => given.status,
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
  'the control API refuses the Host %s, which may reach the service',
  async (name) => {
    const host = name.replace('PORT', new URL(attacked.started.baseUrl).port)
    expect(await status(`${attacked.started.baseUrl}/_control/oracle`, { host })).toBe(403)
    expect(await account({ host })).toBe(200)
  },
)

test.each(['localhost', '[::1]', 'LOCALHOST'])('this machine may be called %s', async (name) => {
  const host = `${name}:${new URL(attacked.started.baseUrl).port}`
  expect(await status(`${attacked.started.baseUrl}/_control/oracle`, { host })).toBe(200)
})
