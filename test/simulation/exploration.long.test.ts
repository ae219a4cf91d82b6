// The exhaustive search of small scopes misses no state and no fault of the whole tree.
import { describe, expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { ANY_NUMBER, type Bounds } from './choices.ts'
import type { Walk } from './course.ts'
import { noGuards } from './drawn-guards.ts'
import { NAIVE } from './naive.ts'
import type { Schedule } from './schedule.ts'
import { SCOPES, type Scope } from './scopes.ts'
import { withoutStacks } from './without-stacks.ts'
import { START_MS } from './world-state.ts'

withoutStacks()

// Uses the bundle of the unchanged product, because it runs faster than the modules that vitest loads.
const { explore, followScript } = await unchangedSimulation()

/** Runs every schedule to its end. */
const FULL = { merges: false }
const ALL = { index: 0, of: 1 }
const NO_FAULTS = { fault: 0, crash: 0, freeze: 0, clock: 0, switch: 0 }

const SMALL = { about: '', lifeMs: 1_800_000 }

/** The world without delays, which is small enough to follow every schedule to its end. */
const worldOf = (name: string) => (SCOPES[name] as Scope).worlds.slice(1)

/** The same worlds, with a naive variant of the product. */
const naively = (naive: string, worlds: readonly Schedule[]) => worlds.map((world) => ({ ...world, naive }))

/** Returns each state that a walk meets, with each remainder of the bounds at that state. */
async function statesOf(scope: Scope, walk: Walk, share = ALL) {
  const states = new Map<string, Bounds[]>()
  const onState = (state: string, left: Bounds) => {
    const known = states.get(state) ?? []
    if (!known.some(({ fault, crash }) => fault === left.fault && crash === left.crash)) known.push(left)
    states.set(state, known)
  }
  return { states, explored: await explore(scope, share, { walk: { ...walk, onState } }) }
}

const ORDER = { ...SMALL, worlds: worldOf('order'), bounds: { ...NO_FAULTS, fault: 1, crash: 1 } }
let merged: ReturnType<typeof statesOf> | undefined

/** Two tests compare others with this walk, which takes seconds. */
function mergedOrder(): ReturnType<typeof statesOf> {
  merged ??= statesOf(ORDER, { merges: true })
  return merged
}

describe('small scopes, explored exhaustively', () => {
  test('one fault is enough to see that an unfenced withdrawal moves money twice', async () => {
    const worlds = naively('no-fence-withdrawal', (SCOPES.withdrawal as Scope).worlds)
    const { scripts } = await explore({ ...SMALL, bounds: { ...NO_FAULTS, fault: 1 }, worlds }, ALL)
    expect(scripts.flatMap(({ violations }) => violations)).toContain('READY before the fence of a sent attempt')
  })

  test('the shares of a scope together meet every state of the whole scope', async () => {
    const whole = await mergedOrder()
    const shares = [0, 1].map((index) => statesOf(ORDER, { merges: true }, { index, of: 2 }))
    const parts = await Promise.all(shares)
    const met = new Set(parts.flatMap(({ states }) => [...states.keys()]))
    expect([...whole.states.keys()].filter((state) => !met.has(state))).toEqual([])
    for (const { explored } of parts) expect(explored.schedules).toBeLessThan(whole.explored.schedules)
    expect(whole.explored.scripts).toEqual([])
  })

  // CI's share of the scope has none of these crashes.
  test('with two orders, a crash at any point in any order of their steps breaks nothing', async () => {
    const bounds = { ...NO_FAULTS, crash: 1, switch: ANY_NUMBER }
    const { schedules, scripts } = await explore({ ...SMALL, bounds, worlds: worldOf('two-orders') }, ALL)
    expect(scripts).toEqual([])
    expect(schedules).toBeGreaterThan(1_000)
  })
})

describe('schedules that stop at a state which was met before', () => {
  const isEnough = (met: Bounds, left: Bounds) => met.fault >= left.fault && met.crash >= left.crash

  // The whole tree of a withdrawal is three times as large. The same states merge there, and the two tests below cover
  // it.
  test('an order: they represent exactly the schedules of the whole tree, and meet each of its states, and each fault in it', async () => {
    const whole = await statesOf(ORDER, FULL)
    const merged = await mergedOrder()
    expect(merged.explored.standsFor).toBe(whole.explored.schedules)
    expect(merged.explored.schedules).toBeLessThan(whole.explored.schedules / 3)
    for (const [state, lefts] of whole.states) {
      const met = merged.states.get(state) ?? []
      expect(lefts.every((left) => met.some((most) => isEnough(most, left)))).toBe(true)
    }
    expect([...merged.explored.situations.keys()].sort()).toEqual([...whole.explored.situations.keys()].sort())
  })

  test.each(['order', 'withdrawal'])(
    '%s: with a freeze and a crash they meet every fault in every state that the whole tree has',
    async (name) => {
      const scope = { ...SMALL, worlds: worldOf(name), bounds: { ...NO_FAULTS, crash: 1, freeze: 1 } }
      const whole = await explore(scope, ALL, { walk: FULL })
      const merged = await explore(scope, ALL)
      expect([...merged.situations.keys()].sort()).toEqual([...whole.situations.keys()].sort())
      expect(merged.standsFor).toBeLessThanOrEqual(whole.schedules)
      for (const { scripts } of [whole, merged]) expect(scripts).toEqual([])
    },
  )

  const withFault = { ...NO_FAULTS, fault: 1, crash: 1 }
  const withFreeze = { ...NO_FAULTS, crash: 1, freeze: 1 }

  // Without a fault the service refuses nothing, and every write gets its answer. Two of these variants then equal the
  // product, whose whole tree is walked above.
  test.each([
    ['no-fence-order', [withFault, withFreeze]],
    ['trust-refusal-withdrawal', [withFault]],
    ['send-before-arm', [withFault, withFreeze]],
    ['fence-without-visibility', [withFault, withFreeze]],
    ['trust-unheard-write', [withFault]],
  ])('%s fails in them exactly as in the whole tree', async (name, all) => {
    const worlds = naively(name, worldOf(NAIVE[name]?.world === 'convert' ? 'order' : 'withdrawal'))
    for (const bounds of all) {
      const scope = { ...SMALL, worlds, bounds }
      const [broken] = (await explore(scope, ALL)).scripts
      // The whole tree contains all merged schedules, so it is walked only if none of them breaks.
      const breaks =
        broken === undefined
          ? (await explore(scope, ALL, { walk: FULL })).scripts
          : await followScript(scope, broken.corner, broken.script)
      expect(breaks.length > 0).toBe(broken !== undefined)
    }
  })
})

describe("a machine's clock that is changed once, at any moment, within a minute of the end of quiet hours", () => {
  function quietAtFirst(schedule: Schedule): Schedule {
    const [fromMs, toMs] = [START_MS - 120_000, START_MS + 60_000]
    const clockTime = (ms: number) => new Date(ms).toISOString().slice(11, 16)
    const quietHours = [{ from: clockTime(fromMs), to: clockTime(toMs), timeZone: 'UTC' }]
    const guards = { ...noGuards({ quietHours }), quiet: [{ scope: '*', fromMs, toMs }] }
    // Late enough that a clock which is 20 s ahead is past the end of the quiet hours.
    return { ...schedule, guards, steadyClock: 'none', entries: [{ intentId: 'intent-1', delayMs: 45_000 }] }
  }

  function exploreWith(name: string, naive?: string) {
    const quiet = (SCOPES[name] as Scope).worlds.map(quietAtFirst)
    const worlds = naive === undefined ? quiet : naively(naive, quiet)
    return explore({ ...SMALL, worlds, bounds: { ...NO_FAULTS, clock: 1 } }, ALL, { walk: FULL })
  }

  test.each([
    ['order', 'FILLED'],
    ['withdrawal', 'COMPLETED'],
  ])('%s: nothing moves in quiet hours', async (name, end) => {
    const { scripts, schedules, outcomes } = await exploreWith(name)
    expect(scripts).toEqual([])
    expect(schedules).toBeGreaterThan(200)
    expect(outcomes.get(end)).toBeGreaterThan(schedules)
  })

  test('order: a step that reads the clock again after it has prepared the send sends in quiet hours', async () => {
    const { scripts } = await exploreWith('order', 'quiet-by-a-second-look')
    const [first] = scripts.flatMap(({ violations }) => violations)
    expect(first).toMatch(/^sent or moved in quiet hours/)
  })
})
