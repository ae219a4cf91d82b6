// Remembers the findings about movements that an audit meets again, in its own slices and in the next audit, so that
// each finding is reported once. Does not judge.
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { foundKey, type Walked } from '../../core/journal/watermarks.ts'
import { DATING_SLACK_MS } from '../../core/movements/withdrawal/known-rows.ts'
import { type AuditWindow, iso, isWithin } from './audit-window.ts'

/** Maximum number of remembered findings, because a record holds 400 KB. The next audit reports the others again. */
const MOST_REMEMBERED = 4_000
/** Maximum number of waiting findings. Others are reported at once, because without memory they would wait for ever. */
const MOST_WAITING = 1_000
/** Findings about the ledger. It may lack an entry, or show an entry early, for as long as a movement may be unseen. */
const OF_LEDGER: ReadonlySet<FindingType> = new Set([
  FindingType.UnlistedEntry,
  FindingType.DifferingEntry,
  FindingType.MissingEntry,
])

export type Memory = Pick<Walked, 'told' | 'seenSince'>

export class EarlierFindings {
  readonly #before: { readonly told: ReadonlySet<string>; readonly seenSince: Memory['seenSince'] }
  readonly #window: Pick<AuditWindow, 'sinceMs' | 'throughMs' | 'youngSinceMs'>
  readonly #nowMs: number
  readonly #told: Set<string>
  readonly #seenSince: Map<string, string>

  /**
   * `before`: of the last audit. `undefined` for a first audit, which reports findings dated before its stretch, because
   * they may belong to it. `soFar`: of the earlier calls of this audit.
   */
  constructor(
    before: Memory | undefined,
    soFar: Memory | undefined,
    window: Pick<AuditWindow, 'sinceMs' | 'throughMs' | 'youngSinceMs'>,
    nowMs: number,
  ) {
    this.#before = { told: new Set(before?.told), seenSince: before?.seenSince ?? {} }
    this.#told = new Set(soFar?.told)
    this.#seenSince = new Map(Object.entries(soFar?.seenSince ?? {}))
    this.#window = window
    this.#nowMs = nowMs
  }

  /**
   * Whether to report the finding now. `datedAt`: ISO-8601, date of its movement or entry. A movement dated before the
   * stretch may have just happened. So a finding about the ledger is reported only once it has lasted long enough.
   */
  isNew(finding: Finding, datedAt: string): boolean {
    const key = foundKey(finding)
    if (this.#told.has(key)) return false
    const isBehind = !isWithin(this.#window, datedAt)
    const isTold = this.#before.told.has(key)
    const since = this.#before.seenSince[key] ?? this.#seenSince.get(key) ?? iso(this.#nowMs)
    // A finding about an older date is met by no later audit, so it cannot wait.
    const isMetAgain = !(Date.parse(datedAt) <= this.#window.throughMs - DATING_SLACK_MS)
    const mayWait = isBehind && isMetAgain && OF_LEDGER.has(finding.finding)
    const isYoung = mayWait && Date.parse(since) > this.#window.youngSinceMs
    if (!isTold && isYoung && this.#seenSince.size < MOST_WAITING) {
      this.#seenSince.set(key, since)
      return false
    }
    this.#seenSince.delete(key)
    this.#told.add(key)
    return !isTold
  }

  /** Whether the last audit reported it or knew it as reported. */
  wasTold(finding: Finding): boolean {
    return this.#before.told.has(foundKey(finding))
  }

  get waiting(): number {
    return this.#seenSince.size
  }

  memory(): Memory {
    return { told: [...this.#told].slice(0, MOST_REMEMBERED), seenSince: Object.fromEntries(this.#seenSince) }
  }
}
