// Models the common part of the service's orders and withdrawals: its clock, its checks of signed requests (token life,
// nonces, keys), the ids that it gives, and outages. What the description leaves open is drawn.

import type { IntentKind } from '../../core/contract/records.ts'
import { Keys, type KeyTruth } from './keys.ts'
import { type IdStyle, MovementIds } from './movement-ids.ts'
import type { Work } from './network.ts'
import { ANSWER_TIMEOUT_MS } from './network.ts'
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
  /** One answer of `/v2/time`, counted from 1, shows a time that is this far ahead of the others, or behind them. */
  readonly timeJumps?: { readonly at: number; readonly byMs: number }
  /** Longest travel time of a request for the time, or of its answer. */
  readonly timeTripMs: number
  /** How long nothing can be read after the first send, which is the worst moment. */
  readonly outageMs: number
  /** Time between the acceptance of a request and its movement. */
  readonly workMs: number
  /** Whether a request with a listener takes the longest promised time, counted from the end of listening. */
  readonly isAtItsSlowest?: boolean
  readonly ids: IdStyle
  /** The frozen amount of each asset, which the service includes in its balance. Absent: nothing is frozen. */
  readonly frozen?: string
  /** From this time after the start, accepted requests move and show at once. */
  readonly fasterAfterMs?: number
}

/** A request as it was signed. Every copy of it arrives like this. */
export interface SignedCopy {
  readonly nonce: string
  readonly exp: number
  readonly keyNumber: number
}

const HOUR_MS = 3_600_000
/** The configured longest time until a movement shows. Work and lag together stay below it. */
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
  /** The time, an hour before the start, of earlier movements. It is the one time that a state shows by name. */
  readonly longAgoMs: number
  isCalm = false
  #timesTold = 0
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

  tellTime(): number {
    const { timeJumps, toldAheadMs } = this.truth
    this.#timesTold += 1
    return this.serviceMs + toldAheadMs + (timeJumps?.at === this.#timesTold && !this.isCalm ? timeJumps.byMs : 0)
  }

  /** The duration of something that usually takes `usualMs`, from service time `atMs` on. */
  lasting(usualMs: number, atMs = this.serviceMs): number {
    const fasterFromMs = this.#startMs + (this.truth.fasterAfterMs ?? Number.POSITIVE_INFINITY)
    return atMs < fasterFromMs ? usualMs : 0
  }

  get isDown(): boolean {
    return !this.isCalm && this.serviceMs < this.#outageEndsMs
  }

  /** Ends all faults that happen by themselves. */
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

  /** Its state, without the nonces that it has seen. */
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

  /** Whether its signature is valid: a key in force, and a token that has not ended. */
  isAuthentic({ exp, keyNumber }: SignedCopy): boolean {
    return this.keys.isInForce(keyNumber) && this.serviceMs <= exp * 1000 + this.truth.leewayMs
  }

  /**
   * Accepts a request. Its movement happens when the work is done, even if nobody listens any more. `lagMs`: time until
   * it then shows.
   */
  accept<Answer>(
    kind: IntentKind,
    { nonce }: SignedCopy,
    { isHeard, lagMs }: { readonly isHeard: boolean; readonly lagMs: number },
    commit: () => Answer,
  ): Work<Answer> {
    const { workMs, isAtItsSlowest } = this.truth
    const takesMs = this.lasting(isHeard && isAtItsSlowest ? ANSWER_TIMEOUT_MS + SHOWN_WITHIN_MS - lagMs : workMs)
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

/** A refusal takes no time. */
export function refused<Answer>(answer: Answer): Work<Answer> {
  return { takesMs: 0, finish: () => answer }
}
