// What the service's side of both worlds has in common: its clock, its judgement of signed
// requests (token life, nonces, keys), and outages. What the description leaves open is drawn.
import type { Scheduler } from './scheduler.ts'
import { textOf } from './trace.ts'
import type { Witness } from './witness.ts'
import type { Detail } from './world-state.ts'

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

const HOUR_MS = 3_600_000

export abstract class SignedService<Truth extends SignedTruth> {
  readonly scheduler: Scheduler
  readonly witness: Witness
  readonly truth: Truth
  /** Indicative rates, by `BASE-QUOTE SIDE`. */
  readonly prices: Readonly<Record<string, string>>
  abstract readonly movements: readonly object[]
  readonly sentNonces: string[] = []
  /** The signing key in force. Rotation has no grace: what the old one signed is refused at once. */
  keyNumber = 1
  mayGoDown = true
  /** When what was there before the start was made. */
  readonly longAgoMs: number
  readonly #nonces = new Set<string>()
  #outageEndsMs = Number.NEGATIVE_INFINITY

  constructor(scheduler: Scheduler, witness: Witness, truth: Truth, prices: Readonly<Record<string, string>>) {
    this.scheduler = scheduler
    this.witness = witness
    this.truth = truth
    this.longAgoMs = this.serviceMs - HOUR_MS
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

  /** What it is in, but for the nonces that it has seen. */
  text(): string {
    const downUntilMs = this.isDown ? this.#outageEndsMs : 0
    const isUsed = this.sentNonces.length > 0
    return [this.keyNumber, this.mayGoDown, isUsed, downUntilMs, ...this.movements.map(textOf)].join('\n')
  }

  *details(): Iterable<Detail> {
    for (const name of this.#nonces) yield { name, text: 'spent' }
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
