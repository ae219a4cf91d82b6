import { describe, expect, test } from 'vitest'
import { loadSimulation } from './bundle.ts'
import type { Bounds } from './choices.ts'
import type { Walk } from './course.ts'
import { explore, SCOPES } from './exploration.ts'
import { MUTANTS } from './mutants.ts'
import type { Scope } from './scopes.ts'

/** Every schedule, each to its end. */
const FULL = { merges: false }
const ALL = { index: 0, of: 1 }
const NO_FAULTS = { fault: 0, crash: 0, freeze: 0, clock: 0, switch: 0 }

const SMALL = { about: '', lifeMs: 1_800_000 }

/** Each state that a walk meets, with what was left of the bounds each time. */
async function statesOf(scope: Scope, walk: Walk) {
  const states = new Map<string, Bounds[]>()
  const onState = (state: string, left: Bounds) => {
    const known = states.get(state) ?? []
    if (!known.some(({ fault, crash }) => fault === left.fault && crash === left.crash)) known.push(left)
    states.set(state, known)
  }
  return { states, explored: await explore(scope, ALL, { ...walk, onState }) }
}

describe('small scopes, exhaustively', () => {
  test.each(Object.keys(SCOPES))(
    '%s: no schedule with one fault, crash or freeze breaks an invariant',
    async (name) => {
      const scope = SCOPES[name] as (typeof SCOPES)[string]
      // A share of so many parts is the plain course and every single departure from it.
      const { scripts, schedules } = await explore(scope, { index: 0, of: 1_000_000 })
      expect(scripts).toEqual([])
      expect(schedules).toBeGreaterThan(150)
    },
  )

  test('one fault is enough to see that an unfenced withdrawal moves money twice', async () => {
    const { explore, SCOPES } = await loadSimulation(MUTANTS['no-fence-withdrawal']?.edits)
    const { worlds } = SCOPES.withdrawal as (typeof SCOPES)[string]
    const bounds = { fault: 1, crash: 0, freeze: 0, clock: 0, switch: 0 }
    const { scripts } = await explore({ ...SMALL, bounds, worlds }, ALL)
    expect(scripts.flatMap(({ violations }) => violations)).toContain('READY before the fence of a sent attempt')
  })

  test('shares divide a scope: each schedule with two departures is in exactly one', async () => {
    const { worlds } = SCOPES.order as (typeof SCOPES)[string]
    const scope = { ...SMALL, worlds: worlds.slice(0, 1), bounds: { ...NO_FAULTS, crash: 1, freeze: 1 } }
    const count = async (index: number, of: number) => (await explore(scope, { index, of }, FULL)).schedules
    const [whole, first, second, third] = [await count(0, 1), await count(0, 3), await count(1, 3), await count(2, 3)]
    const { schedules: shallow } = await explore({ ...scope, bounds: { ...scope.bounds, crash: 0 } }, ALL, FULL)
    const { schedules: crashes } = await explore({ ...scope, bounds: { ...scope.bounds, freeze: 0 } }, ALL, FULL)
    const single = shallow + crashes - 1
    expect(first + second + third - 3 * single).toBe(whole - single)
  })
})

describe('schedules that are left at a state which was met before', () => {
  /** The world in which nothing is late: small enough to follow every schedule to its end. */
  const worldOf = (name: string) => (SCOPES[name] as Scope).worlds.slice(1)
  const isEnough = (met: Bounds, left: Bounds) => met.fault >= left.fault && met.crash >= left.crash

  test.each(['order', 'withdrawal'])(
    '%s: they stand for exactly the schedules of the whole tree, and meet each of its states, and each fault in it',
    async (name) => {
      const scope = { ...SMALL, worlds: worldOf(name), bounds: { ...NO_FAULTS, fault: 1, crash: 1 } }
      const whole = await statesOf(scope, FULL)
      const merged = await statesOf(scope, { merges: true })
      expect(merged.explored.standsFor).toBe(whole.explored.schedules)
      expect(merged.explored.schedules).toBeLessThan(whole.explored.schedules / 3)
      for (const [state, lefts] of whole.states) {
        const met = merged.states.get(state) ?? []
        expect(lefts.every((left) => met.some((most) => isEnough(most, left)))).toBe(true)
      }
      expect([...merged.explored.situations.keys()].sort()).toEqual([...whole.explored.situations.keys()].sort())
    },
    120_000,
  )

  test.each(['order', 'withdrawal'])(
    '%s: with a freeze and a crash they meet every fault in every state that the whole tree has',
    async (name) => {
      const scope = { ...SMALL, worlds: worldOf(name), bounds: { ...NO_FAULTS, crash: 1, freeze: 1 } }
      const whole = await explore(scope, ALL, FULL)
      const merged = await explore(scope, ALL)
      expect([...merged.situations.keys()].sort()).toEqual([...whole.situations.keys()].sort())
      expect(merged.standsFor).toBeLessThanOrEqual(whole.schedules)
    },
    120_000,
  )

  test.each(['no-fence-order', 'resend-order', 'send-before-arm', 'skip-claims', 'page-1-only', 'no-budget'])(
    '%s breaks among them wherever it breaks in the whole tree, and nowhere else',
    async (name) => {
      const { world, edits } = MUTANTS[name] as (typeof MUTANTS)[string]
      const { explore, SCOPES } = await loadSimulation(edits)
      const { worlds } = SCOPES[world === 'convert' ? 'order' : 'withdrawal'] as Scope
      for (const bounds of [
        { ...NO_FAULTS, fault: 1, crash: 1 },
        { ...NO_FAULTS, crash: 1, freeze: 1 },
      ]) {
        const scope = { ...SMALL, worlds: worlds.slice(1), bounds }
        const whole = await explore(scope, ALL, FULL)
        const merged = await explore(scope, ALL)
        expect(merged.scripts.length > 0).toBe(whole.scripts.length > 0)
      }
    },
    120_000,
  )
})
