// A planner's hundred reads from a service with a quota, all in virtual time. They slow down instead of failing.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createEndurance, READ_LIMITS } from '../../../core/service/endure.ts'
import type { Answered, Transport } from '../../../core/service/http.ts'
import { createReadBudget, heeding, type ReadBudgetOptions } from '../../../core/service/pace.ts'
import { createReader } from '../../../core/service/reader.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { type TurnClock, turnClock } from '../../helpers/turn-clock.ts'

const TRIP_MS = 40
const key = makeKey().key

interface Quota {
  readonly reads: number
  readonly windowMs: number
}

/** A service that answers after a trip, and refuses requests beyond its quota in a fixed window. */
function serviceWith({ reads, windowMs }: Quota, clock: TurnClock) {
  const counted = { answered: 0, refused: 0 }
  const inWindow = new Map<number, number>()
  const transport: Transport = {
    wireTarget: (target) => target,
    isEncryptedOrLocal: true,
    close: () => undefined,
    exchange: async () => {
      await clock.sleep(TRIP_MS / 2)
      const window = Math.floor(clock.monotonicMs() / windowMs)
      const count = (inWindow.get(window) ?? 0) + 1
      inWindow.set(window, count)
      const isAllowed = count <= reads
      counted[isAllowed ? 'answered' : 'refused']++
      const resetSeconds = String(Math.ceil(((window + 1) * windowMs - clock.monotonicMs()) / 1000))
      await clock.sleep(TRIP_MS / 2)
      const json = isAllowed ? { id: 'a' } : { code: 'rate_limited', retryable: true }
      const answer: Answered = {
        kind: 'answered',
        status: isAllowed ? 200 : 429,
        contentType: isAllowed ? 'application/json' : 'application/problem+json',
        date: '',
        pace: {
          retryAfter: isAllowed ? '' : resetSeconds,
          rateLimitLimit: '',
          rateLimitRemaining: String(Math.max(0, reads - count)),
          rateLimitReset: resetSeconds,
        },
        body: Buffer.from(JSON.stringify(json)),
        fault: undefined,
      }
      return answer
    },
  }
  return { transport, counted }
}

async function readHundred(quota: Quota, pace: Omit<ReadBudgetOptions, 'clock'>) {
  const clock = turnClock()
  const { transport, counted } = serviceWith(quota, clock)
  const budget = createReadBudget({ clock, ...pace })
  const readLimits = { ...READ_LIMITS, deadlineMs: 600_000 }
  const endure = createEndurance({ clock, random: () => 0.5, budget, readLimits })
  const reader = createReader(heeding(transport, budget), staticKeySource(key), endure)
  const shape = z.object({ id: z.string() })
  const reads = Promise.allSettled(
    Array.from({ length: 100 }, () => reader.read({ endpoint: 'GET /x', target: '/x', shape })),
  )
  await clock.untilQuiet()
  const failed = (await reads).filter(({ status }) => status === 'rejected')
  return { ...counted, failed: failed.length, tookMs: clock.monotonicMs() }
}

describe("a planner's hundred reads", () => {
  it('go at once if the service sets no limit', async () => {
    const outcome = await readHundred({ reads: 1_000, windowMs: 60_000 }, {})
    expect(outcome).toEqual({ answered: 100, refused: 0, failed: 0, tookMs: TRIP_MS })
  })

  it('all pass through a quota of 30 a minute, window by window', async () => {
    const outcome = await readHundred({ reads: 30, windowMs: 60_000 }, {})
    expect(outcome).toMatchObject({ answered: 100, failed: 0 })
    // The first hundred leave before the quota is known. Afterwards the service's own figures are followed.
    expect(outcome.refused).toBeLessThan(80)
    expect(Math.floor(outcome.tookMs / 60_000)).toBe(3)
  })

  it('are never refused if the budget is set to the quota', async () => {
    const outcome = await readHundred({ reads: 30, windowMs: 60_000 }, { burst: 10, perSecond: 20 / 60 })
    expect(outcome).toMatchObject({ answered: 100, refused: 0, failed: 0 })
  })
})
