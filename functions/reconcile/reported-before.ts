// Remembers the findings of earlier audits about movements that this audit judges again, so that each finding is
// reported once. Does not judge.
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { foundKey, type Walked } from '../../core/journal/watermarks.ts'
import { type AuditWindow, isWithin } from './audit-window.ts'

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

type Memory = Pick<Walked, 'told' | 'seenSince'>

export class EarlierFindings {
  readonly #before: { readonly told: ReadonlySet<string>; readonly seenSince: Memory['seenSince'] }
  readonly #window: AuditWindow
  readonly #nowMs: number
  readonly #told = new Set<string>()
  readonly #seenSince = new Map<string, string>()

  /**
   * `before`: `undefined` for a first audit, which reports findings dated before its stretch, because they may belong
   * to it.
   */
  constructor(before: Memory | undefined, window: AuditWindow, nowMs: number) {
    this.#before = { told: new Set(before?.told), seenSince: before?.seenSince ?? {} }
    this.#window = window
    this.#nowMs = nowMs
  }

  /**
   * Whether to report the finding now. `datedAt`: ISO-8601, date of its movement or entry. A movement dated before the
   * stretch may have just happened. So a finding about the ledger is reported only once it has lasted long enough.
   */
  isNew(finding: Finding, datedAt: string): boolean {
    const key = foundKey(finding)
    const isBehind = !isWithin(this.#window, datedAt)
    const isTold = this.#before.told.has(key)
    const since = this.#before.seenSince[key] ?? new Date(this.#nowMs).toISOString()
    const isYoung = isBehind && OF_LEDGER.has(finding.finding) && Date.parse(since) > this.#window.youngSinceMs
    if (!isTold && isYoung && this.#seenSince.size < MOST_WAITING) {
      this.#seenSince.set(key, since)
      return false
    }
    this.#told.add(key)
    return !isTold
  }

  get waiting(): number {
    return this.#seenSince.size
  }

  memory(): Memory {
    return { told: [...this.#told].slice(0, MOST_REMEMBERED), seenSince: Object.fromEntries(this.#seenSince) }
  }
}
