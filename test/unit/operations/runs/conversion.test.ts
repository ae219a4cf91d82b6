// The result and the exit code of a conversion follow from how its execution ended.
import { expect, test } from 'vitest'
import { ConvertEnd } from '../../../../core/contract/outcomes.ts'
import { convertResultOf } from '../../../../operations/runs/movement-operations.ts'
import { convertExitCode } from '../../../../place/exit-code.ts'
import { describeConversion } from '../../../../views/runs/movement-words.ts'

const filled = {
  attempts: 1,
  fills: [],
  quoteAmount: '16000',
  baseAmount: '0.25',
  rate: '64000',
  side: 'BUY',
  market: 'BTC-USDC',
  orderId: 'order-1',
  intentId: 'cv-1',
  outcome: 'FILLED',
  waits: 3,
}

test('the output of a successful execution is the result, its fields in their stable order', () => {
  const result = convertResultOf({ name: 'cv-1', status: 'SUCCEEDED', output: JSON.stringify(filled) })
  expect(JSON.stringify(result)).toBe(
    '{"outcome":"FILLED","intentId":"cv-1","orderId":"order-1","market":"BTC-USDC","side":"BUY","rate":"64000","baseAmount":"0.25","quoteAmount":"16000","fills":[],"attempts":1}',
  )
})

test('a failed execution has its result in the field `cause`', () => {
  const cause = JSON.stringify({ outcome: 'STUCK', intentId: 'cv-1', orderId: 'order-1', why: 'no end came' })
  expect(convertResultOf({ name: 'cv-1', status: 'FAILED', error: 'STUCK', cause })).toEqual({
    outcome: 'STUCK',
    intentId: 'cv-1',
    orderId: 'order-1',
    why: 'no end came',
  })
})

test.each([
  [
    { status: 'TIMED_OUT', error: 'States.Timeout' },
    'the execution ran out of time with States.Timeout and without a result',
  ],
  [{ status: 'ABORTED' }, 'the execution was stopped from outside and without a result'],
  [
    { status: 'FAILED', error: 'States.Runtime', cause: 'no such path' },
    'the execution failed with States.Runtime and without a result',
  ],
  [{ status: 'SUCCEEDED', output: '{"outcome":"SOMETHING"}' }, 'the execution ended well and without a result'],
])('an execution that ended with %j needs attention', (end, why) => {
  expect(convertResultOf({ name: 'cv-1', ...end })).toEqual({ outcome: 'NEEDS_ATTENTION', intentId: 'cv-1', why })
})

test.each([
  ['FILLED', 0],
  ['PRICE_REFUSED', 1],
  ['EXPIRED_OUT', 1],
  ['REJECTED', 1],
  ['FAILED', 1],
  ['STUCK', 3],
  ['NEEDS_ATTENTION', 3],
  ['SOMETHING', 3],
  ['toString', 3],
])('%s ends the command with exit code %i', (outcome, exitCode) => {
  expect(convertExitCode(outcome)).toBe(exitCode)
})

test('every outcome of a conversion has exit code 0, 1 or 3', () => {
  for (const outcome of Object.values(ConvertEnd)) expect([0, 1, 3]).toContain(convertExitCode(outcome))
})

test('the text for people says how much was bought or sold, or why nothing moved', () => {
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' } as const
  const result = convertResultOf({ name: 'cv-1', status: 'SUCCEEDED', output: JSON.stringify(filled) })
  expect(describeConversion(result, request)).toBe('bought 0.25 BTC for 16000 USDC at 64000, order order-1')
  expect(describeConversion({ outcome: 'REJECTED', intentId: 'cv-1', why: 'not enough USDC' }, request)).toBe(
    'not enough USDC',
  )
})
