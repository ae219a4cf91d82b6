// Compares the movements in the service's lists and ledger with the claims of the journal. A movement that nobody
// claims was made by somebody else, or by an intent whose record is lost. Reads only.
import { findHeldBy, whyUnclaimed } from '../../core/audit/held-by.ts'
import { orderText, withdrawalText } from '../../core/audit/judge-movement.ts'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { IntentAccess } from '../../place/journal/journal-parts.ts'
import { type Finding, FindingKind } from './judge.ts'
import { checkLedger } from './ledger.ts'

/**
 * A list of any length is read in spans of a week. A longer time has at most this many spans, which are then longer.
 */
const WEEK_MS = 7 * 24 * 3_600_000
const MOST_SPANS = 100
/** Overlap of spans: a service may date rows to the second, and may or may not include the end of a span. */
const OVERLAP_MS = 1_000
/** Rows whose claims are read before the next rows are. */
const AT_ONCE = 100
/** How far the service may date a row ahead of its own time. */
const AHEAD_MS = 60_000

interface CheckedMovements {
  readonly movements: number
  readonly unclaimed: readonly Finding[]
  /** Movements that are too young to be claimed yet. */
  readonly young: number
  /** Number of entries in the ledger. */
  readonly entries: number
  readonly isLedgerCutOff: boolean
}

interface Span {
  readonly sinceMs: number
  /** A movement after it may be under way; infinite where no intent is. */
  readonly untilMs: number
}

interface Row {
  readonly kind: IntentKind
  readonly id: string
  readonly createdAt: string
  readonly text: string
}

/** Movements are dated by the service's clock, so this clock says which are young. @throws Transient */
export async function serviceNowMs({ clock }: Pick<ServiceClient, 'clock'>): Promise<number> {
  await clock.measure()
  return clock.nowMs()
}

type Asked = Pick<ServiceClient, 'clock' | 'walkLedger' | 'walkOrders' | 'walkWithdrawals'>

/** @throws Transient, Refused, Defect for a week with more rows than a walk takes */
export async function checkMovements(
  { journal }: IntentAccess,
  client: Asked,
  { sinceMs, untilMs }: Span,
): Promise<CheckedMovements> {
  const unclaimed: Finding[] = []
  const counts = { movements: 0, young: 0 }
  const nowMs = await serviceNowMs(client)
  // A movement with a date in the future is not young, or it would never be judged.
  const isYoung = (atMs: number) => atMs > untilMs && atMs <= client.clock.nowMs() + AHEAD_MS
  const look = async ({ kind, id, createdAt, text }: Row) => {
    if (isYoung(Date.parse(createdAt))) {
      counts.young += 1
      return
    }
    const why = whyUnclaimed(await findHeldBy(kind, id, journal), text)
    if (why !== undefined) unclaimed.push({ finding: FindingKind.Unclaimed, about: id, message: why })
  }
  // Ids are unique only within their kind.
  const listed = { [IntentKind.Convert]: new Set<string>(), [IntentKind.Withdraw]: new Set<string>() }
  for (const rowsIn of [ordersIn, withdrawalsIn]) {
    for (const span of spansOf(sinceMs, nowMs)) {
      let some: Row[] = []
      for await (const row of rowsIn(client, span)) {
        // Spans overlap.
        if (listed[row.kind].has(row.id)) continue
        listed[row.kind].add(row.id)
        some.push(row)
        if (some.length < AT_ONCE) continue
        await mapBounded(some, READS_AT_ONCE, look)
        counts.movements += some.length
        some = []
      }
      await mapBounded(some, READS_AT_ONCE, look)
      counts.movements += some.length
    }
  }
  const isListed = (kind: IntentKind, id: string) => listed[kind].has(id)
  const ledger = await checkLedger({ journal }, client, { sinceMs, isYoung, isListed })
  return {
    ...counts,
    unclaimed: [...unclaimed, ...ledger.unclaimed],
    entries: ledger.entries,
    isLedgerCutOff: ledger.isCutOff,
  }
}

interface Dates {
  readonly startDate: string
  readonly endDate?: string
}

/** The last span has no end. */
function* spansOf(sinceMs: number, nowMs: number): Generator<Dates, void> {
  const lengthMs = Math.max(WEEK_MS, Math.ceil((nowMs - sinceMs) / MOST_SPANS))
  let fromMs = sinceMs
  for (; fromMs + lengthMs < nowMs; fromMs += lengthMs) {
    yield { startDate: iso(fromMs), endDate: iso(fromMs + lengthMs + OVERLAP_MS) }
  }
  yield { startDate: iso(fromMs) }
}

const WHOLE = { isWhole: true } as const

async function* ordersIn({ walkOrders }: Pick<Asked, 'walkOrders'>, dates: Dates): AsyncGenerator<Row, void> {
  for await (const order of walkOrders(dates, WHOLE)) {
    const { id, createdAt } = order
    yield { kind: IntentKind.Convert, id, createdAt, text: orderText(order) }
  }
}

async function* withdrawalsIn(
  { walkWithdrawals }: Pick<Asked, 'walkWithdrawals'>,
  dates: Dates,
): AsyncGenerator<Row, void> {
  for await (const row of walkWithdrawals(dates, WHOLE)) {
    const { id, createdAt } = row
    yield { kind: IntentKind.Withdraw, id, createdAt, text: withdrawalText(row) }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
