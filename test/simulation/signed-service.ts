// What the service's side of both worlds has in common: its clock, its judgement of signed
// requests (token life, nonces, keys), and outages. What the description leaves open is drawn.
import type { Scheduler } from './scheduler.ts'
import type { Witness } from './witness.ts'

/** The service's true behaviour, which the configuration only bounds. */
export interface SignedTruth {
  /** How long after `exp` a token is still accepted. */
  readonly leewayMs: number
  /** How long an accepted movement cannot be read. */
  readonly visibilityMs: number
  readonly nonceSpentOnRefusal: boolean
  /** The machines' clocks minus the service's. */
  readonly skewMs: number
  /** `/v2/time` minus the time by which the service judges tokens and quotes. */
  readonly toldAheadMs: number
  /** How long nothing can be read from the first send on: the worst moment for it. */
  readonly outageMs: number
  /** What a movement is called while it moves: an open set. */
  readonly movingStatus: string
}

/** A request as it was signed, and as every copy of it arrives. */
export interface SignedCopy {
  readonly nonce: string
  readonly exp: number
  readonly keyNumber: number
}

export class SignedService<Truth extends SignedTruth> {
  readonly scheduler: Scheduler
  readonly witness: Witness
  readonly truth: Truth
  /** Indicative rates, by `BASE-QUOTE SIDE`. */
  readonly prices: Readonly<Record<string, string>>
  readonly sentNonces: string[] = []
  /** The signing key in force. Rotation has no grace: what the old one signed is refused at once. */
  keyNumber = 1
  mayGoDown = true
  readonly #nonces = new Set<string>()
  #outageEndsMs = Number.NEGATIVE_INFINITY

  constructor(scheduler: Scheduler, witness: Witness, truth: Truth, prices: Readonly<Record<string, string>>) {
    this.scheduler = scheduler
    this.witness = witness
    this.truth = truth
    this.prices = prices
  }

  get serviceMs(): number {
    return this.scheduler.nowMs - this.truth.skewMs
  }

  get toldMs(): number {
    return this.serviceMs + this.truth.toldAheadMs
  }

  get isDown(): boolean {
    return this.mayGoDown && this.serviceMs < this.#outageEndsMs
  }

  noteSend(nonce: string): void {
    if (this.sentNonces.length === 0) this.#outageEndsMs = this.serviceMs + this.truth.outageMs
    this.sentNonces.push(nonce)
    this.witness.noteSend(nonce)
  }

  revokeKey(): void {
    this.keyNumber += 1
  }

  spend(nonce: string): void {
    this.#nonces.add(nonce)
  }

  isSpent(nonce: string): boolean {
    return this.#nonces.has(nonce)
  }

  /** Whether its signature counts: a key in force, and a token that has not ended. */
  isAuthentic({ exp, keyNumber }: SignedCopy): boolean {
    return keyNumber === this.keyNumber && this.serviceMs <= exp * 1000 + this.truth.leewayMs
  }
}
