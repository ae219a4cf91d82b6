// Tests statements over a year of a simulated treasury: each proves against the service's own balance history, and they follow
// each other without a gap.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPeriod } from '../../../operations/books/period.ts'
import type { AccountStatement, AssetStatement } from '../../../operations/books/statement/account-statement.ts'
import { makeStatement } from '../../../operations/books/statement/make-statement.ts'
import { DIRECTIONS } from './strange-assets.ts'
import { HARD, monthMs, playYear, type Treasury } from './treasury-year.ts'

type Made = Omit<AccountStatement, 'account'>

let treasury: Treasury
let months: Made[]

beforeAll(async () => {
  treasury = await playYear()
  months = await Promise.all(
    Array.from({ length: 12 }, (_, month) => statement(iso(monthMs(month)), iso(monthMs(month + 1)))),
  )
})
afterAll(() => treasury.stop())

const iso = (ms: number) => new Date(ms).toISOString()

function statement(from: string, to?: string, { zone, asset }: { zone?: string; asset?: string } = {}): Promise<Made> {
  const nowMs = treasury.clock.nowMs()
  const period = readPeriod({ from, ...(to && { to }), ...(zone && { zone }) }, nowMs)
  return makeStatement(
    { journal: treasury.journal, service: treasury.client },
    { period, asset, directions: DIRECTIONS },
    nowMs,
  )
}

function ofAsset(made: Made | undefined, asset: string): AssetStatement {
  const found = made?.assets.find((each) => each.asset === asset)
  if (found === undefined) throw new TypeError(`the statement has no ${asset}`)
  return found
}
const lineOf = (month: number, asset: string, kind: string) =>
  ofAsset(months[month], asset).lines.find((line) => line.kind === kind)

test('twelve statements prove, and each begins with the balance with which the one before it ended', () => {
  for (const [month, made] of months.entries()) {
    expect({ month, isProven: made.isProven, faults: made.faults }).toEqual({ month, isProven: true, faults: [] })
    for (const { asset, opening } of made.assets) {
      const before = months[month - 1]?.assets.find((each) => each.asset === asset)
      if (before !== undefined) expect({ month, asset, opening }).toEqual({ month, asset, opening: before.closing })
    }
  }
})

test('the last closing balances are the balances that the service shows', async () => {
  const shown = new Map((await treasury.client.balances()).map(({ assetSymbol, balance }) => [assetSymbol, balance]))
  for (const { asset, closing } of months[11]?.assets ?? []) expect([asset, closing]).toEqual([asset, shown.get(asset)])
})

test('a movement of others has a line of its own, and no line of ours has it', () => {
  expect(lineOf(HARD.others, 'USDC', 'others')).toEqual({ kind: 'others', in: '0', out: '1271.66', count: 2 })
  expect(lineOf(HARD.others, 'USDC', 'withdrawals')).toEqual({ kind: 'withdrawals', in: '0', out: '100.5', count: 1 })
  expect(lineOf(HARD.others, 'USDC', 'conversions')).toMatchObject({ count: 2 })
  expect(lineOf(HARD.refund, 'USDC', 'others')).toBeUndefined()
})

test('a refund returns what was sent with its fee', () => {
  expect(lineOf(HARD.refund, 'USDC', 'withdrawals')).toEqual({ kind: 'withdrawals', in: '0', out: '170.5', count: 2 })
  expect(lineOf(HARD.refund, 'USDC', 'fees')).toEqual({ kind: 'fees', in: '0', out: '8', count: 2 })
  expect(lineOf(HARD.refund, 'USDC', 'refunds')).toEqual({ kind: 'refunds', in: '74', out: '0', count: 1 })
})

test('a corporate action is a line that changes the shares for people and no settled quantity', () => {
  const shares = ofAsset(months[HARD.action], 'NVDASPV')
  expect(shares.actions).toHaveLength(1)
  const [action] = shares.actions
  expect(action).toMatchObject({ newMultiplier: '20' })
  expect(Number(action?.newRebased) / Number(action?.oldRebased)).toBeCloseTo(20 / Number(action?.oldMultiplier), 6)
  expect(shares.rebased).toMatchObject({ closingMultiplier: '20', openingMultiplier: action?.oldMultiplier })
  expect(ofAsset(months[HARD.action + 1], 'NVDASPV')).toMatchObject({
    actions: [],
    rebased: { openingMultiplier: '20' },
  })
})

test('each part of an order on credit is in the ledger of its own time', () => {
  expect(lineOf(HARD.credit, 'GBP', 'conversions')).toEqual({ kind: 'conversions', in: '0', out: '100', count: 3 })
  expect(lineOf(HARD.credit, 'GBP', 'deposits')).toEqual({ kind: 'deposits', in: '125', out: '0', count: 3 })
})

test('a payout across midnight belongs to the month in which the ledger books it', () => {
  expect(lineOf(HARD.midnight, 'USDC', 'withdrawals')).toMatchObject({ out: '100.5', count: 1 })
  expect(lineOf(HARD.midnight + 1, 'USDC', 'withdrawals')).toMatchObject({ out: '156.05', count: 2 })
})

test('in another zone the payout across midnight is in another month, and both statements prove', async () => {
  const [september, october] = await Promise.all([
    statement('2026-09-01', '2026-10-01', { zone: 'America/New_York', asset: 'usdc' }),
    statement('2026-10-01', '2026-11-01', { zone: 'America/New_York', asset: 'usdc' }),
  ])
  expect([september?.isProven, october?.isProven]).toEqual([true, true])
  expect(ofAsset(september, 'USDC').lines.find(({ kind }) => kind === 'withdrawals')).toMatchObject({ out: '156.05' })
  expect(ofAsset(september, 'USDC').closing).toBe(ofAsset(october, 'USDC').opening)
})

test('a statement up to the present proves against the balance of today', async () => {
  const made = await statement('2026-12-15')
  expect(made).toMatchObject({ isProven: true, to: iso(treasury.clock.nowMs()) })
})

test.each([
  ['lists in any order, in pages of three rows', { rows: ['unstable', 'small'] }],
  ['books amount and fee apart', { rows: [], entries: 'parts' }],
])('a month proves the same at a service that %s', async (_, manners) => {
  treasury.sandbox.control('POST', '/manners', manners)
  const made = await statement(iso(monthMs(HARD.refund)), iso(monthMs(HARD.refund + 1)))
  treasury.sandbox.control('POST', '/manners', { rows: [], entries: 'whole' })
  expect(made.isProven).toBe(true)
  const amounts = ({ assets }: Made) =>
    assets.map((each) => [
      each.asset,
      each.opening,
      each.closing,
      each.lines.map((line) => [line.kind, line.in, line.out]),
    ])
  expect(amounts(made)).toEqual(amounts(months[HARD.refund] as Made))
})
