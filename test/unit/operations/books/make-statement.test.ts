// Tests a statement over a small ledger in memory: what is not proven or cannot be read is named, and nothing is left out in
// silence.
import { expect, test } from 'vitest'
import { directionOf } from '../../../../core/contract/ledger-types.ts'
import { FOREIGN } from '../../../../core/contract/records.ts'
import type { LedgerEntry } from '../../../../core/service/ledger.ts'
import { readPeriod } from '../../../../operations/books/period.ts'
import { makeStatement, type StatementSources } from '../../../../operations/books/statement/make-statement.ts'

const NOW_MS = Date.UTC(2026, 1, 10)
const JANUARY = { from: '2026-01-01', to: '2026-02-01' }

let number = 0
function entry(type: string, amount: string, day: string, source: LedgerEntry['source'], more = {}): LedgerEntry {
  number += 1
  const facts = { assetSymbol: 'USDC', orderId: null, createdAt: `${day}T12:00:00.000Z` }
  return { id: `entry-${number}`, type, amount, source, ...facts, ...more }
}
const deposit = (amount: string, day: string) => entry('DEPOSIT', amount, day, { type: 'deposit', id: `d-${number}` })

interface World {
  readonly ledger: readonly LedgerEntry[]
  /** Balance at the end of days, oldest first. */
  readonly history: Readonly<Record<string, string>>
  readonly claims?: Readonly<Record<string, string>>
  readonly withdrawals?: Readonly<Record<string, { amount: string; fee: string; total: string }>>
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void> {
  yield* items
}
const none = () => each<never>([])

function sourcesOf({ ledger, history, claims = {}, withdrawals = {} }: World): StatementSources {
  const service = {
    walkLedger: () => each(ledger),
    walkBalanceHistory: (assetSymbol: string, { startDate = '', endDate = '9' } = {}) =>
      each(
        Object.entries(history)
          .filter(([day]) => day >= startDate.slice(0, 10) && day <= endDate.slice(0, 10))
          .map(([date, balance]) => ({ assetSymbol, date, balance })),
      ),
    balances: async () => [{ assetSymbol: 'USDC' }],
    assets: async () => [],
    knownAsset: async (assetSymbol: string) => ({ assetSymbol }),
    findWithdrawal: async (id: string) => withdrawals[id] && { id, ...withdrawals[id] },
    ...{ walkWithdrawals: none, walkDeposits: none, walkFills: none, walkOrders: none },
  }
  return {
    journal: { findClaim: async (_, id) => claims[id] },
    service: service as unknown as StatementSources['service'],
  }
}

async function januaryOf(world: World, flags = JANUARY, directions = {}) {
  const asked = { period: readPeriod(flags, NOW_MS), asset: undefined, directions }
  const made = await makeStatement(sourcesOf(world), asked, NOW_MS)
  return { made, usdc: made.assets[0] }
}

test('an entry that the ledger lacks leaves its amount unexplained, to the digit', async () => {
  const { made, usdc } = await januaryOf({
    ledger: [deposit('5', '2026-01-03')],
    history: { '2025-12-31': '10', '2026-01-31': '16.000000000000000001' },
  })
  expect(made.isProven).toBe(false)
  expect(usdc?.proof.why).toMatch(/: 1\.000000000000000001 is not explained$/)
})

test('an entry of an unknown direction, or without a readable amount, is named and proves nothing', async () => {
  const { made } = await januaryOf({
    ledger: [
      entry('SWEEP', '1', '2026-01-04', { type: 'deposit', id: 'd' }),
      entry('DEPOSIT', '1', '2026-01-04', null, { amount: null }),
      entry('CONVERSION_CREDIT', '1', '2026-01-04', { type: 'fill', id: 'f' }),
    ],
    history: { '2025-12-31': '10', '2026-01-31': '10' },
  })
  expect(made).toMatchObject({ isProven: false, faultsTotal: 3 })
  expect(made.faults).toEqual([
    expect.stringContaining('the type SWEEP, which has no known direction'),
    expect.stringContaining('cannot be read'),
    expect.stringContaining('names no order'),
  ])
})

const reward = (type: string, amount: string, asset = 'USDC') =>
  entry(type, amount, '2026-01-05', { type: 'payout_event', id: 'pe-1' }, { assetSymbol: asset })

test.each([
  // Rewards raised the balance, and a levy lowered it: no other way explains the change.
  ['known', [reward('STAKING_REWARD', '0.3'), reward('STAKING_REWARD', '0.2'), reward('LEVY', '0.1')], '10.4', true],
  ['lowered', [reward('SWEEP', '2')], '8', true],
  ['not explained', [reward('SWEEP', '2')], '9', false],
  ['ambiguous', [reward('SWEEP', '2'), reward('LEVY', '2')], '10', false],
  ['of entries without a type', [reward('', '2')], '12', false],
] as const)(
  'the balance history gives unknown types a direction, or none: %s',
  async (_, ledger, balance, isProven) => {
    const history = { '2025-12-31': '10', '2026-01-31': balance }
    const { made, usdc } = await januaryOf({ ledger, history })
    expect({ isProven: made.isProven, areNamed: made.faultsTotal > 0 }).toEqual({ isProven, areNamed: !isProven })
    const lines = isProven ? [expect.objectContaining({ kind: 'adjustments', count: ledger.length })] : []
    expect(usdc?.lines).toEqual(lines)
  },
)

test('a direction that the file gives to a type or to one entry counts where the balances show none', async () => {
  const ledger = [reward('SWEEP', '2'), { ...reward('LEVY', '2'), id: 'levy-1' }, { ...reward('', '1'), id: 'bare-1' }]
  const world = { ledger, history: { '2025-12-31': '10', '2026-01-31': '11' } }
  const { made } = await januaryOf(world)
  expect(made.faults).toEqual([
    ...['SWEEP', 'LEVY'].map((type) => expect.stringMatching(`type ${type}, .* books.directions .* for the type`)),
    expect.stringContaining('bare-1 of 1 USDC has the type (none), which has no known direction'),
  ])
  const given = { SWEEP: 'in', 'levy-1': 'out', 'bare-1': 'in' }
  expect((await januaryOf(world, JANUARY, given)).made).toMatchObject({ isProven: true, faultsTotal: 0 })
  expect((await januaryOf(world, JANUARY, { ...given, SWEEP: 'out' })).made.isProven).toBe(false)
})

test('a direction that one asset shows holds for that asset alone', async () => {
  const { made } = await januaryOf({
    ledger: [reward('SWEEP', '2'), reward('SWEEP', '1', 'ETH')],
    history: { '2025-12-31': '10', '2026-01-31': '12' },
  })
  expect(made.faults).toEqual([expect.stringContaining('1 ETH has the type SWEEP')])
})

test.each([
  ['WITHDRAWAL_CREDIT', 'in', '16'],
  ['WITHDRAWAL_REFUND', 'in', '16'],
  ['REFUND_DEBIT', 'out', '8'],
] as const)('an entry %s of a withdrawal is a refund, and no payment', async (type, side, balance) => {
  const { made, usdc } = await januaryOf({
    ledger: [
      entry('WITHDRAWAL_DEBIT', '4', '2026-01-04', { type: 'withdrawal', id: 'w' }),
      entry(type, '4', '2026-01-05', { type: 'withdrawal', id: 'w' }),
    ],
    history: { '2025-12-31': '16', '2026-01-31': balance },
    claims: { w: 'intent-1' },
    withdrawals: { w: { amount: '3', fee: '1', total: '4' } },
  })
  expect(made.isProven).toBe(true)
  const amountsOf = (kind: string) => usdc?.lines.find((line) => line.kind === kind)
  expect(amountsOf('refunds')).toMatchObject({ [side]: '4', count: 1 })
  expect(amountsOf('withdrawals')).toMatchObject({ out: '3', count: 1 })
})

test('entries of other months are proven and not counted, and the opening balance includes those of its first day', async () => {
  const { made, usdc } = await januaryOf(
    {
      ledger: [
        deposit('100', '2026-02-03'),
        deposit('20', '2026-01-20'),
        deposit('3', '2026-01-15'),
        deposit('1000', '2025-12-01'),
      ],
      history: { '2026-01-14': '1000', '2026-01-31': '1023' },
    },
    { from: '2026-01-15T18:00:00Z', to: '2026-02-01' },
  )
  expect(made.isProven).toBe(true)
  expect(usdc).toMatchObject({ opening: '1003', closing: '1023', proof: { entries: 2 } })
  expect(usdc?.lines).toEqual([{ kind: 'deposits', in: '20', out: '0', count: 1 }])
})

test('a history that begins in the period, or leaves out days, gives the balance of the day before', async () => {
  const first = await januaryOf({ ledger: [deposit('5', '2026-01-03')], history: { '2026-01-03': '5' } })
  expect(first.usdc).toMatchObject({ opening: '0', closing: '5', proof: { isProven: true } })
  const sparse = await januaryOf({
    ledger: [deposit('5', '2026-01-03')],
    history: { '2025-11-01': '2', '2026-01-03': '7' },
  })
  expect(sparse.usdc).toMatchObject({ opening: '2', closing: '7', proof: { isProven: true, openingDay: '2025-11-01' } })
})

const OF = (id: string) => ({ type: 'withdrawal', id })
const FIGURES = { amount: '100', fee: '4', total: '104' }

test.each([
  ['one entry', [entry('WITHDRAWAL', '104', '2026-01-05', OF('w'))]],
  [
    'amount and fee apart',
    [entry('WITHDRAWAL', '100', '2026-01-05', OF('w')), entry('WITHDRAWAL_FEE', '4', '2026-01-05', OF('w'))],
  ],
])('a fee is a line of its own, whether the ledger has it in %s', async (_, ledger) => {
  const history = { '2025-12-31': '104', '2026-01-31': '0' }
  const { made, usdc } = await januaryOf({ ledger, history, claims: { w: 'payout-1' }, withdrawals: { w: FIGURES } })
  expect(made.isProven).toBe(true)
  expect(usdc?.lines).toEqual([
    { kind: 'withdrawals', in: '0', out: '100', count: 1 },
    { kind: 'fees', in: '0', out: '4', count: 1 },
  ])
})

test('an entry that is no figure of its withdrawal is named, also where the balance proves', async () => {
  const ledger = [entry('WITHDRAWAL', '99', '2026-01-05', OF('w'))]
  const history = { '2025-12-31': '99', '2026-01-31': '0' }
  const { made } = await januaryOf({ ledger, history, claims: { w: 'payout-1' }, withdrawals: { w: FIGURES } })
  expect(made).toMatchObject({ isProven: false, assets: [{ proof: { isProven: true } }] })
  expect(made.faults).toEqual([expect.stringContaining('is none of the figures of withdrawal w')])
})

test('a withdrawal that nobody claims, or that was declared to be of others, is a movement of others', async () => {
  const ledger = [entry('WITHDRAWAL', '104', '2026-01-05', OF('w')), entry('WITHDRAWAL', '6', '2026-01-06', OF('v'))]
  const { usdc } = await januaryOf({
    ledger,
    history: { '2025-12-31': '110', '2026-01-31': '0' },
    claims: { v: FOREIGN },
  })
  expect(usdc?.lines).toEqual([{ kind: 'others', in: '0', out: '110', count: 2 }])
})

test.each([
  ['DEPOSIT', 'in'],
  ['CONVERSION_CREDIT', 'in'],
  ['CONVERSION_DEBIT', 'out'],
  ['WITHDRAWAL', 'out'],
  ['WITHDRAWAL_FEE', 'out'],
  ['WITHDRAWAL_REFUND', 'in'],
  ['WITHDRAWAL_FEE_REFUND', 'in'],
  ['REVERSAL', 'in'],
  ['DEPOSIT_REVERSAL', 'out'],
  ['OPENING_BALANCE', 'in'],
  ['ADJUSTMENT_DEBIT', 'out'],
  ['ADJUSTMENT', undefined],
  ['CREDIT_DEBIT', undefined],
  ['DIVIDEND_PAYOUT', undefined],
  ['FEE_REBATE', undefined],
  ['STAKING_REWARD', undefined],
  ['depositReceived', 'in'],
])('the type %s moves the balance %s', (type, direction) => {
  expect(directionOf(type)).toBe(direction)
})

test('over 100,000 entries it never holds more than one part of them', async () => {
  const size = 100_000
  let given = 0
  let counted = 0
  let mostAhead = 0
  const day = { createdAt: '2026-01-05T12:00:00.000Z', assetSymbol: 'USDC', amount: '0.01', id: null }
  const world = sourcesOf({ ledger: [], history: { '2025-12-31': '1000', '2026-01-31': '0' }, claims: {} })
  const service = {
    ...world.service,
    async *walkLedger() {
      for (; given < size; given += 1) {
        const source = { type: 'fill', id: `f-${given}` }
        yield { ...day, type: 'CONVERSION_DEBIT', source, orderId: `o-${given}` }
      }
    },
  }
  const onLines = () => () => {
    counted += 1
    mostAhead = Math.max(mostAhead, given - counted)
  }
  const period = readPeriod(JANUARY, NOW_MS)
  const made = await makeStatement({ ...world, service }, { period, asset: undefined }, NOW_MS, onLines)
  expect(made).toMatchObject({ isProven: true, assets: [{ lines: [{ kind: 'others', out: '1000', count: size }] }] })
  expect(mostAhead).toBeLessThan(600)
})
