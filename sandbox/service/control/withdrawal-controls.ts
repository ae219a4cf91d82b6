// Moves a withdrawal on, or lets it fail, ahead of its own time.
import { oneOf } from '../fields.ts'
import { readFields } from '../json-body.ts'
import { notFound, unprocessable } from '../problem.ts'
import type { WithdrawalStep } from '../records.ts'
import { showWithdrawal } from '../resources/withdrawal-resource.ts'
import { isFinal } from '../withdrawal-book.ts'
import type { World } from '../world.ts'

export function moveWithdrawal(world: World, id: string, body: Record<string, unknown>): unknown {
  const { status } = readFields({ status: oneOf('PROCESSING', 'COMPLETED', 'FAILED') }, body)
  const withdrawal = world.withdrawals.find(id)
  if (withdrawal === undefined) throw notFound('withdrawal')
  if (isFinal(withdrawal.status)) throw unprocessable(`The withdrawal is ${withdrawal.status} already.`)
  // What would have become known by then becomes known now.
  const skipped = status === 'FAILED' ? [] : withdrawal.steps.slice(withdrawal.stepsDone)
  const known: Omit<WithdrawalStep, 'atMs' | 'status'> = Object.assign({}, ...skipped.map(revealed))
  world.commit({ kind: 'withdrawal.moved', withdrawalId: id, step: { ...known, status, atMs: world.nowMs() } })
  return showWithdrawal(withdrawal, 'base')
}

function revealed({ transactionHash, bankReference }: WithdrawalStep): Omit<WithdrawalStep, 'atMs' | 'status'> {
  return { ...(transactionHash && { transactionHash }), ...(bankReference && { bankReference }) }
}
