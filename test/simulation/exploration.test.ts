import { describe, expect, test } from 'vitest'
import { loadSimulation } from './bundle.ts'
import { explore, SCOPES } from './exploration.ts'
import { MUTANTS } from './mutants.ts'

const ALL = { index: 0, of: 1 }

describe('small scopes, exhaustively', () => {
  test.each(Object.keys(SCOPES))(
    '%s: no schedule with one fault, crash or freeze breaks an invariant',
    async (name) => {
      const scope = SCOPES[name] as (typeof SCOPES)[string]
      // A share of so many parts is the plain course and every single departure from it.
      const { scripts, schedules } = await explore(scope, { index: 0, of: 1_000_000 })
      expect(scripts).toEqual([])
      expect(schedules).toBeGreaterThan(250)
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
    const scope = {
      about: '',
      worlds: worlds.slice(0, 1),
      bounds: { fault: 0, crash: 1, freeze: 1, clock: 0, switch: 0 },
    }
    const whole = await explore(scope, ALL)
    const thirds = await Promise.all([0, 1, 2].map((index) => explore(scope, { index, of: 3 })))
    const shallow = (await explore(scope, { index: 0, of: 1_000_000 })).schedules
    const deep = thirds.reduce((sum, { schedules }) => sum + schedules - shallow, 0)
    // One pair is in the share of a million too.
    expect(Math.abs(whole.schedules - shallow - deep)).toBeLessThanOrEqual(3)
  })
})
