// A model of the service's side of withdrawals, judged by what it moved: rows that show late, copies
// that arrive late or twice, fees that change, withdrawals that fail later and refund.
import { type Decimal, formatDecimal, parseDecimal } from '../../functions/shared/money/decimal.ts'
import type { WithdrawalAnswer, WithdrawalState } from '../../functions/shared/service/ports.ts'
import { saidOf, unproven } from './network.ts'
import { type SignedCopy, SignedService, type SignedTruth } from './signed-service.ts'

export interface WithdrawalTruth extends SignedTruth {
  /** How long a withdrawal is under way. */
  readonly settleMs: number
  readonly endsAs: 'COMPLETED' | 'FAILED'
  /** How long after a failure the refund is not in the ledger. */
  readonly refundLagMs: number
  /** Whether the network's fee changes after the checks. */
  readonly changesFee: boolean
  /** Whether a 201 comes with a body that cannot be read. */
  readonly garblesAnswer: boolean
  /** When others make rows, after the start; the configuration must then say `shared`. */
  readonly foreignRowsMs: readonly number[]
  /** Rows like ours that people made before the start. */
  readonly earlierRows: number
  /** What the account holds at the start: a withdrawal beyond it is refused. */
  readonly balance: string
}

export interface SignedWithdrawal extends SignedCopy {
  readonly order: { readonly amount: string; readonly feeMode: 'deduct' | 'add'; readonly contactId: string }
}

/** A row in settled figures, with what only the oracle sees of it. */
export interface Movement extends Omit<WithdrawalState, 'status'> {
  readonly contactId: string
  /** `undefined` for a row that others made. */
  readonly nonce: string | undefined
  readonly atMs: number
}

/** Settled code, and factor between settled and rebased figures, of the asset that all withdraw. */
export const ASSET = { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX', multiplier: '2' } as const
export const CONTACT = { id: 'contact-1', type: 'EXTERNAL_CRYPTO', assetSymbol: ASSET.assetSymbol, networkId: 'ETH' }
const OLD_FEE = '1'
const NEW_FEE = '1.5'

export class WithdrawalModel extends SignedService<WithdrawalTruth> {
  override readonly movements: Movement[] = []

  get fee(): string {
    return this.truth.changesFee && this.sentNonces.length > 0 ? NEW_FEE : OLD_FEE
  }

  /** One copy of a signed request arrives. */
  accept(copy: SignedWithdrawal): WithdrawalAnswer {
    const { order, nonce } = copy
    if (!this.isAuthentic(copy)) return unproven('invalid_signature', 401, false)
    if (this.isSpent(nonce)) return unproven('nonce_reused', 401, false)
    const fee = parseDecimal(this.fee, 'fee')
    const asked = parseDecimal(order.amount, 'amount')
    const amount = order.feeMode === 'deduct' ? asked - fee : asked
    const isCovered = amount + fee <= parseDecimal(this.balance, 'balance')
    if (isCovered || this.truth.nonceSpentOnRefusal) this.spend(nonce)
    if (!isCovered) return unproven('unprocessable', 422, true)
    const row = this.#addRow(amount as Decimal, fee, order.contactId, nonce, this.serviceMs)
    if (this.truth.garblesAnswer) return { kind: 'accepted_unread', said: saidOf('not_json', 201, false) }
    return { kind: 'accepted', withdrawal: { ...row, status: this.statusOf(row) } }
  }

  /** Movements that somebody else makes on this account, like ours or not. */
  addForeign(asked: string): void {
    this.#addRow(parseDecimal(asked, 'amount'), parseDecimal(this.fee, 'fee'), 'somebody', undefined, this.serviceMs)
  }

  /** What people withdrew before the start: the same amounts, to others. */
  addEarlier(feeMode: 'deduct' | 'add'): void {
    const fee = parseDecimal(OLD_FEE, 'fee')
    const asked = parseDecimal('100', 'amount')
    for (let row = 0; row < this.truth.earlierRows; row += 1) {
      const amount = (feeMode === 'deduct' ? asked - fee : asked) as Decimal
      this.#addRow(amount, fee, 'somebody', undefined, this.longAgoMs)
    }
  }

  /** Settled balance: what failed has come back. What was withdrawn before the start is not counted. */
  get balance(): string {
    let left = parseDecimal(this.truth.balance, 'balance') as bigint
    for (const row of this.movements.slice(this.truth.earlierRows)) {
      if (this.statusOf(row) !== 'FAILED') left -= parseDecimal(row.total, 'total')
    }
    return formatDecimal((left < 0n ? 0n : left) as Decimal)
  }

  /** Newest first, as the service lists them. */
  visibleRows(): Movement[] {
    return this.movements.filter((row) => this.#isVisible(row)).reverse()
  }

  findRow(id: string): Movement | undefined {
    const row = this.movements.find((movement) => movement.id === id)
    return row && this.#isVisible(row) ? row : undefined
  }

  isRefunded(id: string): boolean {
    const row = this.movements.find((movement) => movement.id === id)
    if (!row || this.statusOf(row) !== 'FAILED') return false
    return this.serviceMs >= row.atMs + this.truth.settleMs + this.truth.refundLagMs
  }

  statusOf(row: Movement): string {
    if (row.nonce === undefined) return 'COMPLETED'
    return this.serviceMs < row.atMs + this.truth.settleMs ? this.truth.movingStatus : this.truth.endsAs
  }

  #isVisible(row: Movement): boolean {
    return this.serviceMs >= row.atMs + this.truth.visibilityMs
  }

  #addRow(amount: Decimal, fee: Decimal, contactId: string, nonce: string | undefined, atMs: number): Movement {
    const row: Movement = {
      id: `withdrawal-${this.movements.length + 1}`,
      assetSymbol: ASSET.assetSymbol,
      subType: 'EXTERNAL_CRYPTO',
      networkId: CONTACT.networkId,
      amount: formatDecimal(amount),
      fee: formatDecimal(fee),
      total: formatDecimal((amount + fee) as Decimal),
      createdAt: new Date(atMs).toISOString(),
      transactionHash: null,
      bankReference: null,
      contactId,
      nonce,
      atMs,
    }
    this.movements.push(row)
    this.witness.noteMovement(row)
    return row
  }
}
