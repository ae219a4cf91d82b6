// Owns withdrawals, and the ledger transfers of each fact about them. Booking moves the total from the balance into
// transit; a failure brings it back whole. A withdrawal is booked at acceptance or with a later status. Until then its
// total is frozen, and one that fails first is never booked.

import { Agenda } from './agenda.ts'
import type { Amount } from './amount.ts'
import type { Ledger, Transfer } from './ledger.ts'
import type { AcceptedWithdrawal, Withdrawal, WithdrawalStatus, WithdrawalStep } from './records.ts'

export class WithdrawalBook {
  /** Oldest first. */
  readonly list: Withdrawal[] = []
  readonly #byId = new Map<string, Withdrawal>()
  readonly agenda = new Agenda<{ readonly withdrawal: Withdrawal; readonly stepIndex: number }>()
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  accept(accepted: AcceptedWithdrawal): void {
    const withdrawal: Withdrawal = {
      ...accepted,
      status: 'PENDING',
      transactionHash: null,
      bankReference: null,
      isBooked: accepted.booksAt === undefined,
      stepsDone: 0,
    }
    const type = withdrawal.isBooked ? 'WITHDRAWAL' : 'WITHDRAWAL_HELD'
    this.#ledger.post([transfer(withdrawal, type, totalOf(withdrawal), withdrawal.createdAtMs)])
    this.list.push(withdrawal)
    this.#byId.set(withdrawal.id, withdrawal)
    for (const [stepIndex, { atMs }] of withdrawal.steps.entries()) this.agenda.add(atMs, { withdrawal, stepIndex })
  }

  find(id: string): Withdrawal | undefined {
    return this.#byId.get(id)
  }

  /** Applies a step, planned or by a control call. */
  move(id: string, step: WithdrawalStep): void {
    const withdrawal = this.#byId.get(id)
    if (withdrawal === undefined) throw new Error('a fact about a withdrawal that was never accepted')
    const { atMs, status } = step
    if (!withdrawal.isBooked && (status === withdrawal.booksAt || status === 'COMPLETED')) {
      this.#ledger.post([transfer(withdrawal, 'WITHDRAWAL_BOOKED', totalOf(withdrawal), atMs)])
      withdrawal.isBooked = true
    }
    if (status === 'COMPLETED') {
      this.#ledger.post([
        transfer(withdrawal, 'WITHDRAWAL_SENT', withdrawal.amount, atMs),
        transfer(withdrawal, 'WITHDRAWAL_FEE', withdrawal.fee, atMs),
      ])
    }
    if (status === 'FAILED' && !(step.keepsTotal && withdrawal.isBooked)) {
      const type = withdrawal.isBooked ? 'WITHDRAWAL_REFUND' : 'WITHDRAWAL_RELEASED'
      this.#ledger.post([transfer(withdrawal, type, totalOf(withdrawal), atMs)])
    }
    withdrawal.status = status
    withdrawal.transactionHash = step.transactionHash ?? withdrawal.transactionHash
    withdrawal.bankReference = step.bankReference ?? withdrawal.bankReference
    const planned = withdrawal.steps.findIndex((candidate) => candidate.status === status)
    withdrawal.stepsDone = isFinal(status) ? withdrawal.steps.length : Math.max(withdrawal.stepsDone, planned + 1)
  }

  takeDueStep(nowMs: number): { readonly withdrawal: Withdrawal; readonly step: WithdrawalStep } | undefined {
    for (let due = this.agenda.takeDue(nowMs); due !== undefined; due = this.agenda.takeDue(nowMs)) {
      const { withdrawal, stepIndex } = due
      // Skips steps from before a restart, and steps of a withdrawal that a control call has moved ahead.
      if (stepIndex >= withdrawal.stepsDone) return { withdrawal, step: withdrawal.steps[stepIndex] as WithdrawalStep }
    }
    return undefined
  }
}

export function totalOf({ amount, fee }: AcceptedWithdrawal): Amount {
  return amount.plus(fee)
}

export function isFinal(status: WithdrawalStatus): boolean {
  return status === 'COMPLETED' || status === 'FAILED'
}

const TRANSFERS = {
  WITHDRAWAL: ['available', 'transit'],
  WITHDRAWAL_HELD: ['available', 'frozen'],
  WITHDRAWAL_BOOKED: ['frozen', 'transit'],
  WITHDRAWAL_RELEASED: ['frozen', 'available'],
  WITHDRAWAL_SENT: ['transit', 'outside'],
  WITHDRAWAL_FEE: ['transit', 'fees'],
  WITHDRAWAL_REFUND: ['transit', 'available'],
} as const

function transfer(withdrawal: Withdrawal, type: keyof typeof TRANSFERS, amount: Amount, atMs: number): Transfer {
  const [from, to] = TRANSFERS[type]
  return {
    // The customer sees the same type, whenever the withdrawal is booked.
    type: type === 'WITHDRAWAL_BOOKED' ? 'WITHDRAWAL' : type,
    source: { type: 'withdrawal', id: withdrawal.id },
    atMs,
    asset: withdrawal.assetSymbol,
    from,
    to,
    amount,
  }
}
