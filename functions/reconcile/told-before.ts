// What the audits before this one have found of movements that this one judges again. It tells each finding once. It does
// not judge.
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { foundKey, type Walked } from '../../core/journal/watermarks.ts'
import { type AuditWindow, isWithin } from './audit-window.ts'

/** A record holds 400 KB. Findings beyond so many are told again by the next audit. */
const MOST_REMEMBERED = 4_000
/** Findings beyond so many are told at once: what is not remembered would wait for ever. */
const MOST_WAITING = 1_000
/** The ledger may still lack an entry, or have one too early, for as long as a movement may be unseen. */
const OF_LEDGER: ReadonlySet<FindingType> = new Set([
  FindingType.UnlistedEntry,
  FindingType.DifferingEntry,
  FindingType.MissingEntry,
])

type Memory = Pick<Walked, 'told' | 'seenSince'>

export class ToldBefore {
  readonly #before: { readonly told: ReadonlySet<string>; readonly seenSince: Memory['seenSince'] }
  readonly #window: AuditWindow
  readonly #nowMs: number
  readonly #told = new Set<string>()
  readonly #seenSince = new Map<string, string>()

  /** `before`: undefined for a first audit. What is dated behind its stretch may be of the stretch all the same, and is told. */
  constructor(before: Memory | undefined, window: AuditWindow, nowMs: number) {
    this.#before = { told: new Set(before?.told), seenSince: before?.seenSince ?? {} }
    this.#window = window
    this.#nowMs = nowMs
  }

  /**
   * Whether the finding is to be told now. `datedAt`: ISO-8601, of its movement or entry. What is dated behind the stretch may
   * have happened a moment ago, so that what the ledger says of it is told only once it has stayed so for long enough.
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

  /** How many findings wait for a later audit. */
  get waiting(): number {
    return this.#seenSince.size
  }

  memory(): Memory {
    return { told: [...this.#told].slice(0, MOST_REMEMBERED), seenSince: Object.fromEntries(this.#seenSince) }
  }
}
