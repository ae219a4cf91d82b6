// Tests what the account's own balance proves of a failed withdrawal whose entries say nothing.
import { expect, test } from 'vitest'
import { backByBalance } from '../../../../core/movements/withdrawal/back-by-balance.ts'
import type { LedgerSight } from '../../../../core/movements/withdrawal/ports.ts'

const SENT_MS = Date.UTC(2026, 0, 10, 9)
const OPEN = Date.UTC(2026, 0, 7)
const DAY_MS = 86_400_000
const AT = new Date(SENT_MS).toISOString()
const entry = (type: string, amount: string | null, id: string, more: Partial<LedgerSight> = {}): LedgerSight => ({
  ...{ type, amount, assetSymbol: 'USDC', source: { type: 'movement', id }, createdAt: AT },
  ...more,
})
const OWN = [entry('', '100', 'w-1'), entry('', '100', 'w-1')]

async function judged(balance: string, ledger: readonly LedgerSight[] = OWN, frozen = '0', later = balance) {
  const asked: unknown[] = []
  const balances = [balance, later]
  const told = await backByBalance(
    { id: 'w-1', total: '100' },
    { assetSymbol: 'USDC', sentMs: SENT_MS },
    {
      balances: async () => [{ assetSymbol: 'USDC', balance: balances.shift() ?? '', balanceFrozen: frozen }],
      balanceBefore: async (...of) => {
        asked.push(of)
        return '500'
      },
      async *walkLedger() {
        yield* ledger
      },
    },
  )
  return { told, asked }
}

test('the balance of a day before the send decides to the last digit', async () => {
  expect(await judged('500')).toEqual({ told: 'refunded', asked: [['USDC', OPEN]] })
  expect((await judged('400')).told).toBe('debited')
  expect((await judged('499.999999999999999999')).told).toMatchObject({
    untold: expect.stringContaining('changed by -0.0'),
  })
})

test('other entries with a known direction count, and those of other assets or of before do not', async () => {
  const others = [
    entry('DEPOSIT', '30', 'd-1'),
    entry('WITHDRAWAL', '100', 'w-2'),
    entry('STAKING_REWARD', '7', 's-1', { assetSymbol: 'ETH' }),
    entry('STAKING_REWARD', '7', 's-2', { createdAt: new Date(OPEN - 2 * DAY_MS - 1).toISOString() }),
  ]
  expect((await judged('430', [...OWN, ...others])).told).toBe('refunded')
  expect((await judged('330', [...OWN, ...others])).told).toBe('debited')
})

test('an entry that may be in the opening or not decides nothing, unless both ways agree', async () => {
  const near = (type: string, amount: string, days: number) =>
    entry(type, amount, `n-${days}`, { createdAt: new Date(OPEN + days * DAY_MS).toISOString() })
  for (const days of [-2, 0, 2]) {
    const ledger = [...OWN, near('DEPOSIT', '30', days)]
    for (const [balance, told] of [
      ['500', 'refunded'],
      ['530', 'refunded'],
      ['400', 'debited'],
      ['430', 'debited'],
    ] as const)
      expect((await judged(balance, ledger)).told).toBe(told)
    // As a withdrawal of the same total, which the opening has: the refund was taken back.
    const same = await judged('400', [...OWN, near('WITHDRAWAL', '100', days)])
    expect(same.told).toMatchObject({ untold: expect.stringContaining('allow both') })
  }
  const many = Array.from({ length: 13 }, (_, each) => near('DEPOSIT', '1', each / 13))
  expect((await judged('500', [...OWN, ...many])).told).toMatchObject({ untold: expect.stringContaining('day before') })
})

test('the balance cannot tell while it changes', async () => {
  expect((await judged('500', OWN, '0', '400')).told).toMatchObject({ untold: 'the balance of USDC is changing' })
})

test.each<[string, readonly LedgerSight[], string]>([
  ['an entry whose direction is unknown', [...OWN, entry('STAKING_REWARD', '7', 's-1')], 'no known direction'],
  ['an odd amount', [...OWN, entry('DEPOSIT', null, 'd-1', { amountShown: '0E-8' })], 'of 0E-8 at'],
  ['an entry without an amount', [...OWN, entry('DEPOSIT', null, 'd-1')], 'cannot be read'],
  [
    'an entry of an unknown asset without a time',
    [...OWN, entry('FEE', '1', 'f', { assetSymbol: null, createdAt: null })],
    'cannot be read',
  ],
  ['a leg of the same amount', [...OWN, entry('CREDIT', '100', 'd-1')], 'one of two legs'],
  ['no debit of it', [], 'does not show its debit'],
])('the balance cannot tell beside %s, and the answer names it', async (_, ledger, why) => {
  expect((await judged('500', ledger)).told).toMatchObject({ untold: expect.stringContaining(why) })
})

test('the balance cannot tell while something is frozen', async () => {
  expect((await judged('500', OWN, '100')).told).toMatchObject({ untold: '100 USDC are frozen' })
})
