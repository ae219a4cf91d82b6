// Tests the doctor's findings about policies' hubs, with markets from the test.
import { expect, test } from 'vitest'
import { treasury } from '../../../../core/contract/treasury.ts'
import type { Asset } from '../../../../core/service/assets.ts'
import type { Contact } from '../../../../core/service/contacts.ts'
import type { Market } from '../../../../core/service/markets.ts'
import { policyChecks } from '../../../../operations/doctor/policy-checks.ts'

const LISTED = { do: 'query', query: 'markets', why: 'lists the known ones' } as const

const MARKETS = ['BTC-USD', 'ETH-USDC', 'SOL-USDC', 'USDC-USD', 'EUR-USD', 'GBP-USD']

const FIGURES = {
  ...{ amountIncrement: '0.01', maxIndicativeQuoteAmount: '0', minimumWithdrawal: '1', minimumInternalWithdrawal: '0' },
  networks: [{ withdrawalFee: '1', minimumWithdrawal: '1' }],
}

async function unwell(
  policies: Readonly<Record<string, unknown>>,
  ids: readonly string[] = MARKETS,
  odd: { readonly asset?: string; readonly figures?: object } = {},
) {
  const codes = [...new Set(['DOGE', 'USD', ...ids.flatMap((id) => id.split('-'))])]
  const service = {
    assets: async () =>
      codes.map((code) => {
        const figures = { ...FIGURES, ...(code === odd.asset && odd.figures) }
        return { assetSymbol: code, rebasedSymbol: code, ...figures } as Asset
      }),
    markets: async () =>
      ids.map((id) => {
        const [baseAsset = '', quoteAsset = ''] = id.split('-')
        return { id, baseAsset, rebasedBaseAsset: baseAsset, quoteAsset } as Market
      }),
    contact: async (id: string) => ({ id, type: 'INTERNAL' }) as Contact,
  }
  const parsed = treasury.parse({ service: { url: 'https://a.example', stage: 'test' }, policies })
  const checks = await policyChecks(parsed, service)
  return checks.filter(({ status }) => status !== 'ok').map(({ check: _check, ...told }) => told)
}

test('a policy whose markets meet in its hubs is fine', async () => {
  expect(await unwell({ mix: { kind: 'rebalance', weights: { BTC: '0.5', EUR: '0.5' } } })).toEqual([])
})

test('a figure that cannot be read is named with its asset, where a policy names the asset', async () => {
  const figures = { networks: [{ withdrawalFee: 'unreadable: 0E-8', minimumWithdrawal: '1' }] }
  const mix = { kind: 'rebalance', weights: { BTC: '0.5', EUR: '0.5' } }
  const detail = 'policies.mix.weights.BTC: withdrawalFee of BTC is unreadable: 0E-8'
  expect(await unwell({ mix }, MARKETS, { asset: 'BTC', figures })).toMatchObject([{ status: 'fail', detail }])
  expect(await unwell({ mix }, MARKETS, { asset: 'SOL', figures })).toEqual([])
})

test('an asset without a way to the others, or to a price, is reported with suitable hubs', async () => {
  const next = 'set policies.mix.hubs to ["USD","USDC"]'
  const ends = ['ETH is worth in USD', 'SOL is worth in USD']
  const toAnother = ['ETH', 'SOL'].map((code) => `${code} into another asset of the policy`)
  expect(
    await unwell({ mix: { kind: 'rebalance', weights: { EUR: '0.3', GBP: '0.1', ETH: '0.3', SOL: '0.3' } } }),
  ).toEqual(
    [...toAnother.map((end) => `turns ${end}`), ...ends.map((end) => `tells what ${end}`)].map((what) => ({
      ...{ status: 'fail', next },
      detail: expect.stringContaining(`no market ${what} directly or through USD`),
    })),
  )
})

test('without a suitable hub the report has none, and names hubs for the other assets', async () => {
  const found = await unwell({
    till: { kind: 'fund', asset: 'ETH', atLeast: '1', from: [{ asset: 'SOL' }, { asset: 'DOGE' }] },
  })
  expect(found.map(({ detail, next }) => [detail.split(' ', 1)[0], next])).toEqual([
    ['policies.till.from[0].asset:', 'set policies.till.hubs to ["USD","USDC"]'],
    ['policies.till.from[1].asset:', LISTED],
    ['policies.till.asset:', 'set policies.till.hubs to ["USD","USDC"]'],
    ['policies.till.from[0].asset:', 'set policies.till.hubs to ["USD","USDC"]'],
    ['policies.till.from[1].asset:', LISTED],
  ])
})

test('a sweep gets no suggested hub, because it converts by one market', async () => {
  const rules = [{ assets: ['SOL'], convertInto: 'BTC', contactId: 'cold' }]
  expect(await unwell({ away: { kind: 'sweep', rules } })).toEqual([
    {
      ...{ status: 'fail', next: LISTED },
      detail: 'policies.away.rules[0].convertInto: no market turns SOL into BTC directly',
    },
  ])
})

const MIX = { kind: 'rebalance', weights: { ETH: '0.5', SOL: '0.5' }, hubs: ['USDC'] }
const sweepOf = (rule: object) => ({ kind: 'sweep', rules: [{ contactId: 'cold', ...rule }] })

test.each([
  ['a sweep by name', { away: sweepOf({ assets: ['BTC', 'USDC'] }) }, 'policies.away.rules[0] sweeps USDC'],
  ['a sweep of the rest', { away: sweepOf({ allBut: ['ETH', 'SOL'] }) }, 'policies.away.rules[0] sweeps USDC'],
  [
    'a conversion on arrival',
    { away: { kind: 'convert-on-arrival', asset: 'USDC', into: 'USD' } },
    'policies.away converts USDC',
  ],
])('a hub that %s takes is a warning', async (_what, policies, told) => {
  expect(await unwell({ mix: MIX, ...policies })).toEqual([
    {
      ...{ status: 'warn', next: 'leave USDC out there, keep some of it, or name another hub' },
      detail: expect.stringContaining(`${told}, a hub: `),
    },
  ])
})

test.each([
  [
    'has a weight',
    { mix: { ...MIX, weights: { ETH: '0.5', SOL: '0.5', USDC: '0' } }, away: sweepOf({ assets: ['USDC'] }) },
  ],
  [
    'is not needed',
    { mix: { ...MIX, weights: { BTC: '0.5', USD: '0.5' }, hubs: ['USDC'] }, away: sweepOf({ assets: ['USDC'] }) },
  ],
  ['only a shadow takes', { mix: MIX, away: { ...sweepOf({ assets: ['USDC'] }), mode: 'shadow' } }],
  [
    'pays a fixed amount',
    { mix: MIX, away: { kind: 'convert-and-withdraw', from: 'USDC', into: 'USD', amount: '1', contactId: 'cold' } },
  ],
])('a hub that %s gives no warning', async (_what, policies) => {
  expect(await unwell(policies)).toEqual([])
})
