// The keys that machines sign and read with: those of the account, one after the other, and one of another
// account that somebody puts in their place by mistake. Which account each stands for only the service knows.
import type { Scheduler } from './scheduler.ts'

export interface KeyTruth {
  /** Whether the signing key is replaced once, when the first request has been signed with the old one. */
  readonly rotatesKey: boolean
  /**
   * Whose reads tell another account from the first send on, or the first quote or look at a balance, for so long: all
   * machines, or those that start meanwhile. `isBusy`: it has movements just like ours, orders of the same ids too.
   * `isLive`: it is a key of the other stage, and its account has the id of ours.
   */
  readonly strayKey?: {
    readonly who: 'all' | 'new'
    readonly from: 'quote' | 'send' | 'balance'
    readonly forMs: number
    readonly isBusy: boolean
    readonly isLive?: boolean
  }
  /** Keys that may say which account they are of. */
  readonly mayReadAccount: 'all' | 'first' | 'none'
}

/** What a key is and may do. */
export interface Issued {
  readonly kid: string
  readonly account: string
  /** The id of that account, as the service says it: ids are unique within a stage. */
  readonly saysAccount: string
  readonly mayReadAccount: boolean
}

export const OWN_ACCOUNT = 'account-1'
export const OTHER_ACCOUNT = 'account-2'
/** Of the other account; its own are numbered from 1. */
const STRAY = 0
const STRAY_KIDS: ReadonlySet<string> = new Set([kidOf(STRAY), kidOf(STRAY, 'live')])

export class Keys {
  /** The signing key in force. Rotation has no grace: what the old one signed is refused at once. */
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

  /** What a machine gets that asks for its key now. */
  current(): number {
    return this.#isStray() ? STRAY : this.inForce
  }

  /** What a machine has in its hands that has kept `kept`. */
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

  /** By then the journal knows its account. */
  noteQuote(): void {
    if (this.#truth.strayKey?.from === 'quote') this.noteFirstUse()
  }

  noteSend(): void {
    if (this.#truth.strayKey?.from !== 'balance') this.noteFirstUse()
  }

  /** Right before a send: what was signed may be of the right key, and what there is of this one's account. */
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
   * Once the account is known, its key may be put back in the midst of whatever is under way, or the other one's come
   * once more and stay: never both while somebody looks, as a key is kept for minutes.
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

/** As a key's prefix is. */
function kidOf(number: number, stage: 'test' | 'live' = 'test'): string {
  return `svc_${stage}_${String(number).padStart(12, '0')}`
}

export function accountOfKid(kid: string): string {
  return STRAY_KIDS.has(kid) ? OTHER_ACCOUNT : OWN_ACCOUNT
}
