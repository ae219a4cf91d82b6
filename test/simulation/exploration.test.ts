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

/** Each state that a walk meets, with what was left of the bounds each time. */
async function statesOf(scope: Scope, walk: Walk): Promise<Map<string, Bounds[]>> {
  const states = new Map<string, Bounds[]>()
  const onState = (state: string, left: Bounds) => {
    const known = states.get(state) ?? []
    if (!known.some(({ fault, crash }) => fault === left.fault && crash === left.crash)) known.push(left)
    states.set(state, known)
  }
  await explore(scope, ALL, { ...walk, onState })
  return states
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
    const { scripts } = await explore({ about: '', bounds, worlds }, ALL)
    expect(scripts.flatMap(({ violations }) => violations)).toContain('READY before the fence of a sent attempt')
  })

  test('shares divide a scope: each schedule with two departures is in exactly one', async () => {
    const { worlds } = SCOPES.order as (typeof SCOPES)[string]
    const scope = { about: '', worlds: worlds.slice(0, 1), bounds: { ...NO_FAULTS, crash: 1, freeze: 1 } }
    const count = async (index: number, of: number) => (await explore(scope, { index, of }, FULL)).schedules
    const [whole, first, second, third] = [await count(0, 1), await count(0, 3), await count(1, 3), await count(2, 3)]
    const { schedules: shallow } = await explore({ ...scope, bounds: { ...scope.bounds, crash: 0 } }, ALL, FULL)
    const { schedules: crashes } = await explore({ ...scope, bounds: { ...scope.bounds, freeze: 0 } }, ALL, FULL)
    const single = shallow + crashes - 1
    expect(first + second + third - 3 * single).toBe(whole - single)
  })
})

describe('schedules that are left at a state which was met before', () => {
  const BOUNDS = [
    { ...NO_FAULTS, fault: 1, crash: 1 },
    { ...NO_FAULTS, crash: 1, freeze: 1 },
  ]

  test.each(['order', 'withdrawal'])(
    '%s: the schedules followed stand for exactly those of the whole tree',
    async (name) => {
      const { worlds } = SCOPES[name] as (typeof SCOPES)[string]
      const scope = { about: '', worlds, bounds: { ...NO_FAULTS, fault: 1, crash: 1 } }
      const whole = await explore(scope, ALL, FULL)
      const merged = await explore(scope, ALL)
      expect(merged.standsFor).toBe(whole.schedules)
      expect(merged.schedules).toBeLessThan(whole.schedules / 4)
    },
  )

  test.each(['order', 'withdrawal'])(
    '%s: they meet every state of the whole tree, with as much left of the bounds',
    async (name) => {
      const { worlds } = SCOPES[name] as (typeof SCOPES)[string]
      const scope = { about: '', worlds: worlds.slice(1), bounds: { ...NO_FAULTS, fault: 1, crash: 1 } }
      const whole = await statesOf(scope, FULL)
      const merged = await statesOf(scope, { merges: true })
      const isMet = (state: string, left: Bounds) =>
        merged.get(state)?.some((met) => met.fault >= left.fault && met.crash >= left.crash)
      expect(whole.size).toBeGreaterThan(1_000)
      for (const [state, lefts] of whole) expect(lefts.every((left) => isMet(state, left))).toBe(true)
    },
  )

  test.each(BOUNDS)(
    'every fault is met in every state of an intent in which the whole tree meets it: %o',
    async (bounds) => {
      for (const name of ['order', 'withdrawal']) {
        const { worlds } = SCOPES[name] as (typeof SCOPES)[string]
        const scope = { about: '', worlds, bounds }
        const whole = await explore(scope, ALL, FULL)
        const merged = await explore(scope, ALL)
        expect([...merged.situations.keys()].sort()).toEqual([...whole.situations.keys()].sort())
      }
    },
  )
})
