// A read is repeated after growing waits within its deadline, and never sooner than the service asks.
import { describe, expect, it } from 'vitest'
import { Defect, Refused, Transient } from '../../../core/errors.ts'
import { createEndurance, nextTry, READ_LIMITS } from '../../../core/service/endure.ts'
import { createReadBudget, NO_TURN } from '../../../core/service/pace.ts'
import { errorOf, problemOf, type ServiceProblem } from '../../../core/service/problem.ts'
import { manualClock } from '../../helpers/manual-clock.ts'

const problem = (more: Partial<ServiceProblem> = {}): ServiceProblem => ({
  endpoint: 'GET /v2/account',
  status: 503,
  code: 'maintenance',
  isDocument: true,
  retryable: true,
  extensions: {},
  ...more,
})
const passing = (more: Partial<ServiceProblem> = {}) => errorOf('Transient', problem(more))

describe('the ladder after a failed attempt', () => {
  const spent = { attempts: 1, leftMs: 10_000 }

  it.each([
    ['a refusal', errorOf('Refused', problem({ code: 'not_found', status: 404 }))],
    ['a broken promise', new Defect('id is missing')],
    ['a key that cannot be used', new Refused('key: expected JSON')],
    ['a key that could not be read', new Transient('key secret: Secrets Manager did not answer')],
    ['a bug', new TypeError('undefined is not a function')],
  ])('gives up on %s', (_what, error) => {
    expect(nextTry(error, spent, READ_LIMITS, 0.5)).toEqual({ givesUp: 'lasting' })
  })

  it('waits randomly up to a limit that doubles to its bound', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) =>
      nextTry(passing(), { attempts, leftMs: 10_000 }, { ...READ_LIMITS, attempts: 10 }, 1),
    )
    expect(waits).toEqual([200, 400, 800, 1_600, 2_000, 2_000].map((waitMs) => ({ waitMs })))
    expect(nextTry(passing(), spent, READ_LIMITS, 0)).toEqual({ waitMs: 0 })
  })

  it('waits as long as the service asks, or randomly a little longer, never shorter', () => {
    expect(nextTry(passing({ pauseMs: 3_000 }), spent, READ_LIMITS, 0)).toEqual({ waitMs: 3_000 })
    expect(nextTry(passing({ pauseMs: 3_000 }), spent, READ_LIMITS, 1)).toEqual({ waitMs: 3_200 })
  })

  it('gives up after the last attempt, and on a wait that ends past the deadline', () => {
    expect(nextTry(passing(), { attempts: 4, leftMs: 10_000 }, READ_LIMITS, 0)).toEqual({ givesUp: 'attempts' })
    expect(nextTry(passing({ pauseMs: 10_000 }), spent, READ_LIMITS, 0)).toEqual({ givesUp: 'deadline' })
    expect(nextTry(passing(), { attempts: 1, leftMs: 0 }, READ_LIMITS, 0)).toEqual({ givesUp: 'deadline' })
  })
})

describe('a read with retries', () => {
  function setUp(readLimits = READ_LIMITS, burst = 100) {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst, perSecond: 1 })
    const endure = createEndurance({ clock, random: () => 0.5, budget, readLimits })
    return { clock, budget, endure }
  }

  it('ends with the first success', async () => {
    const { clock, endure } = setUp()
    let attempts = 0
    const result = await endure(async () => {
      if (++attempts < 3) throw passing()
      return 'read'
    })
    expect([result, attempts, clock.monotonicMs()]).toEqual(['read', 3, 100 + 200])
  })

  it('throws the last error when its attempts are spent', async () => {
    const { endure } = setUp()
    let attempts = 0
    const read = endure(async () => {
      throw passing({ code: `fault_${++attempts}` })
    })
    const error = await read.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'Transient' })
    expect(problemOf(error)?.code).toBe('fault_4')
  })

  it('is not sent at all, and says so by its own name, if its turn comes past the deadline', async () => {
    const { budget, endure } = setUp()
    budget.pause(READ_LIMITS.deadlineMs + 1)
    const read = endure(() => Promise.reject(new Error('asked')))
    await expect(read).rejects.toMatchObject({ name: 'RateLimited', message: NO_TURN })
  })

  it('never takes longer than its deadline, however long each attempt hangs', async () => {
    const { clock, endure } = setUp()
    const timeouts: number[] = []
    const read = endure(async (timeoutMs) => {
      timeouts.push(timeoutMs)
      clock.advance(timeoutMs)
      throw passing({ code: 'timed_out', isDocument: false })
    })
    await expect(read).rejects.toThrow(Transient)
    expect(timeouts).toEqual([5_000, 4_900])
    expect(clock.monotonicMs()).toBe(10_000)
  })

  it('waits its turn', async () => {
    const { clock, endure } = setUp(READ_LIMITS, 1)
    const turns: number[] = []
    const read = () => endure(async () => turns.push(clock.monotonicMs()))
    await read()
    await read()
    expect(turns).toEqual([0, 1_000])
  })
})
