// Tests which hubs a draft of treasury.json names, and how it reports a conversion that no market allows.
import { expect, test } from 'vitest'
import { findWays, treasuryText } from '../../../../operations/setup/draft.ts'
import type { Reference } from '../../../../operations/setup/reference.ts'

const MARKETS = ['BTC-USD', 'EUR-USD', 'ETH-USDC', 'SOL-USDC', 'USDC-USD', 'DAI-GBP', 'DAI-BTC', 'XMR-DASH']
const pairs = MARKETS.map((id) => id.split('-') as [string, string])
const reference: Reference = {
  assets: [...new Set(pairs.flat())].map((code) => ({ assetSymbol: code, rebasedSymbol: code })),
  markets: pairs.map(([baseAsset, quoteAsset]) => ({ baseAsset, quoteAsset })),
  contacts: [],
}
const usual = { name: 'first', mode: 'shadow', schedule: 'none', 'approve-above': '1000', keep: '0' }
const waysOf = (answers: Readonly<Record<string, string>>) => findWays({ ...usual, ...answers }, reference)

test.each([
  ['a rebalance', { kind: 'rebalance', weights: 'BTC=0.5,EUR=0.5' }],
  ['a fund', { kind: 'fund', asset: 'EUR', 'at-least': '1', from: 'BTC,USD' }],
  ['a conversion on arrival', { kind: 'convert-on-arrival', asset: 'BTC', into: 'EUR' }],
  ['a payment by one market', { kind: 'convert-and-withdraw', sell: 'ETH', into: 'USDC', contact: 'cold' }],
  ['a sweep', { kind: 'sweep', assets: 'SOL', contact: 'cold' }],
])('the draft of %s names no hub if the default hub is enough', (_what, answers) => {
  expect(waysOf(answers)).toEqual({ mismatches: [] })
})

test.each([
  ['a rebalance', { kind: 'rebalance', weights: 'ETH=0.5,SOL=0.5' }, ['USD', 'USDC']],
  ['a fund', { kind: 'fund', asset: 'ETH', 'at-least': '1', from: 'SOL' }, ['USD', 'USDC']],
  ['a conversion on arrival', { kind: 'convert-on-arrival', asset: 'ETH', into: 'USD' }, ['USD', 'USDC']],
])('the draft of %s names a second hub if its assets need that hub', (_what, answers, hubs) => {
  expect(waysOf(answers)).toEqual({ mismatches: [], hubs })
  const facts = { schema: './x.json', serviceUrl: 'https://a.example', stage: 'test', hubs } as const
  expect(JSON.parse(treasuryText({ ...usual, ...answers }, facts)).policies.first).toMatchObject({ hubs })
})

test.each([
  [
    { kind: 'rebalance', weights: 'BTC=0.5,XMR=0.5' },
    ['--weights: ', 'turns XMR into another asset', 'what XMR is worth'],
  ],
  [
    { kind: 'fund', asset: 'XMR', 'at-least': '1', from: 'BTC' },
    ['--from: ', 'turns BTC into XMR', 'what XMR is worth'],
  ],
  [{ kind: 'convert-on-arrival', asset: 'XMR', into: 'DASH' }, ['--into: ', 'what XMR is worth', 'what DASH is worth']],
  [
    { kind: 'convert-and-withdraw', sell: 'BTC', into: 'EUR', contact: 'cold' },
    ['--into: ', 'turns BTC into EUR directly'],
  ],
])('an answer that no hub can serve is reported with its flag: %j', (answers, parts) => {
  const text = waysOf(answers).mismatches.join('\n')
  for (const part of parts) expect(text).toContain(part)
})
