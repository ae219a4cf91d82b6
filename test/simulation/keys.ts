// Draws the keys with which machines sign and read: those of the account in turn, and a key of another account that
// somebody puts in their place by mistake. Only the service knows the account of each key.
import type { Scheduler } from './scheduler.ts'

export interface KeyTruth {
  /** Whether the signing key is replaced once, after it has signed the first request. */
  readonly rotatesKey: boolean
  /**
   * A key of another account, in use for `forMs` from the first quote, send or read of a balance. `who`: all machines,
   * or those that start in this time. `isBusy`: that account has movements just like ours, even with the same order
   * ids. `isLive`: it is a key of the other stage, whose account has the same id as ours.
   */
  readonly strayKey?: {
    readonly who: 'all' | 'new'
    readonly from: 'quote' | 'send' | 'balance'
    readonly forMs: number
    readonly isBusy: boolean
    readonly isLive?: boolean
  }
  /** Keys that may name their account. */
  readonly mayReadAccount: 'all' | 'first' | 'none'
}

/** The properties and permissions of a key. */
export interface Issued {
  readonly kid: string
  readonly account: string
  /** The account's id as the service reports it. Ids are unique only within a stage. */
  readonly saysAccount: string
  readonly mayReadAccount: boolean
}

export const OWN_ACCOUNT = 'account-1'
export const OTHER_ACCOUNT = 'account-2'
/** Number of the other account's key. Our own keys count from 1. */
const STRAY = 0
const STRAY_KIDS: ReadonlySet<string> = new Set([kidOf(STRAY), kidOf(STRAY, 'live')])

export class Keys {
  /**
   * Number of the valid signing key. Rotation has no grace period: the service refuses at once what the old key signed.
   */
  inForce = 1
  readonly #scheduler: Scheduler
  readonly #truth: KeyTruth
  #strayUntilMs = Number.NEGATIVE_INFINITY
  #isUsed = false
  #mayChange = false

  constructor(scheduler: Scheduler, truth: KeyTruth) {
    this.#scheduler = scheduler
    this.#truth = truth
  }

  /** The key that a machine gets if it asks now. */
  current(): number {
    return this.#isStray() ? STRAY : this.inForce
  }

  /** The key that a machine uses which has cached `kept`. */
  held(kept: number): number {
    return this.#truth.strayKey?.who === 'all' && this.#isStray() ? STRAY : kept
  }

  isInForce(number: number): boolean {
    return number === STRAY || number === this.inForce
  }

  issued(number: number): Issued {
    const { mayReadAccount, strayKey } = this.#truth
    const account = number === STRAY ? OTHER_ACCOUNT : OWN_ACCOUNT
    return {
      kid: kidOf(number, number === STRAY && strayKey?.isLive ? 'live' : 'test'),
      account,
      saysAccount: strayKey?.isLive ? OWN_ACCOUNT : account,
      mayReadAccount: mayReadAccount === 'all' || (mayReadAccount === 'first' && number === 1),
    }
  }

  revoke(): void {
    this.inForce += 1
  }

  /** A request was signed with the key of this number. */
  noteSigned(): void {
    if (this.#truth.rotatesKey) this.inForce = Math.max(this.inForce, 2)
  }

  /** At the first quote the journal already knows its account. */
  noteQuote(): void {
    if (this.#truth.strayKey?.from === 'quote') this.noteFirstUse()
  }

  noteSend(): void {
    if (this.#truth.strayKey?.from !== 'balance') this.noteFirstUse()
  }

  /**
   * A balance is read right before a send. The right key may have signed, while the balance belongs to the other
   * account.
   */
  noteBalance(): void {
    if (this.#truth.strayKey?.from === 'balance') this.noteFirstUse()
  }

  noteFirstUse(): void {
    if (this.#isUsed) return
    this.#isUsed = true
    const { strayKey } = this.#truth
    if (strayKey) this.#strayUntilMs = this.#scheduler.nowMs + strayKey.forMs
    this.#mayChange = true
  }

  /**
   * After its first use, the right key may return at any moment, or the other key may return and stay. It never changes
   * twice, because a key is cached for minutes.
   */
  mayBeReplaced(probability: number): void {
    const { strayKey } = this.#truth
    if (!strayKey || !this.#mayChange || !this.#scheduler.takeFault('fault', probability, ['key replaced'])) return
    this.#mayChange = false
    this.#strayUntilMs = this.#isStray() ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }

  calmDown(): void {
    this.#strayUntilMs = Number.NEGATIVE_INFINITY
  }

  text(): string {
    return `${this.inForce} ${this.#isStray() ? this.#strayUntilMs : ''}`
  }

  #isStray(): boolean {
    return this.#scheduler.nowMs < this.#strayUntilMs
  }
}

/** A key id has the form of a key's prefix. */
function kidOf(number: number, stage: 'test' | 'live' = 'test'): string {
  return `svc_${stage}_${String(number).padStart(12, '0')}`
}

export function accountOfKid(kid: string): string {
  return STRAY_KIDS.has(kid) ? OTHER_ACCOUNT : OWN_ACCOUNT
}
