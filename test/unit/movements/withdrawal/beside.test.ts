// Two withdrawals go side by side only if no row of the service could be either's.
import { describe, expect, test } from 'vitest'
import type { OpenWithdrawal, WithdrawFrozen } from '../../../../core/journal/intent.ts'
import { mayGoBeside, rowsOfOthers } from '../../../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../../../core/service/ports.ts'
import { WITHDRAWAL } from '../../../helpers/intents.ts'

const asked = (amount: string, change: Partial<WithdrawFrozen> = {}): WithdrawFrozen => ({
  ...WITHDRAWAL.frozen,
  ...{ subTypes: ['EXTERNAL_CRYPTO'], networkId: 'ETH', fee: '1', amount, total: amount },
  ...change,
})

describe('two withdrawals of an asset, side by side', () => {
  test.each([
    ['amounts that are far apart', asked('100'), asked('250'), true],
    ['amounts that are close, and no cut of each other', asked('103.7'), asked('103.9'), true],
    ['equal amounts', asked('100'), asked('100.00'), false],
    ['equal amounts on different networks', asked('100'), asked('100', { networkId: 'TRON' }), false],
    ['an amount that is the other, cut to tenths', asked('103.7'), asked('103.75'), false],
    ['an amount that is the other, cut to a step of 25', asked('125'), asked('149.9'), false],
    ['an amount that is the other, cut to a step of 0.05', asked('100.05'), asked('100.07'), false],
    ['amounts whose difference is the fee', asked('103.7'), asked('104.7'), false],
    ['different fee modes', asked('100'), asked('250', { feeMode: 'add', total: '251' }), false],
    ['an increment of an unusual step', asked('100', { increment: '0.003' }), asked('250'), false],
  ])('%s: %#', (_, one, other, may) => {
    expect(mayGoBeside(one, other)).toBe(may)
    expect(mayGoBeside(other, one)).toBe(may)
  })
})

describe('a row', () => {
  const attempt = {
    ...{ owner: 'o', nonce: 'n', kid: 'svc_test_0123456789ab', iat: 1_767_225_600, exp: 1_767_225_630, bodySha256: '' },
    ...{ fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 }, fee: '1', since: '2025-12-30T00:00:00Z', known: [] },
  }
  const other: OpenWithdrawal = {
    ...{ intentId: 'other', kind: 'withdraw', paramsHash: '', version: 2, attemptNumber: 1, state: 'ARMED', attempt },
    ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z', params: WITHDRAWAL.params },
    frozen: asked('103.7'),
  }
  const row = (change: Partial<WithdrawalState> = {}): WithdrawalState => ({
    ...{ id: 'row-1', subType: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'ETH', status: 'PENDING' },
    ...{ amount: '102.7', fee: '1', total: '103.7', createdAt: '2026-01-01T00:00:01Z' },
    ...{ transactionHash: null, bankReference: null, ...change },
  })

  test.each([
    ['is the other’s if it is exactly what the other requested', [row()], other, ['row-1']],
    ['is the other’s also at a dearer fee', [row({ amount: '101.2', fee: '2.5' })], other, ['row-1']],
    ['is nobody’s if it is only like what the other requested', [row({ total: '103', amount: '102' })], other, []],
    ['is nobody’s if a second is like it', [row(), row({ id: 'row-2' })], other, []],
    ['is nobody’s if it has a figure of this one too', [row({ amount: '98.3', fee: '5.4' })], other, []],
    ['is nobody’s if the other is settled', [row()], { ...other, state: 'EXHAUSTED' }, []],
    ['is nobody’s if the other has sent nothing', [row()], { ...other, attempt: undefined }, []],
    ['is nobody’s if the other could make a row like this one’s', [row()], { ...other, frozen: asked('98.3') }, []],
  ])('%s', (_, rows, beside, theirs) => {
    expect([...rowsOfOthers(rows, asked('98.3'), [beside as OpenWithdrawal])]).toEqual(theirs)
  })
})
