// A job is tried after growing delays until it is done or too old, also across restarts, and none is lost.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Failure, type Job, Outbox } from '../../delivery/outbox.ts'
import { eventClock } from './event-clock.ts'
import { temporaryDirectory } from './executed.ts'
import { START_MS } from './interpreted.ts'

const MOST_PENDING = 20

const broken: Failure = { code: 'BROKEN', message: 'why', isFinal: false }

function outboxIn(directory: string, attempt: (job: Job<string>) => Promise<Failure | undefined>, startMs = START_MS) {
  const clock = eventClock(startMs)
  const givenUp: [string, string, string | undefined][] = []
  let serial = 0
  const outbox = new Outbox<string>({
    file: path.join(directory, 'outbox.jsonl'),
    clock,
    mostPending: MOST_PENDING,
    newId: () => `job-${startMs}-${++serial}`,
    attempt,
    giveUp: (job, failure, exhausted) => givenUp.push([job.work, failure.code, exhausted]),
    backoffMs: (failures) => 1000 * failures,
  })
  return { clock, givenUp, outbox }
}

const job = (work: string, maxRetries = 3, maxAgeMs = 60_000) => ({ work, maxRetries, maxAgeMs })

describe('an outbox', () => {
  test('tries again after growing delays until it is done', async () => {
    const atMs: number[] = []
    const { clock, givenUp, outbox } = outboxIn(temporaryDirectory(), async () => {
      atMs.push(clock.nowMs() - START_MS)
      return atMs.length < 4 ? broken : undefined
    })
    outbox.put([job('a')])
    await clock.untilQuiet()
    expect(atMs).toEqual([0, 1000, 3000, 6000])
    expect(givenUp).toEqual([])
    await outbox.untilEmpty()
  })

  test.each<[string, ReturnType<typeof job>, Failure, number, string | undefined]>([
    ['its retries', job('a', 2), broken, 3, 'MaximumRetryAttempts'],
    ['its age', job('a', 100, 5000), broken, 3, 'MaximumEventAgeInSeconds'],
    ['a final failure', job('a'), { ...broken, isFinal: true }, 1, undefined],
  ])('gives up after %s', async (_name, work, failure, attempts, exhausted) => {
    let count = 0
    const { clock, givenUp, outbox } = outboxIn(temporaryDirectory(), async () => {
      count += 1
      return failure
    })
    outbox.put([work])
    await clock.untilQuiet()
    expect(count).toBe(attempts)
    expect(givenUp).toEqual([['a', 'BROKEN', exhausted]])
  })

  test('creates no file before the first job', () => {
    const directory = temporaryDirectory()
    outboxIn(directory, async () => undefined).outbox.resume()
    expect(existsSync(path.join(directory, 'outbox.jsonl'))).toBe(false)
  })

  test('drops an incomplete line', async () => {
    const directory = temporaryDirectory()
    const first = outboxIn(directory, () => new Promise(() => undefined))
    first.outbox.put([job('a')])
    first.outbox.halt()
    appendFileSync(path.join(directory, 'outbox.jsonl'), '{"job":{"id":"torn"')
    const done: string[] = []
    const second = outboxIn(directory, async ({ work }) => {
      done.push(work)
      return undefined
    })
    second.outbox.resume()
    await second.clock.untilQuiet()
    expect(done).toEqual(['a'])
  })

  test('continues the count of failures and the rest of a delay after a stop', async () => {
    const directory = temporaryDirectory()
    const first = outboxIn(directory, async () => broken)
    first.outbox.put([job('a', 2)])
    await first.clock.untilQuiet(START_MS + 2500)
    first.outbox.halt()
    const atMs: number[] = []
    const second = outboxIn(
      directory,
      async () => {
        atMs.push(second.clock.nowMs() - START_MS)
        return broken
      },
      START_MS + 2600,
    )
    second.outbox.resume()
    await second.clock.untilQuiet()
    expect(atMs).toEqual([3000])
    expect(second.givenUp).toEqual([['a', 'BROKEN', 'MaximumRetryAttempts']])
  })

  test('gives up a job that became too old while no process ran, without another attempt', async () => {
    const directory = temporaryDirectory()
    const first = outboxIn(directory, () => new Promise(() => undefined))
    first.outbox.put([job('a', 3, 5000)])
    first.outbox.halt()
    let attempts = 0
    const second = outboxIn(
      directory,
      async () => {
        attempts += 1
        return undefined
      },
      START_MS + 5001,
    )
    second.outbox.resume()
    await second.clock.untilQuiet()
    expect([attempts, second.givenUp]).toEqual([0, [['a', 'TIMEOUT', 'MaximumEventAgeInSeconds']]])
  })

  test('refuses a batch that exceeds its limit, and keeps nothing of the batch', async () => {
    const { outbox } = outboxIn(temporaryDirectory(), () => new Promise(() => undefined))
    outbox.put(Array.from({ length: 19 }, () => job('a')))
    expect(() => outbox.put([job('b'), job('c')])).toThrow('more than 20 deliveries are pending')
    outbox.put([job('d')])
    outbox.halt()
  })

  test('retries at the next start a job that was put while the clock was ahead', async () => {
    const directory = temporaryDirectory()
    const ahead = outboxIn(directory, async () => broken, START_MS + 1e11)
    ahead.outbox.put([job('a')])
    await ahead.clock.untilQuiet(START_MS + 1e11 + 1500)
    ahead.outbox.halt()
    const done: number[] = []
    const { clock, outbox } = outboxIn(directory, async () => void done.push(clock.nowMs() - START_MS))
    outbox.resume()
    await clock.untilQuiet()
    expect(done).toEqual([0])
  })

  test('keeps its file in proportion to the pending jobs', async () => {
    const directory = temporaryDirectory()
    const { clock, outbox } = outboxIn(directory, async () => undefined)
    for (let round = 0; round < 150; round++) {
      outbox.put(Array.from({ length: MOST_PENDING }, () => job('a')))
      await clock.untilQuiet()
    }
    expect(readFileSync(path.join(directory, 'outbox.jsonl'), 'utf8').split('\n').length).toBeLessThan(2500)
  })

  test('killed at any attempt does every job at least once, and records what it gave up (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(6), { maxLength: 4 }),
        async (failuresOf, kills) => {
          const directory = temporaryDirectory()
          const failed = new Map<string, number>()
          const ended = new Set<string>()
          let nowMs = START_MS
          const isPut = { yet: false }
          for (const kill of [...kills, Number.POSITIVE_INFINITY]) {
            let remaining = kill
            const { clock, givenUp, outbox } = outboxIn(
              directory,
              async ({ work }) => {
                if (remaining-- <= 0) {
                  outbox.halt()
                  return broken
                }
                const count = failed.get(work) ?? 0
                failed.set(work, count + 1)
                if (count < (failuresOf[Number(work)] ?? 0)) return broken
                ended.add(work)
                return undefined
              },
              nowMs,
            )
            outbox.resume()
            if (!isPut.yet) outbox.put(failuresOf.map((_, index) => job(String(index))))
            isPut.yet = true
            await clock.untilQuiet()
            outbox.halt()
            for (const [work] of givenUp) ended.add(work)
            nowMs = clock.nowMs()
          }
          expect([...ended].sort()).toEqual(failuresOf.map((_, index) => String(index)).sort())
        },
      ),
      { numRuns: 40 },
    )
  })
})
