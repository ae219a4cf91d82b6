// One audit, which may take several calls: its window, what it counted and found, and how far it has come. It judges
// the stretch since the last audit first, and then judges again what is dated before it.
import { AuditOutcome, type Finding, FindingType, type ReconcileReport } from '../../core/contract/reconcile.ts'
import { TooMany } from '../../core/errors.ts'
import { foundKey, type Walked } from '../../core/journal/watermarks.ts'
import { type AuditWindow, auditWindow, iso, type Stretch } from './audit-window.ts'
import { Collected, type Judging } from './collected.ts'
import { judgeOpenIntents } from './judge-intents.ts'
import { judgeSlice, type Walks } from './judge-slice.ts'
import { LedgerEntries } from './ledger-entries.ts'
import type { ReconcilePorts } from './ports.ts'
import { ReadAhead, SentIntents } from './read-ahead.ts'
import { EarlierFindings } from './reported-before.ts'
import type { Slice } from './slices.ts'

/** Maximum number of findings in the report, because a function's answer is bounded. The log has every finding. */
const MOST_REPORTED = 200
/** Maximum number of open findings, because a record holds 400 KB. */
const MOST_OPEN = 200

interface AuditStart {
  readonly nowMs: number
  /** The watermark of the last audit, unless this audit begins anew. */
  readonly before: Walked | undefined
  /** ISO-8601: a person asked for the time after this. */
  readonly since: string | undefined
  /** ISO-8601, where an audit without a watermark begins. */
  readonly anewFrom: string
  /** Movements that earlier audits reported and that still nobody claims. */
  readonly open: readonly Finding[]
  /** Whether the call only goes on. Another call judges the open intents anew, even if it goes on too. */
  readonly isContinuation: boolean
}

/** The parts of an audit, in the order in which they are judged. */
export type Part = 'stretch' | 'again'

export class Audit {
  readonly window: AuditWindow
  /** Whether an earlier call began this audit. */
  readonly isContinued: boolean
  readonly #ports: ReconcilePorts
  readonly #start: AuditStart
  readonly #walks: Walks
  readonly #earlier: EarlierFindings
  readonly #counts: Record<string, number>
  readonly #findings: Finding[] = []
  /** Keys of the findings of this call that no memory has. */
  readonly #reported = new Set<string>()
  /** By their keys: those of earlier audits that are still so, and those that later audits remember. */
  readonly #open: Map<string, Finding>
  readonly #unclaimed: Map<string, Finding>
  /** Epoch ms up to which each part is judged. */
  readonly #judged: Record<Part, number>
  /** Whether the open intents are judged. */
  #isBegun: boolean

  constructor(ports: ReconcilePorts, start: AuditStart) {
    const { nowMs, before, isContinuation, since, anewFrom } = start
    const unfinished = before?.unfinished
    this.#ports = ports
    this.#start = start
    this.#walks = { entries: new LedgerEntries(ports.service), sent: new SentIntents(ports) }
    this.isContinued = unfinished !== undefined
    this.#isBegun = this.isContinued && isContinuation
    this.window = auditWindow(
      nowMs,
      {
        through: since ?? unfinished?.since ?? before?.through ?? anewFrom,
        againThrough: before?.againThrough,
        // A caller who names a time decides how far back the audit looks.
        ...(since !== undefined && { slackMs: 0 }),
      },
      ports.timing,
    )
    this.#open = new Map(start.open.map((finding) => [foundKey(finding), finding]))
    this.#unclaimed = new Map(this.#open)
    this.#earlier = new EarlierFindings(before, unfinished, this.window, nowMs)
    this.#counts = { ...new Collected().counts, findingsTotal: 0, ...unfinished?.counts }
    this.#judged = {
      stretch: unfinished === undefined || before === undefined ? this.window.sinceMs : Date.parse(before.through),
      again: unfinished === undefined ? this.window.againFromMs : Date.parse(unfinished.againFrom),
    }
  }

  /** The time of a part that is left to be judged. */
  left(part: Part): Stretch {
    return { sinceMs: this.#judged[part], throughMs: part === 'stretch' ? this.window.throughMs : this.#againToMs }
  }

  get isFinished(): boolean {
    return this.#judged.stretch >= this.window.throughMs && this.#judged.again >= this.#againToMs
  }

  /** How far the stretch has been judged, in epoch ms. */
  get throughMs(): number {
    return this.#judged.stretch
  }

  /** An earlier call began to judge again up to the beginning of its stretch. */
  get #againToMs(): number {
    const { unfinished } = this.#start.before ?? {}
    return unfinished === undefined ? this.window.sinceMs : Date.parse(unfinished.againTo)
  }

  pass(part: Part, throughMs: number): void {
    this.#judged[part] = throughMs
  }

  /** @returns about how many movements the slice had. @throws TooMany; then nothing of the slice counts */
  async judge(slice: Slice): Promise<number> {
    const collected = new Collected()
    try {
      const movements = await judgeSlice(this.#judging(slice, collected), this.#walks)
      this.#isBegun = true
      this.#accept(collected)
      return movements
    } catch (error) {
      // The next call judges the slice again, and perhaps fails again. Somebody should see at once what it has found.
      if (!(error instanceof TooMany)) this.#accept(collected)
      throw error
    }
  }

  /** Judges no movement, because none is old enough. */
  async judgeOpenIntents(): Promise<void> {
    const collected = new Collected()
    const { sinceMs, throughMs } = this.window
    const slice = { sinceMs, throughMs, isWhole: true, isNewest: true, isShortest: false }
    await judgeOpenIntents(this.#judging(slice, collected))
    this.#accept(collected)
  }

  /** Reports a finding about the audit itself, before it judges anything. */
  find(finding: Finding): void {
    const collected = new Collected()
    collected.find(finding)
    this.#accept(collected)
  }

  #judging(slice: Slice, collected: Collected): Judging {
    const { nowMs, since } = this.#start
    const shared = { ports: this.#ports, window: this.window, nowMs, isLookBack: since !== undefined }
    return { ...shared, slice, isFirst: !this.#isBegun, ahead: new ReadAhead(this.#ports), collected }
  }

  #accept({ counts, found }: Collected): void {
    for (const [name, count] of Object.entries(counts)) this.#counts[name] = (this.#counts[name] ?? 0) + count
    for (const { finding, datedAt } of found) {
      if (datedAt === undefined ? !this.#isReported(finding) : this.#earlier.isNew(finding, datedAt)) {
        this.#ports.report(finding)
        this.#counts.findingsTotal = (this.#counts.findingsTotal ?? 0) + 1
        if (this.#findings.length < MOST_REPORTED) this.#findings.push(finding)
      } else if (this.#earlier.wasTold(finding) && finding.finding !== FindingType.ForeignMovement)
        this.#open.set(foundKey(finding), finding)
      if (finding.finding === FindingType.UnclaimedMovement) this.#unclaimed.set(foundKey(finding), finding)
    }
  }

  #isReported(finding: Finding): boolean {
    const key = foundKey(finding)
    const isReported = this.#reported.has(key)
    this.#reported.add(key)
    return isReported
  }

  /** The watermark of this moment. */
  walked(): Walked {
    const { before, nowMs } = this.#start
    const through = iso(this.#judged.stretch)
    const memory = this.#earlier.memory()
    const open = [...this.#unclaimed.values()].slice(0, MOST_OPEN)
    if (this.isFinished) {
      // In one slice the whole window was judged again.
      const isWhole = !this.isContinued && this.#isWhole
      // If no movement was old enough, the earlier findings stay.
      const isEmpty = this.window.throughMs <= this.window.sinceMs && !this.isContinued
      const kept = isEmpty && before !== undefined ? before : memory
      const againThrough = isEmpty ? before?.againThrough : isWhole ? undefined : iso(this.#againToMs)
      return { through, told: kept.told, seenSince: kept.seenSince, againThrough, open }
    }
    return {
      ...{ through, open },
      ...{ told: before?.told ?? [], seenSince: before?.seenSince ?? {}, againThrough: before?.againThrough },
      unfinished: {
        since: iso(this.window.sinceMs),
        begunAt: before?.unfinished?.begunAt ?? iso(nowMs),
        ...{ againFrom: iso(this.#judged.again), againTo: iso(this.#againToMs) },
        counts: this.#counts,
        ...memory,
      },
    }
  }

  #isWhole = false

  /** Everything is judged in one slice. */
  passWhole(): void {
    this.#isWhole = true
    this.pass('stretch', this.window.throughMs)
    this.pass('again', this.#againToMs)
  }

  report(): ReconcileReport {
    const { againFromMs, sinceMs, youngSinceMs, allFromMs } = this.window
    const open = [...this.#open.values()].slice(0, MOST_OPEN)
    const begunAt = this.#start.before?.unfinished?.begunAt
    const {
      orders = 0,
      fills = 0,
      withdrawals = 0,
      entries = 0,
      intents = 0,
      foreign = 0,
      findingsTotal = 0,
    } = this.#counts
    return {
      outcome: findingsTotal + open.length === 0 ? AuditOutcome.TiesOut : AuditOutcome.Findings,
      since: iso(sinceMs),
      through: iso(this.#judged.stretch),
      ...(againFromMs < sinceMs && { againFrom: iso(againFromMs) }),
      ...(this.#judged.again < this.#againToMs && { againLeftFrom: iso(this.#judged.again) }),
      ...(begunAt !== undefined && { begunAt }),
      waiting: this.#earlier.waiting,
      youngSince: iso(youngSinceMs),
      allFrom: iso(allFromMs),
      ...{ orders, fills, withdrawals, entries, intents, foreign, findingsTotal },
      findings: this.#findings,
      open,
    }
  }
}
