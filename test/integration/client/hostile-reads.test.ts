// No answer of the service is believed beyond what it proves, whatever its form.
import { beforeEach, describe, expect, it } from 'vitest'
import { problemOf } from '../../../core/service/problem.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson, answerProblem, startLocalServer } from '../../helpers/local-server.ts'
import { holdDeadlines, hostileAnswers, LIMITS } from './hostile-answers.ts'

beforeEach(holdDeadlines)

describe('a read', () => {
  it.each(hostileAnswers)('answered with $what is $kind $code after one request', async ({ respond, ...expected }) => {
    const { server, client } = await setUpClient(respond, { limits: LIMITS })
    const error: unknown = await client.findOrder('o-1').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: expected.kind })
    expect(problemOf(error)).toMatchObject({
      endpoint: 'GET /v2/orders/{id}',
      code: expected.code,
      status: expected.status,
      isDocument: false,
    })
    expect(server.arrived).toHaveLength(1)
  })

  it('a read of an order unknown to the service returns undefined', async () => {
    const { client } = await setUpClient((_request, response) => answerProblem(response, 404, 'not_found'))
    expect(await client.findOrder('o-1')).toBeUndefined()
    await expect(client.order('o-1')).rejects.toMatchObject({ name: 'Refused', problem: { code: 'not_found' } })
  })

  it.each([
    [410, 'not_found', 'Refused'],
    [404, 'gone_for_good', 'Refused'],
    [503, 'maintenance', 'Transient'],
  ])('of an order does not call it absent on %s %s', async (status, code, name) => {
    const { client } = await setUpClient((_request, response) => answerProblem(response, status, code))
    await expect(client.findOrder('o-1')).rejects.toMatchObject({ name })
  })

  it('from a closed port is Transient, and names the address and the reason', async () => {
    const gone = await startLocalServer(() => undefined)
    await gone.stop()
    const { client } = await setUpClient(() => undefined)
    client.close()
    const error = await unreachable(gone.baseUrl)
    expect(error).toMatchObject({ name: 'Transient' })
    expect(String(error)).toContain(`no answer from ${gone.baseUrl} (ECONNREFUSED)`)
  })
})

describe('a list', () => {
  const item = { id: 'e-1', type: 'DEPOSIT' }
  const envelope = { page: 1, limit: 100, totalItems: 1, totalPages: 1 }

  it.each<[string, Record<string, unknown>]>([
    ['less than nothing', { totalItems: -1 }],
    ['a part of an item', { totalItems: 1.5 }],
    ['more than can be counted', { totalItems: 1e300 }],
    ['more than it brings', { totalItems: 2 ** 40 }],
    ['a count in words', { totalItems: '1' }],
    ['another page', { page: 2 }],
    ['a page before the first', { page: -1 }],
    ['no end', { totalItems: null }],
  ])('that reports %s is a typed error, and never a short list', async (_what, lie) => {
    const { server, client } = await setUpClient((request, response) =>
      answerJson(response, 200, {
        data: request.target.includes('page=1&') ? [item] : [],
        pagination: { ...envelope, page: Number(/page=(\d+)/.exec(request.target)?.[1]), ...lie },
      }),
    )
    const walk = async () => {
      for await (const entry of client.walkLedger()) expect(entry.id).toBe('e-1')
    }
    await expect(walk()).rejects.toMatchObject({ name: expect.stringMatching(/^(Defect|Transient)$/) })
    // Two pages for each pass through a list that may only have changed its order.
    expect(server.arrived.length).toBeLessThanOrEqual(10)
  })

  it('nested too deeply, or with names that mean something to the language, is read or refused', async () => {
    const deep = '['.repeat(50_000)
    const { client } = await setUpClient((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"__proto__":{"data":[]},"constructor":1,"data":${deep}`),
    )
    await expect(client.contacts()).rejects.toMatchObject({ name: 'Transient', problem: { code: 'not_json' } })
  })
})

async function unreachable(baseUrl: string): Promise<unknown> {
  const client = createServiceClient({
    baseUrl,
    key: { current: () => Promise.reject(new Error('no key is needed')), forget: () => undefined },
    clock: { nowMs: () => 0, sleep: async () => undefined },
    newId: () => 'id',
  })
  return client.time().catch((thrown: unknown) => thrown)
}
