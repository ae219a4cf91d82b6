// A service and a journal with many movements, on a clock of its own. Each movement shows at one time and may be dated
// earlier. Some movements have a fault, which an audit must find.
import type { Finding } from '../../../core/contract/reconcile.ts'
import { IntentKind, IntentState, intentName, listing } from '../../../core/contract/records.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import { TooMany as TooManyItems } from '../../../core/errors.ts'
import { createWatermarks, type Watermarks } from '../../../core/journal/watermarks.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import {
  type AuditedEntry,
  type AuditedFill,
  type AuditedOrder,
  LEDGER_PAGE,
  type ReconcilePorts,
  type Span,
} from '../../../functions/reconcile/ports.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { testSeals } from '../../helpers/test-seals.ts'
import { conversion, order, payment, withdrawal } from './audited-world.ts'

/** The fault of a movement; its finding has the same type. */
export type Fault = 'unclaimed_movement' | 'missing_entry' | 'differing_entry' | 'unlisted_entry' | 'missing_movement'

export interface Moved {
  readonly kind: 'order' | 'withdrawal'
  /** Epoch ms. */
  readonly shownAtMs: number
  readonly datedAtMs: number
  readonly fault?: Fault
}

export type LedgerOrder = 'newest first' | 'oldest first' | 'by date, newest first'

interface Shown<Row> {
  readonly row: Row
  readonly shownAtMs: number
  readonly datedAtMs: number
}

type Intent = typeof conversion | typeof payment

export class SyntheticAccount {
  nowMs: number
  readonly #orders: Shown<AuditedOrder>[] = []
  readonly #fills: Shown<AuditedFill>[] = []
  readonly #rows: Shown<WithdrawalState>[] = []
  readonly #entries: Shown<AuditedEntry>[] = []
  readonly #intents = new Map<string, { readonly intent: Intent; readonly shownAtMs: number }>()
  readonly #claims = new Map<string, string>()
  readonly #ledgerOrder: LedgerOrder
  readonly store = createMemoryStore()
  readonly watermarks: Watermarks
  readonly told: Finding[] = []
  /** Called before each read, which may fail by it or wait for another audit. */
  onRead: () => Promise<void> = async () => {}
  requests = 0

  readonly #tooMany: typeof TooManyItems

  /** `tooMany`: the error of a list that is too long, of a built variant. */
  constructor(nowMs: number, moved: readonly Moved[], ledgerOrder: LedgerOrder, tooMany = TooManyItems) {
    this.nowMs = nowMs
    this.#tooMany = tooMany
    this.#ledgerOrder = ledgerOrder
    let stamps = 0
    this.watermarks = createWatermarks(this.store, () => `stamp-${++stamps}`, testSeals())
    for (const [nth, each] of moved.toSorted((left, right) => left.shownAtMs - right.shownAtMs).entries())
      this.#add(nth, each)
    if (ledgerOrder === 'by date, newest first') this.#entries.sort((left, right) => left.datedAtMs - right.datedAtMs)
  }

  #add(nth: number, { kind, shownAtMs, datedAtMs, fault }: Moved): void {
    const at = { shownAtMs, datedAtMs }
    const createdAt = new Date(datedAtMs).toISOString()
    const isOrder = kind === 'order'
    const id = `${kind}-${nth}`
    const model = isOrder ? conversion : payment
    const intentKind = isOrder ? IntentKind.Convert : IntentKind.Withdraw
    const intentId = `intent-${nth}`
    const attempt = { ...model.attempt, iat: Math.floor(datedAtMs / 1000), ...(isOrder && { orderId: id }) }
    if (fault !== 'unclaimed_movement') {
      this.#intents.set(intentName(intentKind, intentId), {
        intent: { ...model, intentId, ref: id, attempt } as Intent,
        shownAtMs,
      })
      this.#claims.set(`${intentKind} ${id}`, intentId)
    }
    if (fault === 'missing_movement') return
    const figures = isOrder ? ['0.5', '50'] : ['100']
    const source = isOrder ? { type: 'fill', id: `fill-${nth}` } : { type: 'withdrawal', id }
    for (const [leg, figure] of figures.entries()) {
      if (fault === 'missing_entry') continue
      const amount = fault === 'differing_entry' && leg === 0 ? '7' : figure
      const more = { type: 'DEBIT', assetSymbol: 'USDC', orderId: isOrder ? id : null, createdAt }
      this.#entries.push({ row: { id: `entry-${nth}-${leg}`, amount, source, ...more }, ...at })
    }
    if (fault === 'unlisted_entry') {
      const more = { type: 'DEBIT', assetSymbol: 'USDC', orderId: null, createdAt }
      const unlisted = { type: 'withdrawal', id: `unlisted-${nth}` }
      this.#entries.push({ row: { id: `entry-${nth}-9`, amount: '1', source: unlisted, ...more }, ...at })
    }
    if (!isOrder) {
      this.#rows.push({ row: { ...withdrawal, id, createdAt }, ...at })
      return
    }
    this.#orders.push({ row: { ...order, id, createdAt }, ...at })
    const fill = { id: `fill-${nth}`, orderId: id, sequence: 1, baseAmount: '0.5', quoteAmount: '50', rate: '100' }
    this.#fills.push({ row: { ...fill, executedAt: createdAt }, ...at })
  }

  #isShown = ({ shownAtMs }: { readonly shownAtMs: number }) => shownAtMs <= this.nowMs

  #within<Row>(rows: readonly Shown<Row>[], { startDate, endDate }: Partial<Span>): Row[] {
    const [startMs, endMs] = [Date.parse(startDate ?? ''), Date.parse(endDate ?? '')]
    return rows
      .filter((each) => this.#isShown(each) && !(each.datedAtMs < startMs) && !(each.datedAtMs > endMs))
      .map(({ row }) => row)
  }

  async *#walk<Row>(rows: () => readonly Row[], limit: number): AsyncGenerator<Row, void> {
    await this.#read()
    const shown = rows()
    if (shown.length > limit) throw new this.#tooMany(`more than ${limit} items`)
    this.requests += Math.floor(shown.length / LEDGER_PAGE)
    yield* shown
  }

  async #read(): Promise<void> {
    this.requests += 1
    await this.onRead()
  }

  #ledger(): readonly AuditedEntry[] {
    const shown = this.#entries.filter(this.#isShown).map(({ row }) => row)
    return this.#ledgerOrder === 'oldest first' ? shown : shown.toReversed()
  }

  ports(hasTime: () => boolean): ReconcilePorts {
    return {
      findUnapproved: async () => undefined,
      findUnheard: async () => undefined,
      findUnheardResumes: async () => [],
      findPaidTwice: async () => undefined,
      journal: {
        find: async (id, kind) => {
          await this.#read()
          return this.#intents.get(intentName(kind, id))?.intent as never
        },
        findClaim: async (kind, id) => {
          await this.#read()
          return this.#claims.get(`${kind} ${id}`)
        },
        findForeign: async () => undefined,
      },
      index: {
        list: async (name) => {
          await this.#read()
          return [...this.#intents]
            .filter(([, each]) => this.#isShown(each) && listed(each.intent) === name)
            .map(([intent]) => intent)
        },
      },
      watermarks: this.watermarks,
      findVerifiedAt: async () => undefined,
      service: {
        clock: {
          measure: async () => {},
          ensure: async () => {},
          nowMs: () => this.nowMs,
          reachedMs: () => this.nowMs,
          atMostMs: () => this.nowMs,
        },
        walkOrders: (span, limit) => this.#walk(() => this.#within(this.#orders, span), limit),
        walkFills: (span, limit) => this.#walk(() => this.#within(this.#fills, span), limit),
        findFills: async (id) => this.#within(this.#fills, {}).filter(({ orderId }) => orderId === id),
        walkWithdrawals: (span, limit) => this.#walk(() => this.#within(this.#rows, span), limit),
        walkLedger: ({ sourceId }, limit) =>
          this.#walk(
            () => this.#ledger().filter(({ source }) => sourceId === undefined || source?.id === sourceId),
            limit,
          ),
        readLedgerPage: async (page) => {
          await this.#read()
          const all = this.#ledger()
          return { entries: all.slice((page - 1) * LEDGER_PAGE, page * LEDGER_PAGE), totalEntries: all.length }
        },
        findOrder: async (id) => this.#within(this.#orders, {}).find((each) => each.id === id),
        findWithdrawal: async (id) => this.#within(this.#rows, {}).find((each) => each.id === id),
      },
      hasTime,
      report: (finding) => this.told.push(finding),
      timing: timingSchema.parse({}),
      isShared: false,
    }
  }
}

function listed({ state, attempt }: Intent): string {
  return state === IntentState.Done ? listing.doneInHour(Math.floor(attempt.iat / 3600)) : listing.open
}
