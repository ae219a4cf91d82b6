// The audit: compares what moved at the service with the journal, both ways, and reports what does not tie out. Moves
// no money, and changes no intent.
import { heldBy, unclaimedText } from '../../core/audit/held-by.ts'
import { findChange, findOverdue } from '../../core/audit/judge-intent.ts'
import {
  addFill,
  type FillSums,
  findOrderFault,
  findWithdrawalFault,
  NO_FILLS,
} from '../../core/audit/judge-movement.ts'
import { orderText, withdrawalText } from '../../core/audit/movement-text.ts'
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
  findIntentName,
  IntentKind,
  IntentState,
  intentName,
  listing,
} from '../../core/contract/records.ts'
import { TooMany } from '../../core/errors.ts'
import { type Intent, isConversion } from '../../core/journal/intent.ts'
import { findNamed } from '../../core/journal/journal.ts'
import { readable } from '../../core/journal/listed-records.ts'
import { findUnproven } from '../../core/movements/follows.ts'
import { rowsLike } from '../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { type AuditWindow, auditWindow, halfOf, isAhead, isJudged, isWithin, spanOf } from './audit-window.ts'
import { judgeLedger } from './judge-ledger.ts'
import { judgeStarts } from './judge-starts.ts'
import type { AuditedFill, AuditedOrder, ReconcilePorts } from './ports.ts'
import { EarlierFindings } from './reported-before.ts'

/**
 * Maximum number of movements of each kind in one audit. Each takes one or two reads of the journal, of some
 * milliseconds. Beyond it the audit takes a shorter window.
 */
const MOST_MOVEMENTS = 10_000
/** Maximum number of fills from the stretch to now. It covers days without an audit. */
const MOST_FILLS = 100_000
const MOST_OPEN_INTENTS = 5_000
/** Maximum number of DONE intents in one hour. */
const MOST_DONE_IN_AN_HOUR = 20_000
/** Maximum number of findings in the report, because a function's answer is bounded. The log has every finding. */
const MOST_REPORTED = 200

/**
 * Runs one audit.
 * @throws Transient, Refused, Defect; nothing is recorded then, and the next audit judges the same movements again.
 */
export async function reconcile(input: ReconcileInput, ports: ReconcilePorts): Promise<ReconcileReport> {
  const { service, watermarks, timing } = ports
  await service.clock.measure()
  const nowMs = service.clock.reachedMs()
  const watermark = await watermarks.find(AUDIT_WALK)
  const reached = watermark?.through
  // A clock that ran ahead may have skipped movements. So the audit looks back like a first audit: better judged twice
  // than never.
  const aheadTo = isAhead(reached, nowMs) ? reached : undefined
  const before = aheadTo === undefined && input.since === undefined ? watermark : undefined
  // A caller who names a time decides how far back the audit looks.
  const slackMs = input.since === undefined ? undefined : 0
  const window = auditWindow(nowMs, input.since ?? before?.through, timing, slackMs)
  const isLookBack = input.since !== undefined
  const audit = await judged(
    window,
    (half) => new Audit(ports, half, new EarlierFindings(before, half, nowMs), isLookBack),
  )
  await audit.judgeOpenIntents(nowMs)
  await audit.judgeUnclaimed()
  const report = { ...audit.report(), ...(aheadTo !== undefined && { clockSetBackFrom: aheadTo }) }
  // A requested look back does not move the watermark.
  if (input.since !== undefined) return report
  const throughMs = Date.parse(report.through)
  if (ports.starts !== undefined) await judgeStarts({ ...window, throughMs }, ports.starts)
  // If no movement was old enough, the earlier findings stay.
  const { told, seenSince } = throughMs > window.sinceMs || before === undefined ? audit.memory() : before
  await watermarks.move(AUDIT_WALK, watermark, { through: report.through, told, seenSince })
  return report
}

/**
 * Audits the window. After a pause there may be more than one audit can judge: it judges the first part, and the next
 * audits continue. From the part that is judged again it drops the oldest.
 */
async function judged(window: AuditWindow, begin: (window: AuditWindow) => Audit): Promise<Audit> {
  const audit = begin(window)
  if (window.throughMs <= window.sinceMs) return audit
  try {
    await audit.listMovements()
  } catch (error) {
    const half = halfOf(window)
    if (!(error instanceof TooMany) || half === undefined) throw error
    return judged(half, begin)
  }
  await audit.judgeMovements()
  await audit.judgeForeignWords()
  return audit
}

/** A movement, and its comparison with an intent. */
interface Judged {
  readonly movement: 'order' | 'withdrawal'
  readonly movementId: string
  readonly datedAt: string
  readonly description: string
  readonly differenceFrom: (intent: Intent) => string | undefined
  readonly mayBeOf: (intent: Intent) => boolean
}

/** A movement without a claim, which another process may still be about to claim. */
interface Unclaimed {
  readonly finding: Finding
  readonly kind: IntentKind
  readonly movementId: string
  readonly datedAt: string
  readonly mayBeOf: (intent: Intent) => boolean
}

/** The state of one audit: its counts and findings, and the movements that it has seen. */
class Audit {
  readonly #ports: ReconcilePorts
  readonly #window: AuditWindow
  readonly #earlierFindings: EarlierFindings
  readonly #isLookBack: boolean
  readonly #counts = { orders: 0, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0, findingsTotal: 0 }
  readonly #findings: Finding[] = []
  /** Movements in the lists, per kind, because ids are unique only within their kind. */
  readonly #shown = { order: new Set<string>(), withdrawal: new Set<string>() }
  /** Faults of unreadable records; each names its record. */
  readonly #unreadable = new Set<string>()
  /** Movements declared foreign that this audit has reported. */
  readonly #foreign = new Set<string>()
  readonly #fills = new Map<string, AuditedFill>()
  readonly #orders: AuditedOrder[] = []
  readonly #rows = new Map<string, WithdrawalState>()
  readonly #unclaimed: Unclaimed[] = []
  /** Intents that are ARMED, not overdue, and as requested: each may be about to claim its movement. */
  readonly #underWay: Intent[] = []

  constructor(ports: ReconcilePorts, window: AuditWindow, earlierFindings: EarlierFindings, isLookBack: boolean) {
    this.#ports = ports
    this.#window = window
    this.#isLookBack = isLookBack
    this.#earlierFindings = earlierFindings
  }

  /**
   * Lists the movements before any is judged, so that a stretch that proves too long reports nothing twice.
   * @throws TooMany
   */
  async listMovements(): Promise<void> {
    const { service } = this.#ports
    for await (const order of service.walkOrders(spanOf(this.#window), MOST_MOVEMENTS)) {
      if (isJudged(this.#window, order.createdAt)) this.#orders.push(order)
    }
    for await (const row of service.walkWithdrawals(spanOf(this.#window), MOST_MOVEMENTS)) {
      if (isJudged(this.#window, row.createdAt)) this.#rows.set(row.id, row)
    }
  }

  /** Checks both ways: each movement has its intent, and each DONE intent its movement. */
  async judgeMovements(): Promise<void> {
    const fills = await this.#sumFills()
    for (const order of this.#orders) await this.#judgeOrder(order, fills)
    for (const row of this.#rows.values()) await this.#judgeWithdrawal(row)
    await this.#judgeLedger(fills)
    await this.#judgeDoneIntents()
  }

  async #sumFills(): Promise<ReadonlyMap<string, FillSums>> {
    const sums = new Map<string, FillSums>()
    // Up to now, because an order may fill long after it was placed.
    const fills = this.#ports.service.walkFills({ startDate: spanOf(this.#window).startDate }, MOST_FILLS)
    for await (const fill of fills) {
      this.#counts.fills += 1
      this.#fills.set(fill.id, fill)
      sums.set(fill.orderId, addFill(sums.get(fill.orderId) ?? NO_FILLS, fill))
    }
    return sums
  }

  async #judgeOrder(order: AuditedOrder, fills: ReadonlyMap<string, FillSums>): Promise<void> {
    const { id, createdAt } = order
    if (isWithin(this.#window, createdAt)) this.#counts.orders += 1
    await this.#judgeMovement({
      ...{ movement: 'order', movementId: id, datedAt: createdAt },
      description: orderText(order),
      differenceFrom: (intent) => findOrderFault(order, intent, fills.get(id) ?? NO_FILLS),
      mayBeOf: (intent) => isConversion(intent) && intent.attempt?.orderId === id,
    })
  }

  async #judgeWithdrawal(row: WithdrawalState): Promise<void> {
    const { id, createdAt } = row
    if (isWithin(this.#window, createdAt)) this.#counts.withdrawals += 1
    await this.#judgeMovement({
      ...{ movement: 'withdrawal', movementId: id, datedAt: createdAt },
      description: withdrawalText(row),
      differenceFrom: (intent) => findWithdrawalFault(row, intent),
      mayBeOf: (intent) => rowsLike(intent, [row]).length > 0,
    })
  }

  async #judgeLedger(fills: ReadonlyMap<string, FillSums>): Promise<void> {
    const movements = { fills: this.#fills, withdrawals: this.#rows, orders: new Set(this.#shown.order) }
    const find = (finding: Finding, datedAt: string) => this.#find(finding, datedAt)
    this.#counts.entries = await judgeLedger(movements, this.#window, this.#ports.service, find, {
      order: (order) => this.#judgeOrder(order, fills),
      withdrawal: (row) => this.#judgeWithdrawal(row),
    })
  }

  async #judgeMovement({ movement, movementId, datedAt, description, differenceFrom, mayBeOf }: Judged): Promise<void> {
    this.#shown[movement].add(movementId)
    const kind = movement === 'order' ? IntentKind.Convert : IntentKind.Withdraw
    const claim = await this.#readable(() => this.#ports.journal.findClaim(kind, movementId))
    if (claim === 'unreadable') return
    const intentId = claim.read
    const word = intentId === FOREIGN ? await this.#judgeForeign(kind, movementId) : undefined
    if (word === 'unreadable') return
    const held = heldBy(intentId, word === 'told')
    if (held === 'others' || (held === 'nobody' && this.#ports.isShared)) {
      if (isWithin(this.#window, datedAt)) this.#counts.foreign += 1
      return
    }
    if (held === 'others, by no word of a person') {
      // An attacker who takes over a sending step could claim its own sends as foreign.
      const message = unclaimedText(held, description)
      this.#find({ movement, movementId, finding: FindingType.UnprovenClaim, message }, datedAt)
      return
    }
    if (intentId === undefined) {
      const message = unclaimedText('nobody', description)
      const finding = { finding: FindingType.UnclaimedMovement, movement, movementId, message }
      this.#unclaimed.push({ finding, kind, movementId, datedAt, mayBeOf })
      return
    }
    const about = { movement, movementId, intentId }
    const found = await this.#readable(() => this.#ports.journal.find(intentId, kind))
    if (found === 'unreadable') return
    const intent = found.read
    // Claimed, and stopped before DONE. The intent is open, and is found there once it is overdue.
    if (intent?.state === IntentState.Armed) return
    if (intent?.ref !== movementId) {
      const says = intent === undefined ? 'is not in the journal' : `is ${intent.state} without it`
      const message = `${description} is claimed by intent ${intentId}, which ${says}`
      this.#find({ ...about, finding: FindingType.UnprovenClaim, message }, datedAt)
      return
    }
    const difference = differenceFrom(intent)
    if (difference !== undefined) {
      const message = `${description} is not what was frozen: ${difference}`
      this.#find({ ...about, finding: FindingType.DifferingTerms, message }, datedAt)
      return
    }
    const unapproved = await this.#readable(() => this.#ports.findUnapproved(intent))
    if (unapproved === 'unreadable' || unapproved.read === undefined) return
    const message = `${description} is of intent ${intentId}, and ${unapproved.read}`
    this.#find({ ...about, finding: FindingType.ChangedRecord, message }, datedAt)
  }

  /** Reports each declaration of a foreign movement once, so that people who watch the alarms see it. */
  async #judgeForeign(kind: IntentKind, movementId: string): Promise<'told' | 'missing' | 'unreadable'> {
    const found = await this.#readable(() => this.#ports.journal.findForeign(kind, movementId))
    if (found === 'unreadable') return found
    if (found.read === undefined) return 'missing'
    const { at, because, by } = found.read
    const movement = kind === IntentKind.Convert ? 'order' : 'withdrawal'
    const message = `${movement} ${movementId} was declared to be others' by ${by} at ${at}: ${because}`
    // A requested look back has no memory and would report each again. Both the lists and the day of the declaration
    // lead here.
    const name = intentName(kind, movementId)
    if (!this.#isLookBack && !this.#foreign.has(name))
      this.#find({ movement, movementId, finding: FindingType.ForeignMovement, message }, at)
    this.#foreign.add(name)
    return 'told'
  }

  /** Judges the declarations of the days of this window, also about older movements. */
  async judgeForeignWords(): Promise<void> {
    const { againFromMs, throughMs } = this.#window
    for (let day = dayOf(againFromMs); day <= dayOf(throughMs); day += 1) {
      const list = listing.foreignOn(iso(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length))
      for (const name of await this.#ports.index.list(list, MOST_MOVEMENTS)) {
        const named = findIntentName(name)
        if (named !== undefined) await this.#judgeForeign(named.kind, named.intentId)
      }
    }
  }

  async #judgeDoneIntents(): Promise<void> {
    const { index, journal } = this.#ports
    const { sinceMs, throughMs } = this.#window
    for (let hour = hourOf(sinceMs); hour <= hourOf(throughMs); hour += 1) {
      for (const name of await index.list(listing.doneInHour(hour), MOST_DONE_IN_AN_HOUR)) {
        const found = await this.#readable(() => findNamed(journal, name))
        const intent = found === 'unreadable' ? undefined : found.read
        if (intent?.state !== IntentState.Done || !this.#wasArmedWithin(intent)) continue
        this.#counts.intents += 1
        await this.#judgeDoneIntent(intent)
      }
    }
  }

  /** Reads a record. An edited or misfit record hides no other, and is reported once. */
  #readable<Read>(read: () => Promise<Read>): Promise<{ readonly read: Read } | 'unreadable'> {
    return readable(read, ({ message }) => {
      const isKnown = this.#unreadable.has(message)
      this.#unreadable.add(message)
      if (!isKnown) this.#report({ finding: FindingType.UnreadableRecord, message })
    })
  }

  #wasArmedWithin({ attempt }: Intent): boolean {
    const armedAtMs = (attempt?.iat ?? 0) * 1000
    return armedAtMs > this.#window.sinceMs && armedAtMs <= this.#window.throughMs
  }

  async #judgeDoneIntent(intent: Intent): Promise<void> {
    if (!(await this.#isProven(intent))) return
    const { intentId, ref = '' } = intent
    const movement = isConversion(intent) ? 'order' : 'withdrawal'
    // The movement may be dated after its attempt and lie outside the lists, so read it by its id.
    if (this.#shown[movement].has(ref) || (await this.#isShownById(intent, ref))) return
    const message = `intent ${intentId} is DONE by ${movement} ${ref}, which the service does not show`
    this.#report({ finding: FindingType.MissingMovement, movement, movementId: ref, intentId, message })
  }

  /**
   * Whether the record proves that the intent is DONE; reports it otherwise. An unreadable claim is reported as
   * unreadable.
   */
  async #isProven(intent: Intent): Promise<boolean> {
    const { intentId, kind, ref = '' } = intent
    const claim = await this.#readable(() => this.#ports.journal.findClaim(kind, ref))
    const message = claim === 'unreadable' ? undefined : findUnproven(intent, claim.read)
    if (message !== undefined) this.#report({ finding: FindingType.ChangedRecord, intentId, message })
    return message === undefined
  }

  async #isShownById(intent: Intent, ref: string): Promise<boolean> {
    const { service } = this.#ports
    return (isConversion(intent) ? await service.findOrder(ref) : await service.findWithdrawal(ref)) !== undefined
  }

  async judgeOpenIntents(nowMs: number): Promise<void> {
    const { index, journal, timing } = this.#ports
    for (const name of await index.list(listing.open, MOST_OPEN_INTENTS)) {
      const found = await this.#readable(() => findNamed(journal, name))
      const intent = found === 'unreadable' ? undefined : found.read
      if (intent === undefined) continue
      const { intentId } = intent
      this.#counts.intents += 1
      // The index lags, and an edited record may still be in its list.
      if (intent.state === IntentState.Done) await this.#isProven(intent)
      const changed = findChange(intent)
      if (changed !== undefined) {
        const message = `intent ${intentId} is ${intent.state}, and ${changed}`
        this.#report({ finding: FindingType.ChangedRecord, intentId, message })
      }
      const overdue = findOverdue(intent, nowMs, timing)
      if (overdue === undefined) {
        if (intent.state === IntentState.Armed && changed === undefined) this.#underWay.push(intent)
        continue
      }
      this.#report({ finding: FindingType.OverdueIntent, intentId, message: `intent ${intentId} is ${overdue}` })
    }
  }

  /**
   * Judges the unclaimed movements last, because a service may date a new movement as an old one. Its intent was ARMED
   * before the movement was listed, so by now it has the claim or is under way.
   */
  async judgeUnclaimed(): Promise<void> {
    for (const { finding, kind, movementId, datedAt, mayBeOf } of this.#unclaimed) {
      if (this.#underWay.some(mayBeOf)) continue
      const claim = await this.#readable(() => this.#ports.journal.findClaim(kind, movementId))
      if (claim !== 'unreadable' && claim.read === undefined) this.#find(finding, datedAt)
    }
  }

  /** Findings that the next audit must not report again. */
  memory(): ReturnType<EarlierFindings['memory']> {
    return this.#earlierFindings.memory()
  }

  report(): ReconcileReport {
    const { findingsTotal } = this.#counts
    const { againFromMs, sinceMs, throughMs, youngSinceMs, allFromMs } = this.#window
    return {
      outcome: findingsTotal === 0 ? AuditOutcome.TiesOut : AuditOutcome.Findings,
      since: iso(sinceMs),
      through: iso(throughMs),
      ...(againFromMs < sinceMs && { againFrom: iso(againFromMs) }),
      waiting: this.#earlierFindings.waiting,
      youngSince: iso(youngSinceMs),
      allFrom: iso(allFromMs),
      ...this.#counts,
      findings: this.#findings,
    }
  }

  /** Reports a finding unless it was reported before. `datedAt`: date of its movement or entry. */
  #find(finding: Finding, datedAt: string): void {
    if (this.#earlierFindings.isNew(finding, datedAt)) this.#report(finding)
  }

  #report(finding: Finding): void {
    this.#ports.report(finding)
    this.#counts.findingsTotal += 1
    if (this.#findings.length < MOST_REPORTED) this.#findings.push(finding)
  }
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}

const DAY_MS = 86_400_000

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / 3_600_000)
}
