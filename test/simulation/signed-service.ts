// What the service's sides of orders and withdrawals share: its clock, its judgement of signed requests
// (token life, nonces, keys), the ids that it gives, and outages. What the description leaves open is drawn.

import type { IntentKind } from '../../core/contract/records.ts'
import { Keys, type KeyTruth } from './keys.ts'
import { type IdStyle, MovementIds } from './movement-ids.ts'
import type { Work } from './network.ts'
import { PATIENCE_MS } from './network.ts'
import type { Scheduler } from './scheduler.ts'
import type { Witness } from './witness.ts'
import type { Detail } from './world-state.ts'

/** The service's true behaviour, which the configuration only bounds. */
export interface ServiceTruth extends KeyTruth {
  /** How long after `exp` a token is still accepted. */
  readonly leewayMs: number
  readonly nonceSpentOnRefusal: boolean
  /** The machines' clocks minus the service's. */
  readonly skewMs: number
  /** `/v2/time` minus the time by which the service judges tokens and quotes. */
  readonly toldAheadMs: number
  /** How long the question for the time is under way at most. */
  readonly timeTripMs: number
  /** How long nothing can be read from the first send on: the worst moment for it. */
  readonly outageMs: number
  /** How long an accepted request is worked on before its movement comes into being. */
  readonly workMs: number
  /** Works on what is listened to for as long as is promised, which counts from the end of listening. */
  readonly isAtItsSlowest?: boolean
  readonly ids: IdStyle
  /** What the service has frozen of each asset, and counts in its balance all the same; absent: nothing. */
  readonly frozen?: string
  /** So long after the start it works on what it accepts, and shows it, in no time. */
  readonly fasterAfterMs?: number
}

/** A request as it was signed, and as every copy of it arrives. */
export interface SignedCopy {
  readonly nonce: string
  readonly exp: number
  readonly keyNumber: number
}

const HOUR_MS = 3_600_000
/** What is configured as the longest time until a movement shows: work and lag together stay below it. */
export const SHOWN_WITHIN_MS = 59_000

export class SignedService {
  readonly scheduler: Scheduler
  readonly witness: Witness
  readonly truth: ServiceTruth
  /** Indicative rates, by `BASE-QUOTE SIDE`. */
  readonly prices: Readonly<Record<string, string>>
  readonly ids: MovementIds
  readonly keys: Keys
  readonly sentNonces: string[] = []
  /** When what was there an hour before the start was made: the one time that a state tells by its name. */
  readonly longAgoMs: number
  isCalm = false
  readonly #startMs: number
  readonly #nonces = new Set<string>()
  #outageEndsMs = Number.NEGATIVE_INFINITY

  constructor(scheduler: Scheduler, witness: Witness, truth: ServiceTruth, prices: Readonly<Record<string, string>>) {
    this.scheduler = scheduler
    this.witness = witness
    this.truth = truth
    this.prices = prices
    this.ids = new MovementIds(truth.ids, scheduler)
    this.keys = new Keys(scheduler, truth)
    this.#startMs = this.serviceMs
    this.longAgoMs = this.#startMs - HOUR_MS
  }

  get serviceMs(): number {
    return this.scheduler.nowMs - this.truth.skewMs
  }

  get toldMs(): number {
    return this.serviceMs + this.truth.toldAheadMs
  }

  /** How long something takes that takes `usualMs` as a rule, from `atMs` on, in service time. */
  lasting(usualMs: number, atMs = this.serviceMs): number {
    const fasterFromMs = this.#startMs + (this.truth.fasterAfterMs ?? Number.POSITIVE_INFINITY)
    return atMs < fasterFromMs ? usualMs : 0
  }

  get isDown(): boolean {
    return !this.isCalm && this.serviceMs < this.#outageEndsMs
  }

  /** All that goes wrong by itself has an end. */
  calmDown(): void {
    this.isCalm = true
    this.keys.calmDown()
  }

  noteSend(nonce: string): void {
    if (this.sentNonces.length === 0) {
      this.#outageEndsMs = this.serviceMs + this.truth.outageMs
      this.keys.noteSend()
    }
    this.sentNonces.push(nonce)
    this.witness.noteSend(nonce)
  }

  /** What it is in, but for the nonces that it has seen. */
  text(): string {
    const downUntilMs = this.isDown ? this.#outageEndsMs : 0
    return [this.keys.text(), this.isCalm, this.sentNonces.length > 0, downUntilMs, this.ids.text()].join('\n')
  }

  *details(): Iterable<Detail> {
    for (const name of this.#nonces) yield { name, text: 'spent' }
  }

  spend(nonce: string): void {
    this.#nonces.add(nonce)
  }

  isSpent(nonce: string): boolean {
    return this.#nonces.has(nonce)
  }

  /** Whether its signature counts: a key in force, and a token that has not ended. */
  isAuthentic({ exp, keyNumber }: SignedCopy): boolean {
    return this.keys.isInForce(keyNumber) && this.serviceMs <= exp * 1000 + this.truth.leewayMs
  }

  /**
   * Accepts a request: what it moves comes into being when it has been worked on, whoever still listens. `lagMs`: how
   * long it then takes to show.
   */
  accept<Answer>(
    kind: IntentKind,
    { nonce }: SignedCopy,
    { isHeard, lagMs }: { readonly isHeard: boolean; readonly lagMs: number },
    commit: () => Answer,
  ): Work<Answer> {
    const { workMs, isAtItsSlowest } = this.truth
    const takesMs = this.lasting(isHeard && isAtItsSlowest ? PATIENCE_MS + SHOWN_WITHIN_MS - lagMs : workMs)
    this.witness.noteAcceptance(nonce)
    let done: { readonly answer: Answer } | undefined
    const finish = () => {
      done ??= { answer: commit() }
      return done.answer
    }
    if (takesMs === 0) finish()
    else this.scheduler.punctually(takesMs, finish, { text: () => `work on ${kind} ${nonce}` })
    return { takesMs, finish }
  }
}

/** A no takes no time. */
export function refused<Answer>(answer: Answer): Work<Answer> {
  return { takesMs: 0, finish: () => answer }
}
