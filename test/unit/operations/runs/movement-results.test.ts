// The result and the exit code of a conversion or a withdrawal follow from how its execution ended.
import { describe, expect, test } from 'vitest'
import { ConvertEnd, WithdrawEnd } from '../../../../core/contract/outcomes.ts'
import { convertResultOf, withdrawResultOf } from '../../../../operations/runs/movement-operations.ts'
import { convertExitCode, withdrawExitCode } from '../../../../place/exit-code.ts'
import { describeConversion, describeWithdrawal } from '../../../../views/runs/movement-words.ts'

const filled = {
  ...{ attempts: 1, fills: [], quoteAmount: '16000', baseAmount: '0.25', rate: '64000', side: 'BUY' },
  ...{ market: 'BTC-USDC', orderId: 'order-1', intentId: 'id-1', outcome: 'FILLED', waits: 3 },
}
const completed = {
  ...{ attempts: 1, bankReference: null, transactionHash: '0xabc', total: '100', fee: '2', amount: '98' },
  ...{ assetSymbol: 'USDC', withdrawalId: 'w-1', intentId: 'id-1', outcome: 'COMPLETED', waits: 3 },
}
const candidate = {
  ...{ id: 'w-1', subType: 'EXTERNAL_CRYPTO', networkId: 'ETH', amount: '98', fee: '2', total: '100' },
  ...{ status: 'PENDING', createdAt: '2026-01-01T00:00:00Z', transactionHash: null, bankReference: null },
}

describe.each([
  {
    kind: 'conversion',
    resultOf: convertResultOf,
    output: filled,
    printed:
      '{"outcome":"FILLED","intentId":"id-1","orderId":"order-1","market":"BTC-USDC","side":"BUY","rate":"64000","baseAmount":"0.25","quoteAmount":"16000","fills":[],"attempts":1}',
    cause: { outcome: 'STUCK', intentId: 'id-1', orderId: 'order-1', why: 'no end came' },
    exitCodeOf: convertExitCode,
    ends: ConvertEnd,
    codes: { FILLED: 0, PRICE_REFUSED: 1, EXPIRED_OUT: 1, REJECTED: 1, FAILED: 1, STUCK: 3, NEEDS_ATTENTION: 3 },
  },
  {
    kind: 'withdrawal',
    resultOf: withdrawResultOf,
    output: completed,
    printed:
      '{"outcome":"COMPLETED","intentId":"id-1","withdrawalId":"w-1","assetSymbol":"USDC","amount":"98","fee":"2","total":"100","transactionHash":"0xabc","bankReference":null,"attempts":1}',
    cause: { outcome: 'NEEDS_ATTENTION', intentId: 'id-1', candidates: [candidate], why: 'two rows' },
    exitCodeOf: withdrawExitCode,
    ends: WithdrawEnd,
    codes: { COMPLETED: 0, REJECTED: 1, EXHAUSTED: 1, FAILED_REFUNDED: 1, STUCK: 3, NEEDS_ATTENTION: 3 },
  },
])('a $kind', ({ resultOf, output, printed, cause, exitCodeOf, ends, codes }) => {
  test('that succeeded has its output as its result, its fields in their stable order', () => {
    const result = resultOf({ name: 'id-1', status: 'SUCCEEDED', output: JSON.stringify(output) })
    expect(JSON.stringify(result)).toBe(printed)
  })

  test('that failed has its result, with the candidates, in the field `cause`', () => {
    const failed = { name: 'id-1', status: 'FAILED', error: cause.outcome, cause: JSON.stringify(cause) }
    expect(resultOf(failed)).toEqual(cause)
  })

  test.each([
    [{ status: 'TIMED_OUT', error: 'States.Timeout' }, 'the execution ran out of time with States.Timeout'],
    [{ status: 'ABORTED' }, 'the execution was stopped from outside'],
    [{ status: 'FAILED', error: 'States.Runtime', cause: 'no such path' }, 'the execution failed with States.Runtime'],
    [{ status: 'SUCCEEDED', output: '{"outcome":"SOMETHING"}' }, 'the execution ended well'],
  ])('that ended with %j needs attention', (end, why) => {
    const needed = { outcome: 'NEEDS_ATTENTION', intentId: 'id-1', why: `${why} and without a result` }
    expect(resultOf({ name: 'id-1', ...end })).toEqual(needed)
  })

  test('ends the command with an exit code of its own kind, and with 3 where nobody knows the outcome', () => {
    const known = { ...codes, SOMETHING: 3, toString: 3 }
    expect(Object.fromEntries(Object.keys(known).map((outcome) => [outcome, exitCodeOf(outcome)]))).toEqual(known)
    for (const outcome of Object.values(ends)) expect([0, 1, 3]).toContain(exitCodeOf(outcome))
  })
})

test('the text for people says how much was bought or sold, or why nothing moved', () => {
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' } as const
  const result = convertResultOf({ name: 'id-1', status: 'SUCCEEDED', output: JSON.stringify(filled) })
  expect(describeConversion(result, request)).toBe('bought 0.25 BTC for 16000 USDC at 64000, order order-1')
  const refused = { outcome: 'REJECTED', intentId: 'id-1', why: 'not enough USDC' } as const
  expect(describeConversion(refused, request)).toBe('not enough USDC')
})

test('the text of a withdrawal names its proof: a transaction, or a bank reference', () => {
  const result = withdrawResultOf({ name: 'id-1', status: 'SUCCEEDED', output: JSON.stringify(completed) })
  const sent = 'sent 98 USDC for a fee of 2, 100 in all, withdrawal w-1'
  expect(describeWithdrawal(result)).toBe(`${sent}, transaction 0xabc`)
  const toBank = { ...completed, outcome: 'COMPLETED', transactionHash: null, bankReference: 'REF-9' } as const
  expect(describeWithdrawal(toBank)).toBe(`${sent}, bank reference REF-9`)
})
