// A model of the service's side of withdrawals, judged by what it moved: rows that show late, copies
// that arrive late or twice, fees that change, withdrawals that fail later and come back or were never booked.
import type { PayeeFacts } from '../../core/contract/payee.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import type { BookedEntry } from '../../core/movements/withdrawal/booking.ts'
import type { LedgerSight } from '../../core/movements/withdrawal/ports.ts'
import type { WithdrawalAnswer, WithdrawalState } from '../../core/service/ports.ts'
import { WITHDRAWN_ASSET } from './deals.ts'
import { OWN_ACCOUNT } from './keys.ts'
import { type LackingLists, withoutLacking } from './lacking-lists.ts'
import { saidOf, unproven, type Work } from './network.ts'
import { LOOK_TO_MOVE_MS } from './plan-judge.ts'
import { inOrder, isWithin, type ListTruth, type Window, withTimeTold } from './row-lists.ts'
import { refused, type SignedCopy, type SignedService } from './signed-service.ts'
import { textOf } from './trace.ts'
import { START_MS } from './world-state.ts'

export interface WithdrawalTruth extends ListTruth {
  /** How long an accepted withdrawal is in no list. */
  readonly visibilityMs: number
  /** How long a withdrawal is under way. */
  readonly settleMs: number
  /** What it is called meanwhile: an open set. */
  readonly movingStatus: string
  readonly endsAs: 'COMPLETED' | 'FAILED'
  /** When the ledger shows it: a withdrawal that fails is never booked where this is at its completion. */
  readonly booksAt: 'acceptance' | 'completion'
  /** In which entries the ledger shows a withdrawal, and what came back of it. */
  readonly entries: keyof typeof ENTRY_TYPES
  /** How long after a failure nothing has come back, and how long the ledger shows nothing of a booking. */
  readonly refundLagMs: number
  /** How much later what was debited comes back. */
  readonly refundsAfterMs?: number
  /** Whether the network's fee changes with the first send. */
  readonly changesFee: boolean
  /** When it rises to more than that, after the start. */
  readonly feeRisesMs?: number
  /** What of our own rows is told otherwise than it was asked for. */
  readonly toldOtherwise?: 'network' | 'subType'
  /** How the rows name their asset, where not by its settled code. */
  readonly tellsAsset?: keyof typeof TOLD_ASSETS
  /** Whether a 201 comes with a body that cannot be read. */
  readonly garblesAnswer: boolean
  /** Whether a 201 names a row that is not the withdrawal's: one of before, one of another amount, or another intent's. */
  readonly misnames?: 'known' | 'amount' | 'claimed'
  /** Whether a 201 comes before the work is done, and then names a row of before. */
  readonly answersEarly?: boolean
  /** When somebody makes the contact lead elsewhere, after the start. */
  readonly contactChangesMs?: number
  /** When others make rows, after the start. */
  readonly foreignRowsMs: readonly number[]
  /** Lists that lack rows, with a 200. */
  readonly lacks?: LackingLists
  /** How what came back is taken away again in the same moment, where it is. */
  readonly takenBack?: keyof typeof TAKEN_BACK
  /** When the ledger lacks entries for a while, with a 200, after the start: all, those since the start, or where it is filtered. */
  readonly ledgerLacks?: {
    readonly what: 'all' | 'its latest' | 'what a filter finds'
    readonly fromMs: number
    readonly forMs: number
  }
  /** Whether nothing else is booked from the start on. */
  readonly isQuiet?: boolean
  /** What the account holds at the start: a withdrawal beyond it is refused. */
  readonly balance: string
}

export interface SignedWithdrawal extends SignedCopy {
  readonly order: { readonly amount: string; readonly feeMode: 'deduct' | 'add'; readonly contactId: string }
}

/** A row in settled figures, with what only the oracle sees of it. */
export interface WithdrawnRow extends Omit<WithdrawalState, 'status'> {
  readonly kind: 'withdraw'
  readonly account: string
  readonly contactId: string
  /** `undefined` for a row that others made, or that was there before the start. */
  readonly nonce: string | undefined
  readonly atMs: number
  /** The least fee that a look before its send may have shown, and its total at that. */
  readonly knownFee: string
  readonly knownTotal: string
}

/** What has become of the total of a withdrawal. */
export type Booking = 'none' | 'debited' | 'refunded' | 'taken back'

/** Types of the entries of a debit, and of a refund. Each is over the total, or has amount and fee apart. */
const ENTRY_TYPES = {
  'one each': { debit: ['WITHDRAWAL'], refund: ['WITHDRAWAL_REFUND'] },
  'amount and fee': { debit: ['WITHDRAWAL', 'FEE'], refund: ['REFUND', 'REFUND'] },
  'both legs': { debit: ['DEBIT', 'CREDIT'], refund: ['REVERSAL', 'REVERSAL'] },
  'one leg of a refund': { debit: ['DEBIT', 'CREDIT'], refund: ['REFUND'] },
  'legs without names': { debit: ['DEBIT', 'CREDIT'], refund: ['CREDIT', 'DEBIT'] },
} as const

/** How the ledger names what takes a refund back, by the entries of the debit and of the refund. */
const TAKEN_BACK = {
  'as a reversal': (_debit: readonly string[], refund: readonly string[]) => refund.map(() => 'REVERSAL'),
  'as a refund that is cancelled': (_debit: readonly string[], refund: readonly string[]) =>
    refund.map((type) => `${type}_CANCELLED`),
  'as a debit': (debit: readonly string[]) => debit,
  'by an entry of its own': () => ['ADJUSTMENT'],
} as const

/** Settled code, and factor between settled and rebased figures, of the asset that all withdraw. */
export const ASSET = { assetSymbol: WITHDRAWN_ASSET, rebasedSymbol: 'AAPLX', multiplier: '2' } as const
/** Ways in which a service names the asset of a row, beside its settled code. `another` is no spelling of it. */
export const TOLD_ASSETS = {
  'in lower case': ASSET.assetSymbol.toLowerCase(),
  padded: `${ASSET.assetSymbol} `,
  'by its ticker': ASSET.rebasedSymbol,
  'not at all': null,
  another: 'AAPL-OLD',
} as const
export const CONTACT = { id: 'contact-1', type: 'EXTERNAL_CRYPTO', assetSymbol: ASSET.assetSymbol, networkId: 'ETH' }
/** As a plan saw it, before the start. */
export const PLANNED_CONTACT: PayeeFacts = {
  ...{ contactId: CONTACT.id, alias: 'vault', reference: null, type: CONTACT.type, assetSymbol: ASSET.assetSymbol },
  ...{ networkId: CONTACT.networkId, bank: null, updatedAt: '2025-06-01T00:00:00Z' },
}
/** A withdrawal is held against the rows of two days. */
const RECENT_MS = 47 * 3_600_000
/** What has brought the balance. */
const DEPOSITED_BEFORE_MS = 86_400_000
const OLD_FEE = '1'
const NEW_FEE = '1.5'
const RISEN_FEE = '2.5'
const ROUTE = { subType: 'EXTERNAL_CRYPTO', networkId: CONTACT.networkId }
const OTHER_ROUTE = {
  network: { ...ROUTE, networkId: 'BASE' },
  subType: { subType: 'INTERNAL', networkId: null },
}

export class WithdrawalModel {
  readonly movements: WithdrawnRow[] = []
  readonly truth: WithdrawalTruth
  /** Whether the journal knows that there is a row of this id. */
  isKnown: (id: string) => boolean = () => false
  /** What conversions have sold of the asset. */
  sold: () => bigint = () => 0n
  /** What conversions that are not at their end will still take of it. */
  promised: () => bigint = () => 0n
  readonly #service: SignedService
  /** Rows of before the start: what they took is no part of the balance. */
  #earlier = 0
  /** When the first of them was sent. */
  #sentMs = Number.POSITIVE_INFINITY
  /** Of what was accepted and is worked on. */
  #taken = 0n

  constructor(service: SignedService, truth: WithdrawalTruth) {
    this.#service = service
    this.truth = truth
  }

  /** As the service shows it now. */
  contact(contactId: string): PayeeFacts {
    const { contactChangesMs = Number.POSITIVE_INFINITY } = this.truth
    const isChanged = this.#service.scheduler.nowMs >= START_MS + contactChangesMs
    return { ...PLANNED_CONTACT, contactId, ...(isChanged && { updatedAt: '2026-01-01T00:00:00Z' }) }
  }

  get fee(): string {
    return this.#feeAt(this.#service.scheduler.nowMs)
  }

  /** The least that a look may have shown from which a send still moves now: fees only rise. */
  get knownFee(): string {
    return this.#feeAt(this.#service.scheduler.nowMs - LOOK_TO_MOVE_MS)
  }

  #feeAt(nowMs: number): string {
    const { changesFee, feeRisesMs = Number.POSITIVE_INFINITY } = this.truth
    if (nowMs >= START_MS + feeRisesMs) return RISEN_FEE
    return changesFee && nowMs >= this.#sentMs ? NEW_FEE : OLD_FEE
  }

  noteSend(nonce: string): void {
    this.#sentMs = Math.min(this.#sentMs, this.#service.scheduler.nowMs)
    this.#service.noteSend(nonce)
  }

  text(): string {
    return [this.#sentMs === Number.POSITIVE_INFINITY, this.#taken, ...this.movements.map(textOf)].join('\n')
  }

  /** One copy of a signed request arrives. */
  accept(copy: SignedWithdrawal, isHeard = false): Work<WithdrawalAnswer> {
    const service = this.#service
    const { order, nonce } = copy
    if (!service.isAuthentic(copy)) return refused(unproven('invalid_signature', 401, false))
    if (service.isSpent(nonce)) return refused(unproven('nonce_reused', 401, false))
    const { knownFee } = this
    const fee = parseDecimal(this.fee, 'fee')
    const asked = parseDecimal(order.amount, 'amount')
    const amount = (order.feeMode === 'deduct' ? asked - fee : asked) as Decimal
    const total = amount + fee
    const isCovered = total <= parseDecimal(this.balance, 'balance') - this.#taken
    if (isCovered || service.truth.nonceSpentOnRefusal) service.spend(nonce)
    if (!isCovered) return refused(unproven('unprocessable', 422, true))
    this.#taken += total
    const { account } = service.keys.issued(copy.keyNumber)
    const lagMs = Math.max(this.truth.visibilityMs, this.truth.refundLagMs)
    const work = service.accept('withdraw', copy, { isHeard, lagMs }, () => {
      this.#taken -= total
      const route = this.truth.toldOtherwise ? OTHER_ROUTE[this.truth.toldOtherwise] : ROUTE
      const known = order.feeMode === 'deduct' ? total : amount + parseDecimal(knownFee, 'fee')
      const knownTotal = formatDecimal(known as Decimal)
      const paid = { contactId: order.contactId, nonce, account }
      const row = this.addRow({ amount, fee, ...route, ...paid, knownFee, knownTotal })
      return this.#answerWith(row)
    })
    const early = this.truth.answersEarly && work.takesMs > 0 ? this.#findEarlier() : undefined
    return early === undefined
      ? work
      : { takesMs: 0, finish: () => ({ kind: 'accepted', withdrawal: this.#shown(early) }) }
  }

  #answerWith(row: WithdrawnRow): WithdrawalAnswer {
    if (this.truth.garblesAnswer) return { kind: 'accepted_unread', said: saidOf('not_json', 201, false) }
    return { kind: 'accepted', withdrawal: this.#shown(this.#misnamed(row) ?? row) }
  }

  #shown(row: WithdrawnRow): WithdrawalState {
    return { ...row, assetSymbol: this.toldAsset, createdAt: this.toldTime(row), status: this.statusOf(row) }
  }

  /** One that was there when the send was prepared: of those that came since, nobody could tell. */
  #findEarlier(): WithdrawnRow | undefined {
    return this.movements.findLast(({ atMs }) => atMs < this.#service.longAgoMs + 1)
  }

  #misnamed(row: WithdrawnRow): WithdrawnRow | undefined {
    if (this.truth.misnames === 'amount') return this.addForeign('7')
    if (this.truth.misnames === 'known') return this.#findEarlier()
    // One of another intent, which has let its lane go since, and so has claimed it.
    if (this.truth.misnames === 'claimed') return this.movements.findLast(({ nonce }) => nonce && nonce !== row.nonce)
    return undefined
  }

  /** Movements that somebody else makes on this account, like ours or not. */
  addForeign(asked: string, atMs?: number, account = OWN_ACCOUNT): WithdrawnRow {
    const figures = { amount: parseDecimal(asked, 'amount'), fee: parseDecimal(this.fee, 'fee') }
    return this.addRow({ ...figures, ...ROUTE, contactId: 'somebody', nonce: undefined, account, atMs })
  }

  /** What was withdrawn before the start, just as ours will be. */
  addEarlier(feeMode: 'deduct' | 'add', agoMs: number): WithdrawnRow {
    this.#earlier += 1
    const arrives = feeMode === 'deduct' ? '99' : '100'
    return this.addForeign(arrives, this.#service.serviceMs - agoMs)
  }

  /** Settled balance: what failed has come back. */
  get balance(): string {
    let left = parseDecimal(this.truth.balance, 'balance') - this.sold()
    for (const row of this.movements.slice(this.#earlier)) {
      if (row.account === OWN_ACCOUNT && this.statusOf(row) !== 'FAILED') left -= parseDecimal(row.total, 'total')
    }
    return formatDecimal((left < 0n ? 0n : left) as Decimal)
  }

  /**
   * Without what others took, or a fee that rose, so lately that no look before a send could know of it; and less what
   * orders will still take.
   */
  knownBalance(): string {
    const { serviceMs } = this.#service
    const lately = this.movements.slice(this.#earlier).filter(({ account, atMs }) => {
      return account === OWN_ACCOUNT && atMs > serviceMs - LOOK_TO_MOVE_MS
    })
    const sum = lately.reduce((all, row) => {
      const unknown = parseDecimal(row.total, 'total') - (row.nonce ? parseDecimal(row.knownTotal, 'total') : 0n)
      return this.statusOf(row) === 'FAILED' ? all : all + unknown
    }, 0n)
    return formatDecimal((parseDecimal(this.balance, 'balance') + sum - this.promised()) as Decimal)
  }

  /** Those of a window in time, as the service lists them now. */
  listRows(account: string, window: Window): WithdrawnRow[] {
    const rows = this.movements.filter(
      (row) => this.#isVisible(row) && row.account === account && isWithin(window, this.#toldMs(row), this.truth),
    )
    const { isCalm, scheduler, serviceMs } = this.#service
    const unordered = isCalm ? 'no' : this.truth.unordered
    // Which rows are lacking is the same for all pages of a list, however each page is ordered.
    const shown = withoutLacking(rows, isCalm ? undefined : this.truth.lacks, {
      sinceStartMs: scheduler.nowMs - START_MS,
      isDetectable: (row) => this.#toldMs(row) > serviceMs - RECENT_MS && this.isKnown(row.id),
      placeOf: (row) => this.movements.indexOf(row),
      knowsAny: () =>
        this.movements.some((row) => row.account === account && this.#isVisible(row) && this.isKnown(row.id)),
    })
    return inOrder(shown.reverse(), unordered, (row) => this.#toldMs(row), scheduler)
  }

  findRow(id: string, account: string): WithdrawnRow | undefined {
    const row = this.movements.find((movement) => movement.id === id && movement.account === account)
    return row && this.#isVisible(row) ? row : undefined
  }

  /** What the ledger shows of it. */
  ledgerOf(id: string): BookedEntry[] {
    const row = this.movements.find((movement) => movement.id === id)
    const booking = this.#bookingOf(id, this.truth.refundLagMs)
    const lacking = this.#lacking
    if (row === undefined || booking === 'none' || (lacking !== undefined && lacking !== 'its latest')) return []
    if (lacking === 'its latest' && row.atMs >= START_MS) return []
    const { takenBack } = this.truth
    const { debit, refund } = ENTRY_TYPES[this.truth.entries]
    const amounts = this.truth.entries === 'amount and fee' ? [row.amount, row.fee] : [row.total, row.total]
    const entriesOf = (types: readonly string[]) => types.map((type, at) => ({ type, amount: amounts[at] ?? null }))
    const taken = booking === 'taken back' && takenBack ? TAKEN_BACK[takenBack](debit, refund) : []
    const isBack = booking === 'refunded' || booking === 'taken back'
    return [...entriesOf(debit), ...(isBack ? entriesOf(refund) : []), ...entriesOf(taken)]
  }

  /** The whole ledger, newest first: deposits of each minute or of long ago, and what the account's withdrawals are. */
  wholeLedger(account: string): LedgerSight[] {
    const lacking = this.#lacking
    if (lacking === 'all') return []
    const { isCalm, serviceMs } = this.#service
    const isOld = lacking === 'its latest' || (this.truth.isQuiet && !isCalm)
    const depositMs = isOld ? START_MS - DEPOSITED_BEFORE_MS : serviceMs - (serviceMs % 60_000)
    const deposit = { id: 'deposit-1', type: 'deposit', toldMs: withTimeTold(depositMs, this.truth) }
    const rows = this.movements.filter(
      (row) =>
        row.account === account &&
        this.#bookingOf(row.id, this.truth.refundLagMs) !== 'none' &&
        (lacking !== 'its latest' || row.atMs < START_MS),
    )
    return [deposit, ...rows.map((row) => ({ id: row.id, type: 'withdrawal', toldMs: this.#toldMs(row) }))]
      .toSorted((left, right) => right.toldMs - left.toldMs)
      .map(({ id, type, toldMs }) => ({ source: { type, id }, createdAt: new Date(toldMs).toISOString() }))
  }

  /** What the ledger lacks at this moment. */
  get #lacking() {
    const { what, fromMs, forMs } = this.truth.ledgerLacks ?? { what: undefined, fromMs: 0, forMs: 0 }
    const sinceMs = this.#service.scheduler.nowMs - START_MS
    return this.#service.isCalm || sinceMs < fromMs || sinceMs >= fromMs + forMs ? undefined : what
  }

  findCompletedLike(id: string, account: string): WithdrawalState | undefined {
    const like = this.movements.find((row) => row.id === id)
    const found = this.movements.find(
      (row) =>
        row.account === account &&
        this.statusOf(row) === 'COMPLETED' &&
        row.subType === like?.subType &&
        this.#toldMs(row) < this.#toldMs(like),
    )
    return found && { ...found, status: 'COMPLETED' }
  }

  /** What it has come to, whatever the ledger shows. */
  trueBookingOf(id: string): Booking {
    return this.#bookingOf(id, 0)
  }

  #bookingOf(id: string, behindMs: number): Booking {
    const row = this.movements.find((movement) => movement.id === id)
    if (!row) return 'none'
    const { settleMs, refundLagMs, refundsAfterMs = 0, booksAt, endsAs } = this.truth
    const { serviceMs } = this.#service
    // A service that has become faster shows its ledger as soon as its rows.
    const lagMs = this.#service.lasting(behindMs, row.atMs)
    if (serviceMs < row.atMs + lagMs) return 'none'
    if (row.nonce === undefined) return 'debited'
    const endsMs = row.atMs + settleMs
    if (booksAt === 'completion') return endsAs === 'COMPLETED' && serviceMs >= endsMs + lagMs ? 'debited' : 'none'
    const refundedMs = endsMs + this.#service.lasting(refundLagMs, row.atMs) + refundsAfterMs
    if (endsAs !== 'FAILED' || serviceMs < refundedMs) return 'debited'
    return this.truth.takenBack === undefined ? 'refunded' : 'taken back'
  }

  statusOf(row: WithdrawnRow): string {
    if (row.nonce === undefined) return 'COMPLETED'
    return this.#service.serviceMs < row.atMs + this.truth.settleMs ? this.truth.movingStatus : this.truth.endsAs
  }

  /** The asset of a row, as the service names it. */
  get toldAsset(): string | null {
    const { tellsAsset } = this.truth
    return tellsAsset === undefined ? ASSET.assetSymbol : TOLD_ASSETS[tellsAsset]
  }

  /** Its `createdAt`, as exact as the service tells it. */
  toldTime(row: WithdrawnRow): string {
    const { datedTo, datedAheadMs = 0 } = this.truth
    return datedTo === 'millisecond' && datedAheadMs === 0 ? row.createdAt : new Date(this.#toldMs(row)).toISOString()
  }

  #toldMs(row: WithdrawnRow): number {
    return withTimeTold(row.atMs, this.truth)
  }

  #isVisible(row: WithdrawnRow): boolean {
    return this.#service.serviceMs >= row.atMs + this.#service.lasting(this.truth.visibilityMs, row.atMs)
  }

  addRow({
    amount,
    fee,
    atMs = this.#service.serviceMs,
    knownFee = formatDecimal(fee),
    knownTotal = formatDecimal((amount + fee) as Decimal),
    ...facts
  }: Pick<WithdrawnRow, 'subType' | 'networkId' | 'contactId' | 'nonce' | 'account'> & {
    readonly amount: Decimal
    readonly fee: Decimal
    readonly atMs?: number | undefined
    readonly knownFee?: string
    readonly knownTotal?: string
  }): WithdrawnRow {
    const row: WithdrawnRow = {
      kind: 'withdraw',
      id: this.#service.ids.next('withdraw'),
      assetSymbol: ASSET.assetSymbol,
      ...facts,
      amount: formatDecimal(amount),
      fee: formatDecimal(fee),
      total: formatDecimal((amount + fee) as Decimal),
      createdAt: new Date(atMs).toISOString(),
      transactionHash: null,
      bankReference: null,
      ...{ atMs, knownFee, knownTotal },
    }
    this.movements.push(row)
    this.#service.witness.noteMovement(row, this.knownBalance())
    return row
  }
}
