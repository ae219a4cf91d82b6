// A model of the service's side of withdrawals, judged by what it moved: rows that show late, tokens
// with a nonce and an end, copies that arrive late or twice, fees that change, withdrawals that fail
// later and refund. What the description leaves open is drawn from the schedule.
import { type Decimal, formatDecimal, parseDecimal } from '../../functions/shared/money/decimal.ts'
import type { Said, WithdrawalAnswer, WithdrawalState } from '../../functions/shared/service/ports.ts'
import type { Scheduler } from './scheduler.ts'

/** The service's true behaviour, which the configuration only bounds. */
export interface WithdrawalTruth {
  /** How long after `exp` a token is still accepted. */
  readonly leewayMs: number
  /** How long an accepted withdrawal is neither listed nor readable. */
  readonly visibilityMs: number
  readonly nonceSpentOnRefusal: boolean
  /** The machines' clocks minus the service's. */
  readonly skewMs: number
  /** How long a withdrawal is PENDING. */
  readonly settleMs: number
  readonly endsAs: 'COMPLETED' | 'FAILED'
  /** How long after a failure the refund is not in the ledger. */
  readonly refundLagMs: number
  /** Whether the network's fee changes after the checks. */
  readonly changesFee: boolean
  /** Whether a 201 comes with a body that cannot be read. */
  readonly garblesAnswer: boolean
  /** How long nothing can be read from the first send on: the worst moment for it. */
  readonly outageMs: number
  /** Rows that others make at random moments; the configuration must then say `shared`. */
  readonly foreignRows: number
  /** What the account holds: a withdrawal beyond it is refused. */
  readonly balance: string
}

/** A request as it was signed, and as every copy of it arrives. */
export interface SignedWithdrawal {
  readonly order: { readonly amount: string; readonly feeMode: 'deduct' | 'add'; readonly contactId: string }
  readonly nonce: string
  readonly exp: number
}

/** A row, with what only the oracle sees of it. */
export interface Movement extends WithdrawalState {
  readonly contactId: string
  /** `undefined` for a row that others made. */
  readonly nonce: string | undefined
  readonly atMs: number
}

const OLD_FEE = '1'
const NEW_FEE = '1.5'

export class WithdrawalModel {
  readonly movements: Movement[] = []
  readonly sentNonces: string[] = []
  readonly #nonces = new Set<string>()
  readonly scheduler: Scheduler
  readonly truth: WithdrawalTruth
  mayGoDown = true
  #outageEndsMs = Number.NEGATIVE_INFINITY

  constructor(scheduler: Scheduler, truth: WithdrawalTruth) {
    this.scheduler = scheduler
    this.truth = truth
  }

  get serviceMs(): number {
    return this.scheduler.nowMs - this.truth.skewMs
  }

  get toldMs(): number {
    return this.serviceMs
  }

  get isDown(): boolean {
    return this.mayGoDown && this.serviceMs < this.#outageEndsMs
  }

  get fee(): string {
    return this.truth.changesFee && this.sentNonces.length > 0 ? NEW_FEE : OLD_FEE
  }

  noteSend(nonce: string): void {
    if (this.sentNonces.length === 0) this.#outageEndsMs = this.serviceMs + this.truth.outageMs
    this.sentNonces.push(nonce)
  }

  /** One copy of a signed request arrives. */
  accept({ order, nonce, exp }: SignedWithdrawal): WithdrawalAnswer {
    if (this.serviceMs > exp * 1000 + this.truth.leewayMs) return unproven('invalid_signature', 401, false)
    if (this.#nonces.has(nonce)) return unproven('nonce_reused', 401, false)
    const fee = parseDecimal(this.fee, 'fee')
    const asked = parseDecimal(order.amount, 'amount')
    const amount = order.feeMode === 'deduct' ? asked - fee : asked
    const isCovered = amount + fee <= parseDecimal(this.balance, 'balance')
    if (isCovered || this.truth.nonceSpentOnRefusal) this.#nonces.add(nonce)
    if (!isCovered) return unproven('unprocessable', 422, true)
    const row = this.#addRow(amount as Decimal, fee, order.contactId, nonce)
    if (this.truth.garblesAnswer) return { kind: 'accepted_unread', said: saying('not_json', 201, false) }
    return { kind: 'accepted', withdrawal: this.#shown(row) }
  }

  /** A movement that somebody else makes on this account, like ours or not. */
  addForeign(): void {
    const amount = this.scheduler.pick(['99', '100', '7'] as const)
    this.#addRow(parseDecimal(amount, 'amount'), parseDecimal(this.fee, 'fee'), 'somebody', undefined)
  }

  /** Settled balance: what failed has come back. */
  get balance(): string {
    const gone = this.movements
      .filter((row) => this.statusOf(row) !== 'FAILED')
      .reduce((sum, row) => sum + parseDecimal(row.total, 'total'), 0n)
    const left = parseDecimal(this.truth.balance, 'balance') - gone
    return formatDecimal((left < 0n ? 0n : left) as Decimal)
  }

  /** Newest first, as the service lists them. */
  visibleRows(): WithdrawalState[] {
    return this.movements
      .filter((row) => this.#isVisible(row))
      .map((row) => this.#shown(row))
      .reverse()
  }

  findRow(id: string): WithdrawalState | undefined {
    const row = this.movements.find((movement) => movement.id === id)
    return row && this.#isVisible(row) ? this.#shown(row) : undefined
  }

  isRefunded(id: string): boolean {
    const row = this.movements.find((movement) => movement.id === id)
    if (!row || this.statusOf(row) !== 'FAILED') return false
    return this.serviceMs >= row.atMs + this.truth.settleMs + this.truth.refundLagMs
  }

  statusOf(row: Movement): string {
    return this.serviceMs < row.atMs + this.truth.settleMs ? 'PENDING' : this.truth.endsAs
  }

  #isVisible(row: Movement): boolean {
    return this.serviceMs >= row.atMs + this.truth.visibilityMs
  }

  #shown({ contactId: _contact, nonce: _nonce, atMs: _at, ...row }: Movement): WithdrawalState {
    const movement = this.movements.find(({ id }) => id === row.id) as Movement
    return { ...row, status: this.statusOf(movement) }
  }

  #addRow(amount: Decimal, fee: Decimal, contactId: string, nonce: string | undefined): Movement {
    const row: Movement = {
      id: `withdrawal-${this.movements.length + 1}`,
      assetSymbol: 'USDC',
      subType: 'EXTERNAL_CRYPTO',
      networkId: 'ETH',
      amount: formatDecimal(amount),
      fee: formatDecimal(fee),
      total: formatDecimal((amount + fee) as Decimal),
      status: 'PENDING',
      createdAt: new Date(this.serviceMs).toISOString(),
      transactionHash: null,
      bankReference: null,
      contactId,
      nonce,
      atMs: this.serviceMs,
    }
    this.movements.push(row)
    return row
  }
}

export function unproven(code: string, status: number | undefined, business: boolean): WithdrawalAnswer {
  return { kind: 'unproven', said: saying(code, status, business) }
}

function saying(code: string, status: number | undefined, business: boolean): Said {
  return {
    code,
    ...(status !== undefined && { status }),
    business,
    ...(code === 'invalid_signature' && { keyAtFault: true as const }),
    text: `the service said ${code}`,
  }
}
