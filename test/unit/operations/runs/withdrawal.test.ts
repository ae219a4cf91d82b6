// The result and the exit code of a withdrawal follow from how its execution ended.
import { expect, test } from 'vitest'
import { WithdrawEnd } from '../../../../core/contract/outcomes.ts'
import { withdrawResultOf } from '../../../../operations/runs/movement-operations.ts'
import { withdrawExitCode } from '../../../../place/exit-code.ts'
import { describeWithdrawal } from '../../../../views/runs/movement-words.ts'

const completed = {
  attempts: 1,
  bankReference: null,
  transactionHash: '0xabc',
  total: '100',
  fee: '2',
  amount: '98',
  assetSymbol: 'USDC',
  withdrawalId: 'w-1',
  intentId: 'wd-1',
  outcome: 'COMPLETED',
  waits: 3,
}

test('the output of a successful execution is the result, its fields in their stable order', () => {
  const result = withdrawResultOf({ name: 'wd-1', status: 'SUCCEEDED', output: JSON.stringify(completed) })
  expect(JSON.stringify(result)).toBe(
    '{"outcome":"COMPLETED","intentId":"wd-1","withdrawalId":"w-1","assetSymbol":"USDC","amount":"98","fee":"2","total":"100","transactionHash":"0xabc","bankReference":null,"attempts":1}',
  )
  expect(describeWithdrawal(result)).toBe('sent 98 USDC for a fee of 2, 100 in all, withdrawal w-1, transaction 0xabc')
})

test('an end that needs a person has its result, with the candidates, in the cause', () => {
  const candidate = {
    ...{ id: 'w-1', subType: 'EXTERNAL_CRYPTO', networkId: 'ETH', amount: '98', fee: '2', total: '100' },
    ...{ status: 'PENDING', createdAt: '2026-01-01T00:00:00Z', transactionHash: null, bankReference: null },
  }
  const report = { outcome: 'NEEDS_ATTENTION', intentId: 'wd-1', candidates: [candidate], why: 'two rows' }
  const cause = JSON.stringify(report)
  expect(withdrawResultOf({ name: 'wd-1', status: 'FAILED', error: 'NEEDS_ATTENTION', cause })).toEqual(report)
})

test('an execution that ended without a report needs attention', () => {
  expect(withdrawResultOf({ name: 'wd-1', status: 'ABORTED' })).toEqual({
    outcome: 'NEEDS_ATTENTION',
    intentId: 'wd-1',
    why: 'the execution was stopped from outside and without a result',
  })
})

test('the bank reference is the proof of a payout', () => {
  const result = { ...completed, transactionHash: null, bankReference: 'REF-9' } as const
  expect(describeWithdrawal({ ...result, outcome: 'COMPLETED' })).toContain('bank reference REF-9')
})

test.each([
  ['COMPLETED', 0],
  ['REJECTED', 1],
  ['EXHAUSTED', 1],
  ['FAILED_REFUNDED', 1],
  ['STUCK', 3],
  ['NEEDS_ATTENTION', 3],
  ['SOMETHING', 3],
  ['toString', 3],
])('%s ends the command with exit code %i', (outcome, exitCode) => {
  expect(withdrawExitCode(outcome)).toBe(exitCode)
})

test('every named end has an exit code of its own kind', () => {
  for (const outcome of Object.values(WithdrawEnd)) expect([0, 1, 3]).toContain(withdrawExitCode(outcome))
})
