// Tests the account now: holdings, their total, and the targets of each policy, by the answers of the service alone.
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { accountOf, worthIn } from '../../../../operations/overview/account.ts'

const balance = (assetSymbol: string, figures: object) => ({
  assetSymbol,
  ...{ balance: '0', balanceFrozen: '0', balancePending: '0', balancePrefCurrency: '0', balanceUSD: '0' },
  multiplier: '1',
  ...figures,
})

const treasury = parseTreasury(
  JSON.stringify({
    service: { url: 'https://api.example.com', stage: 'test' },
    policies: {
      core: { kind: 'rebalance', weights: { btc: '0.6', ETH: '0.4' } },
      reserve: { kind: 'rebalance', amounts: { USDC: '5000' }, valuationAsset: 'EUR', hubs: ['EUR'] },
      payout: { kind: 'sweep', rules: [{ assets: ['EUR'], keep: { target: '1' }, contactId: 'c-1' }] },
    },
  }),
)

test('the total is the exact sum of the values, debts included, and an empty balance is left out', () => {
  const { holdings, totalValue } = accountOf(
    [
      balance('USDC', { balance: '20000', balanceFrozen: '1000', balanceUSD: '19999.123456789012345678' }),
      balance('EUR', { balance: '-5', balanceUSD: '-5.000000000000000001' }),
      balance('SOL', { balancePending: '3' }),
      balance('ETH', {}),
    ],
    treasury,
  )
  expect(totalValue).toBe('19994.123456789012345677')
  expect(holdings).toEqual([
    { asset: 'USDC', balance: '20000', leaving: '1000', arriving: '0', value: '19999.123456789012345678' },
    { asset: 'EUR', balance: '-5', leaving: '0', arriving: '0', value: '-5.000000000000000001' },
    { asset: 'SOL', balance: '0', leaving: '0', arriving: '3', value: '0' },
  ])
})

test('each policy with targets shows what is held of its assets, and a payout has no targets', () => {
  const { targets } = accountOf([balance('BTC', { balance: '2', balanceUSD: '120000' })], treasury)
  expect(targets).toMatchObject([
    {
      ...{ policy: 'core', isShare: true },
      rows: [
        { asset: 'btc', target: '0.6', holding: { asset: 'BTC', balance: '2', value: '120000' } },
        { asset: 'ETH', target: '0.4', holding: undefined },
      ],
    },
    { policy: 'reserve', isShare: false, unit: 'EUR', rows: [{ asset: 'USDC', target: '5000' }] },
  ])
})

test('an amount is worth its part of what the service says the holding is worth', () => {
  const account = {
    at: '2026-01-31T09:00:00Z',
    ...accountOf([balance('BTC', { balance: '3', balanceUSD: '200000' })], treasury),
  }
  expect(worthIn(account, 'BTC', '1')).toBe('66666.666666666666666666')
  expect(worthIn(account, 'ETH', '1')).toBeUndefined()
  expect(worthIn({ at: '', unread: 'no answer', next: 'wait' }, 'BTC', '1')).toBeUndefined()
})

test('a figure that cannot be read hides its own asset, and is named with its text', () => {
  const { holdings, unreadable, totalValue } = accountOf(
    [balance('BTC', { balance: '2', balanceUSD: '120000' }), balance('ETH', { balance: 'unreadable: 0E-8' })],
    treasury,
  )
  expect(holdings.map(({ asset }) => asset)).toEqual(['BTC'])
  expect(unreadable).toEqual(['balance of ETH is unreadable: 0E-8'])
  expect(totalValue).toBe('120000')
})
