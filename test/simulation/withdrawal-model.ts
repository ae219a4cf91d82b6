// Models the service's side of withdrawals, judged by what it moves. Rows show late, copies arrive late or twice, fees
// change, and withdrawals may fail later. A failed one comes back, or was never booked.
import type { PayeeFacts } from '../../core/contract/payee.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, truncate } from '../../core/money/decimal.ts'
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
  /** Its status while it is under way; statuses are an open set. */
  readonly movingStatus: string
  readonly endsAs: 'COMPLETED' | 'FAILED'
  /** Whether a failed one has a status of its own once its total is back. */
  readonly tellsRefund?: boolean
  /** When the ledger shows it. With `completion`, a withdrawal that fails is never booked. */
  readonly booksAt: 'acceptance' | 'completion'
  /** The entries with which the ledger shows a withdrawal and its refund. */
  readonly entries: keyof typeof ENTRY_TYPES
  /** How long after a failure the refund takes, and how late the ledger shows a booking. */
  readonly refundLagMs: number
  /** Additional delay of the refund. */
  readonly refundsAfterMs?: number
  /** Whether the contact is a bank account, to which a withdrawal is free. */
  readonly isToBank?: boolean
  /** Whether the network's fee changes with the first send. */
  readonly changesFee: boolean
  /** When the fee rises above that, ms after the start. */
  readonly feeRisesMs?: number
  /** How much more than the shown fee a withdrawal takes. Absent: nothing. */
  readonly chargesMore?: string
  /** Which part of our own rows is shown differently from the request. */
  readonly toldOtherwise?: 'network' | 'subType'
  /** How the rows name their asset. Absent: by its settled code. */
  readonly tellsAsset?: keyof typeof TOLD_ASSETS
  /** Whether a 201 has an unreadable body. */
  readonly garblesAnswer: boolean
  /** Whether a 201 names a wrong row: an earlier one, one of another amount, or another intent's. */
  readonly misnames?: 'known' | 'amount' | 'claimed'
  /** Whether a 201 arrives before the work is done, and then names an earlier row. */
  readonly answersEarly?: boolean
  /** When somebody changes where the contact leads, ms after the start. */
  readonly contactChangesMs?: number
  /** The increment of the asset for a while, from the n-th send on. The service cuts finer amounts to it. */
  readonly coarser?: { readonly increment: string; readonly fromSend: number; readonly forMs: number }
  /** How far the filter of a list by dates is off. Absent: not at all. */
  readonly filtersOffMs?: number
  /** When others make rows, ms after the start. */
  readonly foreignRowsMs: readonly number[]
  /** Lists that lack rows although they answer 200. */
  readonly lacks?: LackingLists
  /** How a refund is taken back in the same moment. Absent: it stays. */
  readonly takenBack?: keyof typeof TAKEN_BACK
  /**
   * When somebody pays in the total of our first row, ms after the start, and how long the balance has it before the ledger
   * shows it.
   */
  readonly creditAhead?: { readonly fromMs: number; readonly forMs: number }
  /**
   * When the ledger lacks entries although it answers 200, ms after the start: all, those since the start, or those
   * that a filter finds.
   */
  readonly ledgerLacks?: {
    readonly what: 'all' | 'its latest' | 'what a filter finds'
    readonly fromMs: number
    readonly forMs: number
  }
  /** Whether nothing else is booked from the start on. */
  readonly isQuiet?: boolean
  /** The account's balance at the start. A withdrawal beyond it is refused. */
  readonly balance: string
}

export interface SignedWithdrawal extends SignedCopy {
  readonly order: { readonly amount: string; readonly feeMode: 'deduct' | 'add'; readonly contactId: string }
}

/** A row in settled figures, with facts that only the oracle sees. */
export interface WithdrawnRow extends Omit<WithdrawalState, 'status'> {
  readonly kind: 'withdraw'
  readonly account: string
  readonly contactId: string
  /** `undefined` for a row that others made, or that existed before the start. */
  readonly nonce: string | undefined
  readonly atMs: number
  /** The lowest fee that a read before its send may have shown, and the total at that fee. */
  readonly knownFee: string
  readonly knownTotal: string
  /** The requested amount, where the service has cut it. */
  readonly cutFrom?: string
  /** The increment that was coarser for a while. */
  readonly roundedTo?: string
}

/** The fate of the total of a withdrawal. */
export type Booking = 'none' | 'debited' | 'refunded' | 'taken back'

/** Entry types of a debit and of a refund. Each entry is over the total, or amount and fee are separate. */
const ENTRY_TYPES = {
  'one each': { debit: ['WITHDRAWAL'], refund: ['WITHDRAWAL_REFUND'] },
  'amount and fee': { debit: ['WITHDRAWAL', 'FEE'], refund: ['REFUND', 'REFUND'] },
  'both legs': { debit: ['DEBIT', 'CREDIT'], refund: ['REVERSAL', 'REVERSAL'] },
  'one leg of a refund': { debit: ['DEBIT', 'CREDIT'], refund: ['REFUND'] },
  'legs without names': { debit: ['DEBIT', 'CREDIT'], refund: ['CREDIT', 'DEBIT'] },
  'a refund of an unknown type': { debit: ['WITHDRAWAL'], refund: ['PAYMENT_BOUNCED'] },
  'a refund like a deposit': { debit: ['WITHDRAWAL'], refund: ['DEPOSIT'] },
  'no types': { debit: [''], refund: [''] },
} as const

/** The types of the entries that take a refund back, from those of the debit and of the refund. */
const TAKEN_BACK = {
  'as a reversal': (_debit: readonly string[], refund: readonly string[]) => refund.map(() => 'REVERSAL'),
  'as a refund that is cancelled': (_debit: readonly string[], refund: readonly string[]) =>
    refund.map((type) => `${type}_CANCELLED`),
  'as a debit': (debit: readonly string[]) => debit,
  'by an entry of its own': () => ['ADJUSTMENT'],
} as const

/** Settled code of the asset that all withdraw, and the factor between its settled and rebased figures. */
export const ASSET = { assetSymbol: WITHDRAWN_ASSET, rebasedSymbol: 'AAPLX', multiplier: '2' } as const
/** Ways in which a service names the asset of a row, apart from its settled code. `another` is a different asset. */
export const TOLD_ASSETS = {
  'in lower case': ASSET.assetSymbol.toLowerCase(),
  padded: `${ASSET.assetSymbol} `,
  'by its ticker': ASSET.rebasedSymbol,
  'not at all': null,
  another: 'AAPL-OLD',
} as const
export const CONTACT = { id: 'contact-1', type: 'EXTERNAL_CRYPTO', assetSymbol: ASSET.assetSymbol, networkId: 'ETH' }
/** The contact as a plan saw it, before the start. */
export const PLANNED_CONTACT: PayeeFacts = {
  ...{ contactId: CONTACT.id, alias: 'vault', reference: null, type: CONTACT.type, assetSymbol: ASSET.assetSymbol },
  ...{ networkId: CONTACT.networkId, bank: null, updatedAt: '2025-06-01T00:00:00Z' },
}
/** A withdrawal is compared with the rows of two days. */
const RECENT_MS = 47 * 3_600_000
/** When the deposit that made the balance arrived. */
const DEPOSITED_BEFORE_MS = 86_400_000
/** The deposit is of another asset. */
const OTHER_ASSET = [{ type: 'DEPOSIT', assetSymbol: 'ETH', amount: '1' }]
const WITHDRAWN = { assetSymbol: WITHDRAWN_ASSET }
const INCREMENT = '0.000001'
const OLD_FEE = '1'
const NEW_FEE = '1.5'
const RISEN_FEE = '2.5'
const ROUTE = { subType: 'EXTERNAL_CRYPTO', networkId: CONTACT.networkId }
const BANK_ROUTE = { subType: 'EXTERNAL_FIAT_BANK', networkId: null }
const OTHER_ROUTE = {
  network: { ...ROUTE, networkId: 'BASE' },
  subType: { subType: 'INTERNAL', networkId: null },
}

export class WithdrawalModel {
  readonly movements: WithdrawnRow[] = []
  readonly truth: WithdrawalTruth
  /** Whether the journal knows a row of this id. */
  isKnown: (id: string) => boolean = () => false
  /** How much of the asset conversions have sold. */
  sold: () => bigint = () => 0n
  /** How much of the asset unfinished conversions will still take. */
  promised: () => bigint = () => 0n
  readonly #service: SignedService
  /** Number of rows from before the start. They do not reduce the balance. */
  #earlier = 0
  #sentMs = Number.POSITIVE_INFINITY
  #sends = 0
  #coarserFromMs: number | undefined
  /** Total of the accepted withdrawals that are still in work. */
  #taken = 0n

  constructor(service: SignedService, truth: WithdrawalTruth) {
    this.#service = service
    this.truth = truth
  }

  /** The contact as the service shows it now. */
  contact(contactId: string): PayeeFacts {
    const { contactChangesMs = Number.POSITIVE_INFINITY } = this.truth
    const isChanged = this.#service.scheduler.nowMs >= START_MS + contactChangesMs
    return { ...this.plannedContact, contactId, ...(isChanged && { updatedAt: '2026-01-01T00:00:00Z' }) }
  }

  get plannedContact(): PayeeFacts {
    return this.truth.isToBank ? { ...PLANNED_CONTACT, type: 'BANK_ACCOUNT', networkId: null } : PLANNED_CONTACT
  }

  get fee(): string {
    return this.#feeAt(this.#service.scheduler.nowMs)
  }

  /** The lowest fee that a read may have shown whose send can still move now. Fees only rise. */
  get knownFee(): string {
    return this.#feeAt(this.#service.scheduler.nowMs - LOOK_TO_MOVE_MS)
  }

  #feeAt(nowMs: number): string {
    const { changesFee, feeRisesMs = Number.POSITIVE_INFINITY, isToBank } = this.truth
    if (isToBank) return '0'
    if (nowMs >= START_MS + feeRisesMs) return RISEN_FEE
    return changesFee && nowMs >= this.#sentMs ? NEW_FEE : OLD_FEE
  }

  /** The increment of the asset now. */
  get increment(): string {
    const { coarser } = this.truth
    const fromMs = this.#coarserFromMs
    if (coarser === undefined || fromMs === undefined || this.#service.isCalm) return INCREMENT
    return this.#service.scheduler.nowMs < fromMs + coarser.forMs ? coarser.increment : INCREMENT
  }

  noteSend(nonce: string): void {
    this.#sentMs = Math.min(this.#sentMs, this.#service.scheduler.nowMs)
    this.#sends += 1
    if (this.#sends === this.truth.coarser?.fromSend) this.#coarserFromMs = this.#service.scheduler.nowMs
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
    if (service.isSpent(nonce)) return refused(unproven('nonce_reused', 401, true))
    const { knownFee } = this
    const fee = plus(parseDecimal(this.fee, 'fee'), parseDecimal(this.truth.chargesMore ?? '0', 'fee'))
    const asked = truncate(parseDecimal(order.amount, 'amount'), parseDecimal(this.increment, 'increment'))
    const isCut = asked !== parseDecimal(order.amount, 'amount')
    const amount = (order.feeMode === 'deduct' ? asked - fee : asked) as Decimal
    const total = amount + fee
    const isCovered = amount > 0n && total <= parseDecimal(this.balance, 'balance') - this.#taken
    if (isCovered || service.truth.nonceSpentOnRefusal) service.spend(nonce)
    if (!isCovered) return refused(unproven('unprocessable', 422, false))
    this.#taken += total
    const { account } = service.keys.issued(copy.keyNumber)
    const lagMs = Math.max(this.truth.visibilityMs, this.truth.refundLagMs)
    const work = service.accept('withdraw', copy, { isHeard, lagMs }, () => {
      this.#taken -= total
      const { isToBank, toldOtherwise } = this.truth
      const route = toldOtherwise ? OTHER_ROUTE[toldOtherwise] : isToBank ? BANK_ROUTE : ROUTE
      const known = order.feeMode === 'deduct' ? total : amount + parseDecimal(knownFee, 'fee')
      const knownTotal = formatDecimal(known as Decimal)
      const roundedTo = this.truth.coarser?.increment
      const cut = { ...(isCut && { cutFrom: order.amount }), ...(roundedTo && { roundedTo }) }
      const paid = { contactId: order.contactId, nonce, account, ...cut }
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

  /** An earlier row from before the send was prepared. A row made since could be the real one. */
  #findEarlier(): WithdrawnRow | undefined {
    return this.movements.findLast(({ atMs }) => atMs < this.#service.longAgoMs + 1)
  }

  #misnamed(row: WithdrawnRow): WithdrawnRow | undefined {
    if (this.truth.misnames === 'amount') return this.addForeign('7')
    if (this.truth.misnames === 'known') return this.#findEarlier()
    // A row of another intent, which has released its lane and therefore claimed the row.
    if (this.truth.misnames === 'claimed') return this.movements.findLast(({ nonce }) => nonce && nonce !== row.nonce)
    return undefined
  }

  /** A movement that somebody else makes on this account, like ours or not. */
  addForeign(asked: string, atMs?: number, account = OWN_ACCOUNT): WithdrawnRow {
    const figures = { amount: parseDecimal(asked, 'amount'), fee: parseDecimal(this.fee, 'fee') }
    return this.addRow({ ...figures, ...ROUTE, contactId: 'somebody', nonce: undefined, account, atMs })
  }

  /** A withdrawal from before the start, just like ours. */
  addEarlier(feeMode: 'deduct' | 'add', agoMs: number): WithdrawnRow {
    this.#earlier += 1
    const arrives = feeMode === 'deduct' ? '99' : '100'
    return this.addForeign(arrives, this.#service.serviceMs - agoMs)
  }

  /** Settled balance. Some failed withdrawals have not come back yet. */
  get balance(): string {
    let left = parseDecimal(this.truth.balance, 'balance') - this.sold()
    for (const row of this.movements.slice(this.#earlier)) {
      if (row.account === OWN_ACCOUNT && this.#hasLeft(row)) left -= parseDecimal(row.total, 'total')
    }
    left += parseDecimal(this.#creditSince(0)?.total ?? '0', 'total')
    return formatDecimal((left < 0n ? 0n : left) as Decimal)
  }

  /** The row whose total somebody has paid in, at least this long ago. */
  #creditSince(ms: number): WithdrawnRow | undefined {
    const { fromMs } = this.truth.creditAhead ?? { fromMs: Number.POSITIVE_INFINITY }
    const isThere = this.#service.scheduler.nowMs - START_MS >= fromMs + ms
    return isThere ? this.movements.find(({ account, nonce }) => account === OWN_ACCOUNT && nonce) : undefined
  }

  #hasLeft(row: WithdrawnRow): boolean {
    return !this.#hasFailed(row) || ['debited', 'taken back'].includes(this.trueBookingOf(row.id))
  }

  /** By the balance history. The rows from before the start have left what the start has. */
  balanceBefore(account: string, ms: number): string {
    const since = this.movements.slice(0, this.#earlier).filter((row) => row.account === account && row.atMs >= ms)
    const totals = since.map(({ total }) => parseDecimal(total, 'total'))
    return formatDecimal(totals.reduce(plus, parseDecimal(this.truth.balance, 'balance')))
  }

  /**
   * The balance that a read before a send could know. It ignores what others took, or a risen fee cost, too recently,
   * and subtracts what orders will still take.
   */
  knownBalance(): string {
    const { serviceMs } = this.#service
    const lately = this.movements.slice(this.#earlier).filter(({ account, atMs }) => {
      return account === OWN_ACCOUNT && atMs > serviceMs - LOOK_TO_MOVE_MS
    })
    const sum = lately.reduce((all, row) => {
      const unknown = parseDecimal(row.total, 'total') - (row.nonce ? parseDecimal(row.knownTotal, 'total') : 0n)
      return this.#hasLeft(row) ? all + unknown : all
    }, 0n)
    return formatDecimal((parseDecimal(this.balance, 'balance') + sum - this.promised()) as Decimal)
  }

  /** The rows of a window of time, as the service lists them now. */
  listRows(account: string, window: Window): WithdrawnRow[] {
    const { filtersOffMs = 0 } = this.truth
    const isAsked = (row: WithdrawnRow) => isWithin(window, this.#toldMs(row) + filtersOffMs, this.truth)
    const rows = this.movements.filter((row) => this.#isVisible(row) && row.account === account && isAsked(row))
    const { isCalm, scheduler, serviceMs } = this.#service
    const unordered = isCalm ? 'no' : this.truth.unordered
    // The same rows are missing on all pages of a list, whatever the order of each page.
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

  /** The ledger entries that the service shows of a withdrawal. */
  ledgerOf(id: string): BookedEntry[] {
    const row = this.movements.find((movement) => movement.id === id)
    const lacking = this.#lacking
    if (row === undefined || (lacking !== undefined && lacking !== 'its latest')) return []
    return lacking === 'its latest' && row.atMs >= START_MS ? [] : this.#entriesOf(id)
  }

  #entriesOf(id: string): BookedEntry[] {
    const row = this.movements.find((movement) => movement.id === id)
    const booking = this.#bookingOf(id, this.truth.refundLagMs)
    if (row === undefined || booking === 'none') return []
    const { takenBack } = this.truth
    const { debit, refund } = ENTRY_TYPES[this.truth.entries]
    const amounts = this.truth.entries === 'amount and fee' ? [row.amount, row.fee] : [row.total, row.total]
    const entriesOf = (types: readonly string[]) => types.map((type, at) => ({ type, amount: amounts[at] ?? null }))
    const taken = booking === 'taken back' && takenBack ? TAKEN_BACK[takenBack](debit, refund) : []
    const isBack = booking === 'refunded' || booking === 'taken back'
    return [...entriesOf(debit), ...(isBack ? entriesOf(refund) : []), ...entriesOf(taken)]
  }

  /** The whole ledger, newest first: deposits of each minute or of long ago, and the account's withdrawals. */
  wholeLedger(account: string): LedgerSight[] {
    const lacking = this.#lacking
    if (lacking === 'all') return []
    const { isCalm, serviceMs } = this.#service
    const isOld = lacking === 'its latest' || (this.truth.isQuiet && !isCalm)
    const depositMs = isOld ? START_MS - DEPOSITED_BEFORE_MS : serviceMs - (serviceMs % 60_000)
    const deposit = {
      id: 'deposit-1',
      type: 'deposit',
      toldMs: withTimeTold(depositMs, this.truth),
      entries: OTHER_ASSET,
    }
    const rows = this.movements.filter(
      (row) =>
        row.account === account &&
        this.#bookingOf(row.id, this.truth.refundLagMs) !== 'none' &&
        (lacking !== 'its latest' || row.atMs < START_MS),
    )
    const paidIn = account === OWN_ACCOUNT ? this.#creditSince(this.truth.creditAhead?.forMs ?? 0) : undefined
    const credits = paidIn === undefined ? [] : [this.#creditOf(paidIn)]
    const entriesOf = ({ id }: WithdrawnRow) => this.#entriesOf(id).map((entry) => ({ ...entry, ...WITHDRAWN }))
    const own = rows.map((row) => ({
      ...{ id: row.id, type: 'withdrawal', toldMs: this.#toldMs(row), entries: entriesOf(row) },
    }))
    return [deposit, ...credits, ...own]
      .toSorted((left, right) => right.toldMs - left.toldMs)
      .flatMap(({ id, type, toldMs, entries }) =>
        entries.map((entry) => ({ ...entry, source: { type, id }, createdAt: new Date(toldMs).toISOString() })),
      )
  }

  #creditOf({ total }: WithdrawnRow) {
    const toldMs = withTimeTold(START_MS + (this.truth.creditAhead?.fromMs ?? 0), this.truth)
    return { id: 'deposit-2', type: 'deposit', toldMs, entries: [{ type: 'DEPOSIT', amount: total, ...WITHDRAWN }] }
  }

  /** The part that the ledger lacks at this moment. */
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

  /** The true booking, whatever the ledger shows. */
  trueBookingOf(id: string): Booking {
    return this.#bookingOf(id, 0)
  }

  #bookingOf(id: string, behindMs: number): Booking {
    const row = this.movements.find((movement) => movement.id === id)
    if (!row) return 'none'
    const { settleMs, booksAt, endsAs } = this.truth
    const { serviceMs } = this.#service
    // A service that has become faster shows its ledger as soon as its rows.
    const lagMs = this.#service.lasting(behindMs, row.atMs)
    if (serviceMs < row.atMs + lagMs) return 'none'
    if (row.nonce === undefined) return 'debited'
    const endsMs = row.atMs + settleMs
    if (booksAt === 'completion') return endsAs === 'COMPLETED' && serviceMs >= endsMs + lagMs ? 'debited' : 'none'
    if (endsAs !== 'FAILED' || serviceMs < this.#refundedMs(row)) return 'debited'
    return this.truth.takenBack === undefined ? 'refunded' : 'taken back'
  }

  #refundedMs({ atMs }: WithdrawnRow): number {
    const { settleMs, refundLagMs, refundsAfterMs = 0 } = this.truth
    return atMs + settleMs + this.#service.lasting(refundLagMs, atMs) + refundsAfterMs
  }

  /** When the total of a row is back for good, or has certainly never left, in service time. Infinite where it stays away. */
  backMs(row: WithdrawnRow): number {
    const { settleMs, booksAt, endsAs, takenBack } = this.truth
    if (endsAs === 'FAILED' && booksAt === 'completion') return row.atMs + settleMs
    return endsAs === 'FAILED' && takenBack === undefined ? this.#refundedMs(row) : Number.POSITIVE_INFINITY
  }

  statusOf(row: WithdrawnRow): string {
    if (row.nonce === undefined) return 'COMPLETED'
    if (this.#service.serviceMs < row.atMs + this.truth.settleMs) return this.truth.movingStatus
    const isBack = this.truth.tellsRefund === true && this.trueBookingOf(row.id) === 'refunded'
    return isBack ? 'REFUNDED' : this.truth.endsAs
  }

  #hasFailed(row: WithdrawnRow): boolean {
    return ['FAILED', 'REFUNDED'].includes(this.statusOf(row))
  }

  /** The asset of a row, as the service names it. */
  get toldAsset(): string | null {
    const { tellsAsset } = this.truth
    return tellsAsset === undefined ? ASSET.assetSymbol : TOLD_ASSETS[tellsAsset]
  }

  /** The `createdAt` of a row, in the precision of the service. */
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
    readonly cutFrom?: string
    readonly roundedTo?: string
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
