// The doctor suggests the fewest hubs by which the needed assets can be traded.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarketNet } from '../../../../operations/doctor/market-net.ts'

const netOf = (...ids: string[]) =>
  createMarketNet(
    ids.map((id) => {
      const [baseAsset = '', quoteAsset = ''] = id.split('-')
      return { baseAsset, quoteAsset }
    }),
  )

test('a need is met by a market in either direction, or by two that meet in a hub', () => {
  const net = netOf('BTC-USD', 'EUR-USD', 'SOL-USDC')
  expect(net.isMet({ from: 'USD', to: ['BTC'] }, [])).toBe(true)
  expect(net.isMet({ from: 'BTC', to: ['EUR'] }, [])).toBe(false)
  expect(net.isMet({ from: 'BTC', to: ['EUR'] }, ['USD'])).toBe(true)
  expect(net.isMet({ from: 'BTC', to: ['SOL', 'EUR'] }, ['USDC', 'USD'])).toBe(true)
  expect(net.isMet({ from: 'SOL', to: ['EUR'] }, ['USD', 'USDC'])).toBe(false)
})

test('the hub that meets most is suggested first, and no more than are needed', () => {
  const net = netOf('A-USDC', 'B-USDC', 'C-USDC', 'A-USDT', 'B-USDT', 'D-EUR', 'C-EUR')
  expect(net.suggestHubs([{ from: 'A', to: ['B'] }], [])).toEqual(['USDC'])
  const needs = [
    { from: 'A', to: ['B'] },
    { from: 'B', to: ['C'] },
    { from: 'D', to: ['C'] },
  ]
  expect(net.suggestHubs(needs, [])).toEqual(['USDC', 'EUR'])
  expect(net.suggestHubs(needs, ['EUR'])).toEqual(['USDC'])
  expect(net.suggestHubs([{ from: 'A', to: ['D'] }], ['USDT'])).toEqual([])
})

const asset = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G')
const pair = fc.tuple(asset, asset).filter(([one, other]) => one !== other)

test('the suggestion meets whatever a hub could meet, in any order of the markets', () => {
  fc.assert(
    fc.property(
      fc.array(pair),
      fc.array(pair, { maxLength: 5 }),
      fc.uniqueArray(asset, { maxLength: 2 }),
      (ids, wants, hubs) => {
        const net = netOf(...ids.map((id) => id.join('-')))
        const needs = wants.map(([from, to]) => ({ from, to: [to] }))
        const suggested = net.suggestHubs(needs, hubs)
        const turned = netOf(...ids.toReversed().map(([one, other]) => `${other}-${one}`))
        expect(turned.suggestHubs(needs, hubs)).toEqual(suggested)
        expect(new Set([...hubs, ...suggested]).size).toBe(hubs.length + suggested.length)
        for (const need of needs) {
          const couldBe = [...'ABCDEFG'].some((hub) => net.isMet(need, [hub]))
          expect(net.isMet(need, [...hubs, ...suggested])).toBe(couldBe)
        }
      },
    ),
  )
})
