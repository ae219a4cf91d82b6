// Moves a withdrawal to a later status, or makes it fail, ahead of its own time.
import * as z from 'zod/mini'
import { oneOf } from '../fields.ts'
import { notFound, unprocessable } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import type { Withdrawal, WithdrawalStep } from '../records.ts'
import { showWithdrawal } from '../resources.ts'
import { isFinal } from '../withdrawal-book.ts'
import type { World } from '../world.ts'

const fields = z.strictObject({ status: oneOf('PROCESSING', 'COMPLETED', 'FAILED') })

export function moveWithdrawal(world: World, id: string, body: Record<string, unknown>): unknown {
  const { status } = readFields(fields, body)
  const withdrawal = world.withdrawals.find(id)
  if (withdrawal === undefined) throw notFound('withdrawal')
  if (isFinal(withdrawal.status) || withdrawal.status === status) {
    throw unprocessable(`The withdrawal is ${withdrawal.status} already.`)
  }
  // Facts of the skipped steps become known now.
  const skipped =
    status === 'FAILED' ? [] : withdrawal.steps.slice(withdrawal.stepsDone, lastStepTo(withdrawal, status))
  const known: Omit<WithdrawalStep, 'atMs' | 'status'> = Object.assign({}, ...skipped.map(revealed))
  world.commit({ kind: 'withdrawal.moved', withdrawalId: id, step: { ...known, status, atMs: world.nowMs() } })
  return showWithdrawal(withdrawal, 'base')
}

/** Returns the number of planned steps up to a status. */
function lastStepTo({ steps }: Withdrawal, status: WithdrawalStep['status']): number {
  return steps.findIndex((step) => step.status === status) + 1
}

function revealed({ transactionHash, bankReference }: WithdrawalStep): Omit<WithdrawalStep, 'atMs' | 'status'> {
  return { ...(transactionHash && { transactionHash }), ...(bankReference && { bankReference }) }
}
