// The facts of an asset are read once in a quarter of an hour, and never those of another asset.
import { expect, it } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import { createKnownAssets, KNOWN_ASSET_AGE_LIMIT_MS } from '../../../core/service/assets.ts'
import type { Reader } from '../../../core/service/reader.ts'
import { manualClock } from '../../helpers/manual-clock.ts'

function setUp() {
  const clock = manualClock()
  const asked: string[] = []
  const service = { amountIncrement: '0.01', isDown: false }
  const read = async ({ target }: { target: string }) => {
    asked.push(target)
    if (service.isDown) throw new Transient('no answer')
    const assetSymbol = target.split('/').at(-1)
    return { assetSymbol, rebasedSymbol: assetSymbol, amountIncrement: service.amountIncrement }
  }
  const find = createKnownAssets({ read } as unknown as Reader, clock)
  return { clock, asked, service, find, increment: async (code: string) => (await find(code)).amountIncrement }
}

it('is read once an asset, until it is a quarter of an hour old', async () => {
  const { clock, asked, service, increment } = setUp()
  expect([await increment('BTC'), await increment('BTC'), await increment('ETH')]).toEqual(['0.01', '0.01', '0.01'])
  expect(asked).toEqual(['/v2/assets/BTC', '/v2/assets/ETH'])
  service.amountIncrement = '0.1'
  clock.advance(KNOWN_ASSET_AGE_LIMIT_MS - 1)
  expect(await increment('BTC')).toBe('0.01')
  clock.advance(1)
  expect(await increment('BTC')).toBe('0.1')
})

it('is read again after the clock of this machine was set back', async () => {
  const { clock, asked, increment } = setUp()
  await increment('BTC')
  clock.set(-1)
  await increment('BTC')
  expect(asked).toHaveLength(2)
})

it('is not kept if it could not be read', async () => {
  const { service, increment } = setUp()
  service.isDown = true
  await expect(increment('BTC')).rejects.toThrow(Transient)
  service.isDown = false
  expect(await increment('BTC')).toBe('0.01')
})

it('is an error if another asset came than requested', async () => {
  const read = async () => ({ assetSymbol: 'ETH', rebasedSymbol: 'ETH', amountIncrement: '0.01' })
  const find = createKnownAssets({ read } as unknown as Reader, manualClock())
  await expect(find('BTC')).rejects.toThrow('the asset that came is not the one that was asked for')
  await expect(find('eth')).resolves.toMatchObject({ assetSymbol: 'ETH' })
})
