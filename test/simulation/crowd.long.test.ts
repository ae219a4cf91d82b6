// Runs two hundred withdrawals of one asset at once. Every twentieth answer is lost, and of these
// every second request too. Nothing else goes wrong.
import { describe, expect, test } from 'vitest'
import { IntentKind } from '../../core/contract/records.ts'
import { unchangedSimulation } from './bundle.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const COUNT = 200
/** The default life of an intent, `timing.intentLifeSeconds`, ms. */
const LIFE_MS = 900_000

async function runCrowd(amountOf: (at: number) => number) {
  const { NO_PAST, runSchedule, SCOPES, seededChoices } = await unchangedSimulation()
  const [base] = SCOPES['two-withdrawals']?.worlds ?? []
  if (base === undefined) throw new TypeError('no such scope')
  const ids = Array.from({ length: COUNT }, (_, at) => `intent-${at + 1}`)
  const { withdrawals } = base.truth
  let sends = 0
  let lost = 0
  return runSchedule(
    {
      ...{ ...base, past: NO_PAST, hurryMs: LIFE_MS, stepLimit: 5_000_000 },
      entries: ids.map((intentId) => ({ intentId, delayMs: 0 })),
      kinds: ids.map(() => IntentKind.Withdraw),
      asks: ids.map((_, at) => ({ amount: amountOf(at).toFixed(2), feeMode: 'deduct' as const })),
      truth: { ...base.truth, withdrawals: { ...withdrawals, visibilityMs: 0, balance: '1000000', rowsAPage: 100 } },
    },
    {
      ...seededChoices(1, 0, []),
      takeFault(_, __, names) {
        if (!names.some((name) => name === 'answer lost')) return undefined
        sends += 1
        if (sends % 20 !== 0) return undefined
        lost += 1
        return names.find((name) => name === (lost % 2 === 0 ? 'request lost' : 'answer lost'))
      },
    },
  )
}

describe('two hundred withdrawals of one asset at once, with each twentieth answer lost', () => {
  test('each move once within the usual life of an intent, and no person is asked', async () => {
    const { ends, violations, witness } = await runCrowd((at) => 100 + at * 1.37)
    expect(violations).toEqual([])
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(2 * COUNT).fill('COMPLETED'))
    for (const { record, movements } of witness.intents.values())
      expect(movements.map(({ id }) => id)).toEqual([record.ref])
  })

  test('partly run out of time where all have one amount, so that one at a time may be in doubt', async () => {
    const { ends, violations } = await runCrowd(() => 100)
    expect(violations).toEqual([])
    expect(ends.filter(({ outcome }) => outcome === 'EXHAUSTED').length).toBeGreaterThan(COUNT / 4)
  })
})
