// A read is repeated as long as the fault may pass and the service allows; any other call goes out once.
import { beforeEach, describe, expect, it } from 'vitest'
import type { ErrorName } from '../../../core/contract/errors.ts'
import { problemOf } from '../../../core/service/problem.ts'
import { setUpClient, withTime } from '../../helpers/client-setup.ts'
import { answerJson, answerProblem, type Respond } from '../../helpers/local-server.ts'
import { holdDeadlines, hostileAnswers } from './hostile-answers.ts'

const READ_LIMITS = { attempts: 4 }
const HEALTH = { status: 'OK' }

beforeEach(holdDeadlines)

/** The first `count` requests meet `fault`, and the others are answered. */
function failing(count: number, fault: Respond): Respond {
  let seen = 0
  return (request, response, socket) => {
    seen++
    if (seen <= count) fault(request, response, socket)
    else answerJson(response, 200, HEALTH)
  }
}

async function readThrough(count: number, fault: Respond) {
  const { server, client, clock } = await setUpClient(failing(count, fault), { readLimits: READ_LIMITS })
  const outcome = await client.health().then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  return { ...outcome, arrived: server.arrived, clock, client, server }
}

describe('a read', () => {
  const passing = hostileAnswers.filter(({ kind }) => kind === 'Transient')
  it.each(passing)('endures $what', async ({ respond }) => {
    const { result, arrived } = await readThrough(1, respond)
    expect(result).toEqual(HEALTH)
    expect(arrived).toHaveLength(2)
  })

  const lasting = hostileAnswers.filter(({ kind }) => kind !== 'Transient')
  it.each(lasting)('does not ask again after $what', async ({ respond, kind }) => {
    const { error, arrived } = await readThrough(1, respond)
    expect(error).toMatchObject({ name: kind })
    expect(arrived).toHaveLength(1)
  })

  it.each<[number, string, boolean, number, ErrorName?]>([
    [503, 'maintenance', true, 4],
    [503, 'maintenance', false, 4],
    [500, 'internal_error', false, 4],
    [400, 'validation_error', true, 1],
    [403, 'insufficient_scope', true, 1, 'KeyFault'],
    [404, 'not_found', true, 1],
    [418, 'newer_than_this_client', true, 4, 'RateLimited'],
    [418, 'newer_than_this_client', false, 1],
    [200, 'maintenance', true, 4],
  ])(
    'answered %s %s, retryable %s, is sent %s times',
    async (status, code, retryable, times, name = times === 1 ? 'Refused' : 'Transient') => {
      const { error, arrived } = await readThrough(9, (_request, response) =>
        answerProblem(response, status, code, { retryable }),
      )
      expect(error).toMatchObject({ name })
      expect(arrived).toHaveLength(times)
    },
  )

  it('waits as long as the service asks for', async () => {
    const { result, clock } = await readThrough(1, (_request, response) => {
      response.setHeader('retry-after', '3')
      answerProblem(response, 429, 'rate_limited', { retryable: true })
    })
    expect(result).toEqual(HEALTH)
    expect(clock.monotonicMs()).toBe(3_100)
  })

  it('fails at once when the service asks for more time than is left, and reports the time asked for', async () => {
    const { error, arrived, clock } = await readThrough(1, (_request, response) => {
      response.setHeader('retry-after', '3600')
      answerProblem(response, 503, 'maintenance')
    })
    expect(problemOf(error)).toMatchObject({ code: 'maintenance', pauseMs: 3_600_000 })
    expect([arrived.length, clock.monotonicMs()]).toEqual([1, 0])
  })

  it('waits before the limit is exceeded, once the service reports that nothing remains', async () => {
    const { client, clock, server } = await setUpClient((_request, response) => {
      response.setHeader('ratelimit-remaining', '0')
      response.setHeader('ratelimit-reset', '2')
      answerJson(response, 200, HEALTH)
    })
    await client.health()
    await client.health()
    expect([server.arrived.length, clock.monotonicMs()]).toEqual([2, 2_000])
  })

  it('a read of the time is repeated like other reads', async () => {
    const { client } = await setUpClient(
      failing(2, (_request, response) => answerProblem(response, 503, 'maintenance')),
      { readLimits: READ_LIMITS },
    )
    expect(await client.time()).toMatchObject({ from: 'date' })
  })
})

describe('a call that is no read', () => {
  it.each(['POST /v2/orders', 'POST /v2/quotes', 'PATCH /v2/contacts'])('goes out once: %s', async (call) => {
    const { client, server } = await setUpClient(
      withTime((_request, response) => answerProblem(response, 503, 'maintenance', { retryable: true })),
      { readLimits: READ_LIMITS },
    )
    const quote = { baseAsset: 'BTC', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '1' } as const
    if (call.includes('orders')) expect(await (await client.prepareOrder('q-1', 30)).send()).toBeDefined()
    else if (call.includes('quotes')) await expect(client.createQuote(quote)).rejects.toThrow(/maintenance/)
    else await expect(client.renameContact('c-1', { alias: 'x' })).rejects.toThrow(/maintenance/)
    expect(server.arrived.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  it('is not delayed by a pause of the reads', async () => {
    const { client, clock } = await setUpClient(
      withTime((_request, response) => {
        response.setHeader('retry-after', '60')
        answerProblem(response, 429, 'rate_limited')
      }),
    )
    for (let send = 0; send < 2; send++) await (await client.prepareOrder('q-1', 30)).send()
    expect(clock.monotonicMs()).toBe(0)
  })
})
