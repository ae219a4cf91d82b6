// A row counts as a withdrawal of ours only if it is new and nothing in it contradicts the request.
import { describe, expect, test } from 'vitest'
import type { WithdrawFrozen } from '../../../../core/journal/intent.ts'
import { matchRows } from '../../../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../../../core/service/ports.ts'
import { WITHDRAWAL } from '../../../helpers/intents.ts'

const TRIED = { since: '2026-01-01T00:00:00.000Z', known: [{ id: 'known', at: '2026-01-01T00:00:00Z' }] }
const FROZEN: WithdrawFrozen = {
  ...WITHDRAWAL.frozen,
  subTypes: ['EXTERNAL_CRYPTO'],
  networkId: 'ETH',
  fee: '1',
  total: '100',
}
const row = (change: Partial<WithdrawalState> = {}): WithdrawalState => ({
  id: 'row-1',
  subType: 'EXTERNAL_CRYPTO',
  assetSymbol: 'USDC',
  amount: '99',
  fee: '1',
  total: '100.00',
  status: 'PENDING',
  createdAt: '2026-01-02T00:00:00Z',
  transactionHash: null,
  bankReference: null,
  networkId: 'ETH',
  ...change,
})

/** `exact`, `near` or `none`: how one row matches. */
function taken(change: Partial<WithdrawalState>, frozen: Partial<WithdrawFrozen> = {}): string {
  const { exact, near } = matchRows([row(change)], TRIED, { ...FROZEN, ...frozen })
  return exact.length > 0 ? 'exact' : near.length > 0 ? 'near' : 'none'
}

describe('a new row counts as the withdrawal', () => {
  test.each([
    ['under deduct by its total', {}, {}, 'exact'],
    ['under deduct also at another fee', { amount: '98.5', fee: '1.5' }, {}, 'exact'],
    ['under deduct not by what arrives', { amount: '100', total: '101' }, {}, 'near'],
    ['under add by what arrives', { amount: '100', fee: '2', total: '102' }, { feeMode: 'add' as const }, 'exact'],
    ['under add not by its total', {}, { feeMode: 'add' as const, total: '101' }, 'near'],
    ['not on another network', { networkId: 'TRON' }, {}, 'near'],
    ['not of another sub-type', { subType: 'INTERNAL', networkId: null }, {}, 'near'],
    ['not when it was there before', { id: 'known' }, {}, 'none'],
    ['not when it is older than the send can be', { createdAt: '2025-12-31T23:59:59Z' }, {}, 'none'],
    ['also when its time cannot be read', { createdAt: 'yesterday' }, {}, 'exact'],
    ['not with figures of its own', { amount: '6', total: '7' }, {}, 'none'],
    ['nearly, when an increment that became coarser has cut it', { amount: '60', fee: '0', total: '60' }, {}, 'near'],
    [
      'nearly, when it is cut to a usual increment, and shown with another network',
      { amount: '124', total: '125', networkId: 'TRON' },
      { amount: '130.3', total: '130.3' },
      'near',
    ],
    [
      'nearly, when what arrives is cut so, and shown with another sub-type',
      { amount: '120', fee: '2.5', total: '122.5', subType: 'INTERNAL', networkId: null },
      { feeMode: 'add' as const, amount: '125.7', total: '126.7' },
      'near',
    ],
    [
      'not on another network with an amount that no usual increment cuts',
      { amount: '126', total: '127', networkId: 'TRON' },
      { amount: '130.3', total: '130.3' },
      'none',
    ],
    [
      'nearly, when it is cut so, and its chain is not given',
      { amount: '60', fee: '0', total: '60', networkId: null },
      {},
      'near',
    ],
    ['in another spelling of its asset', { assetSymbol: 'usdc' }, {}, 'exact'],
    ['also with spaces around its asset', { assetSymbol: 'USDC ' }, {}, 'exact'],
    [
      'by the ticker of an equity',
      { assetSymbol: 'aaplx' },
      { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' },
      'exact',
    ],
    ['also when it names no asset', { assetSymbol: null }, {}, 'exact'],
    ['nearly, when it names another asset', { assetSymbol: 'USDT' }, {}, 'near'],
    ['not with another asset and figures of its own', { assetSymbol: 'USDT', amount: '6', total: '7' }, {}, 'none'],
    ['nearly, when it is off by a fee', { amount: '98', fee: '1', total: '99' }, {}, 'near'],
  ])('%s: %o', (_, change, frozen, expected) => {
    expect(taken(change, frozen)).toBe(expected)
  })
})

test('two matching rows are both returned', () => {
  const { exact } = matchRows([row(), row({ id: 'row-2' })], TRIED, FROZEN)
  expect(exact.map(({ id }) => id)).toEqual(['row-1', 'row-2'])
})
