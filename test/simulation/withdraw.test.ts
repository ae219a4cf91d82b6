// Withdrawals move money at most once, whatever crashes, freezes, clocks and doubled requests do.
import { describe, expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { NO_PAST, runCampaign, runSchedule, runSeed, SCOPES, seededChoices } = await unchangedSimulation()

describe('withdrawals in a simulated world', () => {
  test('600 schedules of crashes, freezes, changed clocks, lost, late and doubled requests move money at most once', async () => {
    const wanted = { world: 'withdraw', firstSeed: 1, schedules: 600, untidy: [], mostFailures: 1 } as const
    const { failures, outcomes, faults } = await runCampaign(wanted)
    expect(failures).toEqual([])
    for (const end of ['COMPLETED', 'FAILED_REFUNDED', 'REJECTED', 'EXHAUSTED', 'NEEDS_ATTENTION', 'STUCK'])
      expect(outcomes.get(end), end).toBeGreaterThan(0)
    expect(faults.size).toBe(25)
  })

  test('two identical withdrawals started together, with the first answer lost, make two movements, one for each intent', async () => {
    // In this world nothing goes wrong by itself, and everything is as late as allowed.
    const [schedule] = SCOPES['two-withdrawals']?.worlds ?? []
    if (!schedule) throw new TypeError('no such scope')
    const calm = seededChoices(1, 0, [])
    let isLost = false
    const { ends, witness, violations } = await runSchedule(
      { ...schedule, past: NO_PAST },
      {
        ...calm,
        takeFault(_, __, names) {
          const loss = isLost ? undefined : names.find((name) => name === 'answer lost')
          isLost ||= loss !== undefined
          return loss
        },
      },
    )
    expect(violations).toEqual([])
    expect(isLost).toBe(true)
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(4).fill('COMPLETED'))
    for (const { record, movements } of witness.intents.values())
      expect(movements.map(({ id }) => id)).toEqual([record.ref])
    expect(new Set([...witness.intents.values()].map(({ record }) => record.ref)).size).toBe(2)
  })

  test('a run that gives up before its checks leaves no READY intent without terms for another run to find', async () => {
    // The test keeps the seed, with the untidiness that it needs.
    const kept = ['withdraw', 3, {}, ['power']] as const
    const naive = await runSeed(...kept, 'opens-and-then-ends')
    expect(naive.violations[0]).toMatch(/ broke: /)
    expect((await runSeed(...kept)).violations).toEqual([])
  })
})
