// Measures the audit after a day without one: over 1,000, 100,000 and 1,000,000 conversions a day, of that day and of
// the two days before it. The service and the journal are computed, not stored, so that the memory is the audit's own.
// Their answers take the times that docs/scale.md assumes, on a virtual clock. SLUICE_BENCH_MOVEMENTS gives other sizes.
import { isWholeAudit } from '../core/contract/reconcile.ts'
import { AUDIT_WALK, IntentKind, intentName, listing } from '../core/contract/records.ts'
import { timing } from '../core/contract/timing.ts'
import { TooMany } from '../core/errors.ts'
import { createWatermarks } from '../core/journal/watermarks.ts'
import { type AuditedEntry, LEDGER_PAGE, type ReconcilePorts, type Span } from '../functions/reconcile/ports.ts'
import { reconcile } from '../functions/reconcile/reconcile.ts'
import { createMemoryStore } from '../test/helpers/memory-store.ts'
import { testSeals } from '../test/helpers/test-seals.ts'
import { conversion, order } from '../test/unit/reconcile/audited-world.ts'
import type { Report } from './report.ts'

const SIZES = [1_000, 100_000, 1_000_000]
const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-02-01T00:00:00.000Z')
const DAYS = 3
/** Assumed times of docs/scale.md, in milliseconds. */
const SERVICE_MS = 60
const JOURNAL_MS = 8
/** The audit reads this many records at once. */
const AT_ONCE = 16
const CALL_MS = 600_000
const ENTRIES_OF_ONE = 2
const BYTES_A_MB = 1_048_576

export async function benchAudit(report: Report): Promise<void> {
  const sizes = process.env.SLUICE_BENCH_MOVEMENTS?.split(',').map(Number) ?? SIZES
  for (const size of sizes) await benchSize(size, report)
}

async function benchSize(perDay: number, report: Report): Promise<void> {
  const account = new ComputedAccount(perDay)
  const watermarks = createWatermarks(createMemoryStore(), () => 'stamp', testSeals())
  const through = new Date(START_MS + 2 * DAY_MS).toISOString()
  await watermarks.move(AUDIT_WALK, undefined, { through, told: [], seenSince: {} })
  const startedMs = performance.now()
  const { nowMs } = account
  let calls = 0
  for (let isWhole = false; !isWhole; calls += 1) {
    const untilMs = account.nowMs + CALL_MS
    const audited = await reconcile(
      {},
      account.ports(watermarks, () => account.nowMs < untilMs),
    )
    if (audited.findingsTotal > 0) throw new Error(`the audit found ${JSON.stringify(audited.findings[0])}`)
    isWhole = isWholeAudit(audited)
    if (isWhole) report.note(`${perDay} a day: ${audited.orders} orders and ${audited.entries} entries of the new day`)
  }
  const name = `audit after a day without one, ${perDay} conversions a day`
  report.figure({ name: `${name}, calls`, unit: 'calls', value: calls })
  report.figure({ name: `${name}, requests to the service`, unit: 'requests', value: account.requests })
  report.figure({ name: `${name}, reads of the journal`, unit: 'reads', value: account.reads })
  report.figure({ name: `${name}, assumed time`, unit: 's', value: (account.nowMs - nowMs) / 1000 })
  report.figure({ name: `${name}, time of the processor`, unit: 's', value: (performance.now() - startedMs) / 1000 })
  report.figure({ name: `${name}, most heap in use`, unit: 'MB', value: account.mostHeap / BYTES_A_MB })
}

/** Conversions at equal distances, each with one fill and two entries of the ledger. */
class ComputedAccount {
  nowMs = START_MS + DAYS * DAY_MS + 3_600_000
  requests = 0
  reads = 0
  mostHeap = 0
  readonly #stepMs: number
  readonly #count: number

  constructor(perDay: number) {
    this.#stepMs = DAY_MS / perDay
    this.#count = perDay * DAYS
  }

  #ask(): void {
    this.requests += 1
    this.nowMs += SERVICE_MS
    this.mostHeap = Math.max(this.mostHeap, process.memoryUsage().heapUsed)
  }

  #read(): void {
    this.reads += 1
    this.nowMs += JOURNAL_MS / AT_ONCE
  }

  #dateOf(nth: number): string {
    return new Date(START_MS + Math.floor(nth * this.#stepMs)).toISOString()
  }

  #span({ startDate, endDate }: Partial<Span>): { from: number; to: number } {
    const nthAt = (time: string) => Math.ceil((Date.parse(time) - START_MS) / this.#stepMs)
    const from = startDate === undefined ? 0 : Math.max(0, nthAt(startDate))
    return { from, to: endDate === undefined ? this.#count : Math.min(this.#count, nthAt(endDate)) }
  }

  async *#walk<Row>(span: Partial<Span>, limit: number, rowOf: (nth: number) => Row): AsyncGenerator<Row, void> {
    const { from, to } = this.#span(span)
    this.#ask()
    for (let nth = from; nth < to; nth += 1) {
      if (nth - from === limit) throw new TooMany(`more than ${limit} items`)
      if (nth > from && (nth - from) % LEDGER_PAGE === 0) this.#ask()
      yield rowOf(nth)
    }
  }

  #order = (nth: number) => ({ ...order, id: `order-${nth}`, createdAt: this.#dateOf(nth) })

  #fill = (nth: number) => {
    const figures = { sequence: 1, baseAmount: '0.5', quoteAmount: '50', rate: '100' }
    return { id: `fill-${nth}`, orderId: `order-${nth}`, ...figures, executedAt: this.#dateOf(nth) }
  }

  /** `place`: 0 for the oldest. */
  #entry(place: number): AuditedEntry {
    const nth = Math.floor(place / ENTRIES_OF_ONE)
    const figure = place % ENTRIES_OF_ONE === 0 ? '0.5' : '50'
    const source = { type: 'fill', id: `fill-${nth}` }
    const more = { assetSymbol: 'USDC', orderId: `order-${nth}`, createdAt: this.#dateOf(nth) }
    return { id: `entry-${place}`, type: 'DEBIT', amount: figure, source, ...more }
  }

  async *#newestEntries(limit: number): AsyncGenerator<AuditedEntry, void> {
    const total = this.#count * ENTRIES_OF_ONE
    for (let nth = 0; nth < total; nth += 1) {
      if (nth === limit) throw new TooMany(`more than ${limit} items`)
      if (nth % LEDGER_PAGE === 0) this.#ask()
      yield this.#entry(total - 1 - nth)
    }
  }

  #intent(nth: number) {
    const armedAtS = Math.floor((START_MS + nth * this.#stepMs) / 1000)
    const attempt = { ...conversion.attempt, iat: armedAtS, orderId: `order-${nth}` }
    return { ...conversion, intentId: `intent-${nth}`, ref: `order-${nth}`, attempt }
  }

  #namesIn(list: string): string[] {
    const startDate = new Date(Number(list.slice(listing.doneInHour(0).length - 1)) * 3_600_000)
    const endDate = new Date(startDate.getTime() + 3_600_000)
    const { from, to } = this.#span({ startDate: startDate.toISOString(), endDate: endDate.toISOString() })
    return Array.from({ length: Math.max(0, to - from) }, (_, at) =>
      intentName(IntentKind.Convert, `intent-${from + at}`),
    )
  }

  ports(watermarks: ReconcilePorts['watermarks'], hasTime: () => boolean): ReconcilePorts {
    const total = this.#count * ENTRIES_OF_ONE
    const at = () => this.nowMs
    return {
      journal: {
        find: async (id) => {
          this.#read()
          return this.#intent(Number(id.slice('intent-'.length))) as never
        },
        findClaim: async (_kind, id) => {
          this.#read()
          return `intent-${id.slice('order-'.length)}`
        },
        findForeign: async () => undefined,
      },
      findUnapproved: async () => undefined,
      findUnheard: async () => undefined,
      findUnheardResumes: async () => [],
      findPaidTwice: async () => undefined,
      index: {
        list: async (name) => {
          this.#read()
          return name.startsWith('DONE#') ? this.#namesIn(name) : []
        },
      },
      watermarks,
      findVerifiedAt: async () => undefined,
      service: {
        clock: { measure: async () => {}, ensure: async () => {}, nowMs: at, reachedMs: at, atMostMs: at },
        walkOrders: (span, limit) => this.#walk(span, limit, this.#order),
        walkFills: (span, limit) => this.#walk(span, limit, this.#fill),
        findFills: async (id) => {
          this.#ask()
          return [this.#fill(Number(id.slice('order-'.length)))]
        },
        walkWithdrawals: async function* () {},
        walkLedger: ({ sourceId }, limit) => {
          if (sourceId === undefined) return this.#newestEntries(limit)
          const first = Number(sourceId.slice('fill-'.length)) * ENTRIES_OF_ONE
          this.#ask()
          const entry = this.#entry(first)
          return (async function* () {
            yield entry
          })()
        },
        readLedgerPage: async (page) => {
          this.#ask()
          const first = total - 1 - (page - 1) * LEDGER_PAGE
          const length = Math.max(0, Math.min(LEDGER_PAGE, first + 1))
          return { entries: Array.from({ length }, (_, nth) => this.#entry(first - nth)), totalEntries: total }
        },
        findOrder: async (id) => {
          this.#ask()
          return this.#order(Number(id.slice('order-'.length)))
        },
        findWithdrawal: async () => undefined,
      },
      report: () => undefined,
      hasTime,
      timing: timing.parse({}),
      isShared: false,
    }
  }
}
