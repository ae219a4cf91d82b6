// Movements whose asset or market the service spells differently from the request.
import { expect, test } from 'vitest'
import { findWaitingFor } from '../../../../core/movements/withdrawal/foreign.ts'
import { testOfConversion, testOfWithdrawal } from '../../../../operations/runs/new-directory/movement-test.ts'
import { ROW } from '../../../helpers/fake-withdrawal-service.ts'

const ASSETS = [
  { assetSymbol: 'BTC', rebasedSymbol: 'BTC', amountIncrement: '0.00000001' },
  { assetSymbol: 'USDC', rebasedSymbol: 'USDC', amountIncrement: '0.01' },
  { assetSymbol: 'AAPLX', rebasedSymbol: 'AAPL', amountIncrement: '0.01' },
]

test.each(['AAPLX', 'aaplx', 'AAPL', ' AAPLX ', '', ' ', 'AAPL.OLD'])(
  'a row named %j may be an earlier movement of the id',
  (assetSymbol) => {
    const { withdrawal } = testOfWithdrawal({ assetSymbol: 'AAPLX', amount: '1', contactId: 'c' } as never)
    expect(withdrawal?.({ ...ROW, assetSymbol, amount: '1', total: '1' }, ASSETS)).toBe(true)
    expect(withdrawal?.({ ...ROW, assetSymbol: 'BTC', amount: '1', total: '1' }, ASSETS)).toBe(false)
  },
)

test.each(['AAPLX-USDC', 'AAPL-USDC', 'AAPLX-USDC ', 'aapl-usdc', 'AAPLX - USDC', 'AAPLX/USDC', ''])(
  'an order on %j may be an earlier movement of the id',
  (market) => {
    const asked = { baseAsset: 'AAPLX', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '100' }
    const { order } = testOfConversion(asked as never)
    const shown = { id: 'o', side: 'BUY', baseAsset: 'AAPLX', quoteAsset: 'USDC', createdAt: '' }
    const figures = { baseAmount: '1', quoteAmount: '100' }
    expect(order?.({ ...shown, ...figures, market } as never, ASSETS)).toBe(true)
    expect(order?.({ ...shown, ...figures, market: 'BTC-USDC' } as never, ASSETS)).toBe(false)
  },
)

test.each(['AAPLX', 'AAPL', 'aaplx '])(
  'a row named %j may be that of an intent whose record was lost',
  (assetSymbol) => {
    const lost = {
      ...{ intentId: 'lost-1', kind: 'withdraw', state: 'ESCALATED', createdAt: '2026-01-01T00:00:00Z' },
      ...{ params: { assetSymbol: 'AAPLX', amount: '100' }, frozen: { fenceSeconds: 1 } },
    } as never
    const shown = { kind: 'withdraw', id: 'r', row: { ...ROW, id: 'r', assetSymbol } } as const
    expect(() => findWaitingFor(shown, [lost], [])).toThrow('may be the movement of intent lost-1')
    expect(findWaitingFor({ ...shown, row: { ...ROW, assetSymbol: 'BTC' } }, [lost], [])).toEqual([])
  },
)
