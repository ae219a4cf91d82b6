import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Arrival, arrivals, figuresOf, waitForLane, waitInLine } from '../../../bench/scale/queues.ts'
import { seededRandom } from '../../simulation/choices.ts'

const line = fc
  .array(fc.record({ after: fc.integer({ min: 0, max: 20 }), holdsSeconds: fc.integer({ min: 1, max: 10 }) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((steps) => {
    let atSeconds = 0
    return steps.map(({ after, holdsSeconds }): Arrival => {
      atSeconds += after
      return { atSeconds, holdsSeconds }
    })
  })
const FOREVER = { lifeSeconds: Number.POSITIVE_INFINITY }
const sum = (figures: readonly number[]) => figures.reduce((total, each) => total + each, 0)

describe('a line that is served in the order of arrival', () => {
  test('nobody waits where all arrive further apart than they are served', () => {
    const apart = [0, 5, 10, 15].map((atSeconds) => ({ atSeconds, holdsSeconds: 5 }))
    expect(waitInLine(apart).seconds).toEqual([0, 0, 0, 0])
  })

  test('of those who arrive at once, each waits for all before', () => {
    const atOnce = [3, 2, 4].map((holdsSeconds) => ({ atSeconds: 7, holdsSeconds }))
    expect(waitInLine(atOnce).seconds).toEqual([0, 3, 5])
  })

  test('arrivals by chance that are served for an equal time wait as M/D/1 has it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 0.8, noNaN: true }), fc.integer({ min: 1, max: 1_000 }), (share, seed) => {
        const [served, count] = [2, 100_000]
        const { seconds } = waitInLine(arrivals(count, share / served, () => served, seededRandom(seed)))
        // Pollaczek and Khinchine: of a mean, and of the share who find the line empty.
        const mean = (share * served) / (2 * (1 - share))
        expect(sum(seconds) / count / mean).toBeGreaterThan(0.85)
        expect(sum(seconds) / count / mean).toBeLessThan(1.15)
        expect(seconds.filter((wait) => wait === 0).length / count).toBeCloseTo(1 - share, 1)
      }),
      { numRuns: 20, seed: 7 },
    )
  })

  test('nobody is served while another is', () => {
    fc.assert(
      fc.property(line, (arrived) => {
        const starts = waitInLine(arrived).seconds.map((wait, nth) => (arrived[nth]?.atSeconds ?? 0) + wait)
        for (const [nth, start] of starts.entries())
          expect(start).toBeGreaterThanOrEqual(
            nth === 0 ? 0 : (starts[nth - 1] ?? 0) + (arrived[nth - 1]?.holdsSeconds ?? 0),
          )
      }),
    )
  })
})

describe('the lane of an asset', () => {
  test('two at once: the second waits for its next look, however early the lane is free', () => {
    const two = [0, 0].map((atSeconds) => ({ atSeconds, holdsSeconds: 1 }))
    expect(waitForLane(two, { ...FOREVER, waitAfter: () => 15 }).seconds).toEqual([0, 15])
  })

  test('looks that come at growing waits find the lane at the first that is late enough', () => {
    const two = [
      { atSeconds: 0, holdsSeconds: 100 },
      { atSeconds: 1, holdsSeconds: 1 },
    ]
    expect(waitForLane(two, { ...FOREVER, waitAfter: (looks) => 15 * 2 ** looks }).seconds).toEqual([0, 105])
  })

  test('who comes while others wait for their next look goes before them', () => {
    const three = [
      { atSeconds: 0, holdsSeconds: 2 },
      { atSeconds: 1, holdsSeconds: 2 },
      { atSeconds: 3, holdsSeconds: 2 },
    ]
    expect(waitForLane(three, { ...FOREVER, waitAfter: () => 15 }).seconds).toEqual([0, 0, 15])
  })

  test('who has not got the lane by the end of its life gives up', () => {
    const two = [
      { atSeconds: 0, holdsSeconds: 1_000 },
      { atSeconds: 0, holdsSeconds: 1 },
    ]
    expect(waitForLane(two, { lifeSeconds: 900, waitAfter: () => 300 })).toEqual({ seconds: [0], gaveUp: 1 })
  })

  test('everybody gets it in the end, and looking again never takes less of all time than standing in line', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 30 }), (arrived, waitSeconds) => {
        const equal = arrived.map((each) => ({ ...each, holdsSeconds: 4 }))
        const { gaveUp, seconds } = waitForLane(equal, { ...FOREVER, waitAfter: () => waitSeconds })
        expect(gaveUp).toBe(0)
        expect(seconds).toHaveLength(equal.length)
        expect(sum(seconds)).toBeGreaterThanOrEqual(sum(waitInLine(equal).seconds))
      }),
    )
  })

  test('the shorter the waits between looks, the nearer it comes to a line', () => {
    const arrived = arrivals(5_000, 0.3, () => 1, seededRandom(3))
    const lane = waitForLane(arrived, { ...FOREVER, waitAfter: () => 0.001 })
    expect(sum(lane.seconds) / sum(waitInLine(arrived).seconds)).toBeCloseTo(1, 1)
  })
})

test('figures leave out the first tenth, and count who gave up among all', () => {
  const seconds = [...Array.from({ length: 10 }, () => 1_000), ...Array.from({ length: 90 }, (_, nth) => nth)]
  expect(figuresOf({ seconds, gaveUp: 25 })).toEqual({ p50: 45, p99: 89, gaveUp: 0.2 })
})
