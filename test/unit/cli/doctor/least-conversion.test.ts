// The conversion that verifies a deployment is the smallest one that the account can pay.
import { expect, test } from 'vitest'
import { verifyId } from '../../../../operations/doctor/after-deploy/convert-once.ts'
import { leastConversion } from '../../../../operations/doctor/after-deploy/least-conversion.ts'

type Reads = Parameters<typeof leastConversion>[1]

/** An account with these balances, on a market whose minimum is not a multiple of a step. */
function serviceWith(held: Readonly<Record<string, readonly [balance: string, frozen: string]>>): Reads {
  const market = { id: 'ETH-EUR', baseAsset: 'ETH', quoteAsset: 'EUR', minBaseAmount: '0.0021', minQuoteAmount: '5' }
  const balances = Object.entries(held).map(([assetSymbol, [balance, balanceFrozen]]) => {
    return { assetSymbol, balance, balanceFrozen }
  })
  const asset = async (code: string) => ({ amountIncrement: code === 'EUR' ? '0.01' : '0.002' })
  // The client has only the calls that are used.
  return { market: async () => market, asset, balances: async () => balances } as unknown as Reads
}

test('the smallest conversion buys with the quote asset where there is enough of it', async () => {
  expect(await leastConversion('ETH-EUR', serviceWith({ EUR: ['5', '0'] }))).toEqual({
    ...{ baseAsset: 'ETH', quoteAsset: 'EUR', side: 'BUY' },
    ...{ amountAsset: 'EUR', amount: '5' },
  })
})

test('otherwise it sells, and raises the minimum to the next step', async () => {
  expect(await leastConversion('ETH-EUR', serviceWith({ EUR: ['5', '0.01'], ETH: ['0.004', '0'] }))).toEqual({
    ...{ baseAsset: 'ETH', quoteAsset: 'EUR', side: 'SELL' },
    ...{ amountAsset: 'ETH', amount: '0.004' },
  })
})

test('with too little of both it names the needed amounts', async () => {
  expect(await leastConversion('ETH-EUR', serviceWith({ ETH: ['0.0039', '0'] }))).toMatchObject({
    status: 'fail',
    detail: 'not started: the least on ETH-EUR is 5 EUR or 0.004 ETH, and the account has neither',
  })
})

test('the id says when it was asked for', () => {
  expect(verifyId(Date.parse('2026-01-31T09:00:05.678Z'))).toBe('verify-20260131T090005678Z')
})
