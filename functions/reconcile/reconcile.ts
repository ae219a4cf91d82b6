// The audit: holds what the service shows to have moved against what the journal says, both ways.
// It reports what does not tie out. It moves no money, and changes no intent.
import {
  AuditOutcome,
  type Finding,
  FindingType,
  type ReconcileInput,
  type ReconcileReport,
} from '../../core/contract/reconcile.ts'
import {
  AUDIT_WALK,
  FOREIGN,
  FOREIGN_OF_EITHER_KIND,
  IntentKind,
  IntentState,
  listing,
} from '../../core/contract/records.ts'
import { TooMany } from '../../core/errors.ts'
import { type Intent, isConversion } from '../../core/journal/intent.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { type AuditWindow, auditWindow, isAhead, isWithin, spanOf } from './audit-window.ts'
import {
  addFill,
  changedText,
  type FillSums,
  orderDifference,
  overdueText,
  withdrawalDifference,
} from './judge-intent.ts'
import { judgeLedger } from './judge-ledger.ts'
import { judgeStarts } from './judge-starts.ts'
import type { AuditedFill, AuditedOrder, ReconcilePorts } from './ports.ts'

/** Of each kind in one audit; each takes a read or two of the journal, of some milliseconds. Of more, a shorter stretch is judged. */
export const MOST_MOVEMENTS = 10_000
/** From the stretch to the present: of days in which nothing was audited. */
const MOST_FILLS = 100_000
/** A stretch that has too many movements is halved until it is as short as this. */
const SHORTEST_MS = 60_000
const MOST_OPEN_INTENTS = 5_000
/** Each is read once for each stretch of its hour. */
export const MOST_DONE_IN_AN_HOUR = 20_000
/** The report names so many: an answer of a function is bounded. The log has each. */
const MOST_TOLD = 200

/**
 * @throws Transient, Refused, Defect: nothing is recorded then, and the next audit judges the same
 * movements again.
 */
export async function reconcile(input: ReconcileInput, ports: ReconcilePorts): Promise<ReconcileReport> {
  const { service, watermarks, timing } = ports
  await service.clock.measure()
  const nowMs = service.clock.reachedMs()
  const watermark = await watermarks.find(AUDIT_WALK)
  const reached = watermark?.through
  // Nobody knows what that clock left out: a first audit looks back, too, and twice is better than never.
  const aheadTo = isAhead(reached, nowMs) ? reached : undefined
  const window = auditWindow(nowMs, input.since ?? (aheadTo === undefined ? reached : undefined), timing)
  const audit = await judged(window, ports)
  await audit.judgeOpenIntents(nowMs)
  const report = { ...audit.report(), ...(aheadTo !== undefined && { clockSetBackFrom: aheadTo }) }
  // A look back on request leaves the watermark where it is.
  if (input.since !== undefined) return report
  const throughMs = Date.parse(report.through)
  if (ports.starts !== undefined) await judgeStarts({ ...window, throughMs }, ports.starts)
  await watermarks.move(AUDIT_WALK, watermark, report.through)
  return report
}

/** After a silence there may be more than one audit takes: it judges the first of it, and the next ones go on from there. */
async function judged(window: AuditWindow, ports: ReconcilePorts): Promise<Audit> {
  const { sinceMs, throughMs } = window
  const audit = new Audit(ports, window)
  if (throughMs <= sinceMs) return audit
  try {
    await audit.listMovements()
  } catch (error) {
    const halfMs = Math.floor((throughMs - sinceMs) / 2)
    if (!(error instanceof TooMany) || halfMs < SHORTEST_MS) throw error
    return judged({ ...window, throughMs: sinceMs + halfMs }, ports)
  }
  await audit.judgeMovements()
  return audit
}

/** One audit under way: what it has counted, seen and found. */
class Audit {
  readonly #ports: ReconcilePorts
  readonly #window: AuditWindow
  readonly #counts = { orders: 0, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0, findingsTotal: 0 }
  readonly #findings: Finding[] = []
  /** Movements that the lists have shown: ids are unique only within their kind. */
  readonly #shown = { order: new Set<string>(), withdrawal: new Set<string>() }
  readonly #fills = new Map<string, AuditedFill>()
  readonly #orders: AuditedOrder[] = []
  readonly #rows = new Map<string, WithdrawalState>()

  constructor(ports: ReconcilePorts, window: AuditWindow) {
    this.#ports = ports
    this.#window = window
  }

  /** Before anything is judged, so that nothing is told twice of a stretch that proves too long. @throws TooMany */
  async listMovements(): Promise<void> {
    const { service } = this.#ports
    for await (const order of service.walkOrders(spanOf(this.#window), MOST_MOVEMENTS)) {
      if (isWithin(this.#window, order.createdAt)) this.#orders.push(order)
    }
    for await (const row of service.walkWithdrawals(spanOf(this.#window), MOST_MOVEMENTS)) {
      if (isWithin(this.#window, row.createdAt)) this.#rows.set(row.id, row)
    }
  }

  /** Both ways: each movement has its intent, and each intent that is done its movement. */
  async judgeMovements(): Promise<void> {
    await this.#judgeOrders(await this.#sumFills())
    await this.#judgeWithdrawals()
    await this.#judgeLedger()
    await this.#judgeDoneIntents()
  }

  async #sumFills(): Promise<ReadonlyMap<string, FillSums>> {
    const sums = new Map<string, FillSums>()
    // To the present: an order may fill long after it was placed.
    const fills = this.#ports.service.walkFills({ startDate: spanOf(this.#window).startDate }, MOST_FILLS)
    for await (const fill of fills) {
      this.#counts.fills += 1
      this.#fills.set(fill.id, fill)
      sums.set(fill.orderId, addFill(sums.get(fill.orderId), fill))
    }
    return sums
  }

  async #judgeOrders(fills: ReadonlyMap<string, FillSums>): Promise<void> {
    for (const order of this.#orders) {
      this.#counts.orders += 1
      const what = `order ${order.id}, a ${order.side} of ${order.baseAmount} on ${order.market} at ${order.createdAt}`
      await this.#judgeMovement('order', order.id, what, (intent) =>
        orderDifference(order, intent, fills.get(order.id)),
      )
    }
  }

  async #judgeWithdrawals(): Promise<void> {
    for (const row of this.#rows.values()) {
      this.#counts.withdrawals += 1
      const what = `withdrawal ${row.id} of ${row.total} ${row.assetSymbol ?? '(asset unknown)'} at ${row.createdAt}`
      await this.#judgeMovement('withdrawal', row.id, what, (intent) => withdrawalDifference(row, intent))
    }
  }

  async #judgeLedger(): Promise<void> {
    const movements = { fills: this.#fills, withdrawals: this.#rows }
    const find = (finding: Finding) => this.#find(finding)
    this.#counts.entries = await judgeLedger(movements, this.#window, this.#ports.service, find)
  }

  async #judgeMovement(
    movement: 'order' | 'withdrawal',
    movementId: string,
    what: string,
    differenceFrom: (intent: Intent) => string | undefined,
  ): Promise<void> {
    this.#shown[movement].add(movementId)
    const kind = movement === 'order' ? IntentKind.Convert : IntentKind.Withdraw
    const intentId = await this.#ports.journal.findClaim(kind, movementId)
    const isDeclared = intentId === FOREIGN || intentId === FOREIGN_OF_EITHER_KIND
    if (isDeclared || (intentId === undefined && this.#ports.isShared)) {
      this.#counts.foreign += 1
      return
    }
    if (intentId === undefined) {
      const message = `no intent claims ${what}`
      this.#find({ finding: FindingType.UnclaimedMovement, movement, movementId, message })
      return
    }
    const about = { movement, movementId, intentId }
    const intent = await this.#ports.journal.find(intentId)
    // Claimed, and stopped before DONE: that intent is open, and found there once it is overdue.
    if (intent?.state === IntentState.Armed) return
    if (intent?.ref !== movementId) {
      const says = intent === undefined ? 'is not in the journal' : `is ${intent.state} without it`
      const message = `${what} is claimed by intent ${intentId}, which ${says}`
      this.#find({ ...about, finding: FindingType.UnprovenClaim, message })
      return
    }
    const difference = differenceFrom(intent)
    if (difference === undefined) return
    this.#find({
      ...about,
      finding: FindingType.DifferingTerms,
      message: `${what} is not what was frozen: ${difference}`,
    })
  }

  async #judgeDoneIntents(): Promise<void> {
    const { index, journal } = this.#ports
    const { sinceMs, throughMs } = this.#window
    for (let hour = hourOf(sinceMs); hour <= hourOf(throughMs); hour += 1) {
      for (const intentId of await index.list(listing.doneInHour(hour), MOST_DONE_IN_AN_HOUR)) {
        const intent = await journal.find(intentId)
        if (intent?.state !== IntentState.Done || !this.#wasArmedWithin(intent)) continue
        this.#counts.intents += 1
        await this.#judgeDoneIntent(intent)
      }
    }
  }

  #wasArmedWithin({ attempt }: Intent): boolean {
    const armedAtMs = (attempt?.iat ?? 0) * 1000
    return armedAtMs > this.#window.sinceMs && armedAtMs <= this.#window.throughMs
  }

  async #judgeDoneIntent(intent: Intent): Promise<void> {
    const { intentId, ref = '' } = intent
    const movement = isConversion(intent) ? 'order' : 'withdrawal'
    // Dated somewhat later than its attempt, a movement may lie outside the lists: ask for it by its id.
    if (this.#shown[movement].has(ref) || (await this.#isShownById(intent, ref))) return
    const message = `intent ${intentId} is DONE by ${movement} ${ref}, which the service does not show`
    this.#find({ finding: FindingType.MissingMovement, movement, movementId: ref, intentId, message })
  }

  async #isShownById(intent: Intent, ref: string): Promise<boolean> {
    const { service } = this.#ports
    return (isConversion(intent) ? await service.findOrder(ref) : await service.findWithdrawal(ref)) !== undefined
  }

  async judgeOpenIntents(nowMs: number): Promise<void> {
    const { index, journal, timing } = this.#ports
    for (const intentId of await index.list(listing.open, MOST_OPEN_INTENTS)) {
      const intent = await journal.find(intentId)
      if (intent === undefined) continue
      this.#counts.intents += 1
      const changed = changedText(intent)
      if (changed !== undefined) {
        const message = `intent ${intentId} is ${intent.state}, and ${changed}`
        this.#find({ finding: FindingType.ChangedRecord, intentId, message })
      }
      const overdue = overdueText(intent, nowMs, timing)
      if (overdue === undefined) continue
      this.#find({ finding: FindingType.OverdueIntent, intentId, message: `intent ${intentId} is ${overdue}` })
    }
  }

  report(): ReconcileReport {
    const { findingsTotal } = this.#counts
    const { sinceMs, throughMs, youngSinceMs, allFromMs } = this.#window
    return {
      outcome: findingsTotal === 0 ? AuditOutcome.TiesOut : AuditOutcome.Findings,
      since: iso(sinceMs),
      through: iso(throughMs),
      youngSince: iso(youngSinceMs),
      allFrom: iso(allFromMs),
      ...this.#counts,
      findings: this.#findings,
    }
  }

  #find(finding: Finding): void {
    this.#ports.tell(finding)
    this.#counts.findingsTotal += 1
    if (this.#findings.length < MOST_TOLD) this.#findings.push(finding)
  }
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / 3_600_000)
}
