// Holds journal and service against each other in a simulated world: told of every applied write,
// every send and every movement, it judges at that moment. What the invariants speak of changes
// nowhere else, so this is to judge after every step.
import type { StoredRecord } from '../../functions/shared/journal/record-store.ts'
import type { GuardJudge } from './guard-judge.ts'
import { textOf } from './trace.ts'
import type { Detail } from './world-state.ts'

/** What the service moved, with what only the oracle sees of it. */
export interface WitnessedMovement {
  readonly id: string
  /** `undefined` for one that others made. */
  readonly nonce: string | undefined
}

/** What is told of an attempt as it was armed. */
export interface WitnessedAttempt {
  readonly nonce: string
  readonly exp: number
  readonly quoteExpiresAt?: string | null
}

export interface WitnessPorts {
  readonly nowMs: () => number
  readonly serviceMs: () => number
  /** The end of the doubt about a sent attempt, in service time, as the protocol promises it. */
  readonly fenceMs: (attempt: WitnessedAttempt) => number
  /** From when on no copy of what an attempt sent is accepted, in service time. */
  readonly deadMs: (attempt: WitnessedAttempt) => number
  /** All that is written. */
  readonly records: () => ReadonlyMap<string, StoredRecord>
  readonly guards: GuardJudge
}

interface Witnessed {
  record: StoredRecord
  readonly movements: WitnessedMovement[]
  firstSentMs?: number
}

interface Armed {
  readonly intentId: string
  readonly attempt: WitnessedAttempt
  isSent: boolean
}

const ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])
const TERMINAL: ReadonlySet<unknown> = new Set(['DONE', 'REJECTED', 'EXHAUSTED', 'ESCALATED'])
const FIXED = ['kind', 'paramsHash', 'createdAt', 'notAfter'] as const
const FIXED_OBJECTS = ['params', 'frozen'] as const

export class Witness {
  readonly violations: string[] = []
  readonly intents = new Map<string, Witnessed>()
  /** Virtual ms from an intent's first send until its end was certain. */
  readonly certaintyMs: number[] = []
  readonly #armed = new Map<string, Armed>()
  readonly #movements = new Map<string, WitnessedMovement>()
  readonly #claims = new Map<string, string>()
  readonly #ports: WitnessPorts

  constructor(ports: WitnessPorts) {
    this.#ports = ports
  }

  get guards(): GuardJudge {
    return this.#ports.guards
  }

  noteWrite(record: StoredRecord, before: StoredRecord | undefined): void {
    if (record.pk.startsWith('I#')) this.#noteIntent(record, before)
    else if (record.pk.startsWith('C#')) this.#noteClaim(record.pk.slice(2), String(record.intentId))
    else {
      this.#accuseIf(this.#ports.guards.judgeRecord(record, this.#ports.records()))
    }
  }

  noteArm(sawHalt: boolean | undefined): void {
    if (sawHalt !== false)
      this.#accuse(sawHalt ? 'an ARM although sending was halted' : 'an ARM without a look at the switch')
  }

  noteSend(nonce: string): void {
    const armed = this.#armed.get(nonce)
    const intent = armed && this.intents.get(armed.intentId)
    if (!intent) this.#accuse('a send without its ARM')
    else if (armed.isSent) this.#accuse('a nonce was sent twice')
    else this.#judgeSend(nonce, armed, intent)
  }

  #judgeSend(nonce: string, armed: Armed, intent: Witnessed): void {
    armed.isSent = true
    intent.firstSentMs ??= this.#ports.nowMs()
    const { state, attempt } = intent.record
    const isCurrent = state === 'ARMED' && (attempt as WitnessedAttempt).nonce === nonce
    // A process that froze after its ARM may wake and send what is long dead.
    if (!isCurrent && !this.#isPastFence(armed.attempt)) this.#accuse('a live send after its attempt had ended')
    const { serviceMs, deadMs, guards } = this.#ports
    if (serviceMs() < deadMs(armed.attempt))
      this.#accuseIf(guards.judgeTimes(intent.record, serviceMs(), deadMs(armed.attempt)))
  }

  noteMovement(movement: WitnessedMovement): void {
    this.#movements.set(movement.id, movement)
    const intent = this.#ownerOf(movement)
    if (!intent) return
    intent.movements.push(movement)
    const { serviceMs, guards } = this.#ports
    this.#accuseIf(guards.judgeTimes(intent.record, serviceMs(), serviceMs()))
    const { intentId, state } = intent.record
    if (intent.movements.length > 1) this.#accuse(`${intent.movements.length} movements for ${intentId}`)
    if (ZERO.has(state)) this.#accuse(`${state} with a movement`)
    else if (state === 'DONE') this.#accuse('DONE, and then a movement')
  }

  /** What it knows that is in neither journal nor service: which attempts were armed and sent. */
  *details(): Iterable<Detail> {
    for (const [name, { intentId, attempt, isSent }] of this.#armed)
      yield { name, text: textOf([intentId, attempt.exp, attempt.quoteExpiresAt, isSent]) }
  }

  /** Holds at the end, when every intent has come to one. */
  judgeEnd(): void {
    for (const movement of this.#movements.values()) {
      const intent = this.#ownerOf(movement)
      if (intent?.record.state === 'DONE' && this.#claims.get(movement.id) !== intent.record.intentId)
        this.#accuse('a movement without its claim')
    }
  }

  #noteIntent(record: StoredRecord, before: StoredRecord | undefined): void {
    const intentId = String(record.intentId)
    const intent = this.intents.get(intentId) ?? { record, movements: [] }
    intent.record = record
    this.intents.set(intentId, intent)
    if (before) this.#judgeMove(record, before)
    else this.#accuseIf(this.#ports.guards.judgeOpened(record))
    const attempt = record.attempt as WitnessedAttempt | undefined
    if (record.state === 'ARMED' && attempt && !this.#armed.has(attempt.nonce)) {
      this.#armed.set(attempt.nonce, { intentId, attempt, isSent: false })
      this.#accuseIf(this.#ports.guards.judgeArm(record, this.#ports.records()))
    }
    this.#judgeState(intent)
    if (TERMINAL.has(record.state) && intent.firstSentMs !== undefined)
      this.certaintyMs.push(this.#ports.nowMs() - intent.firstSentMs)
  }

  #judgeMove(record: StoredRecord, before: StoredRecord): void {
    if (TERMINAL.has(before.state)) this.#accuse(`${before.state} was left for ${record.state}`)
    for (const field of FIXED) if (record[field] !== before[field]) this.#accuse(`${field} changed`)
    for (const field of FIXED_OBJECTS) {
      if (record[field] === before[field]) continue
      if (JSON.stringify(record[field]) !== JSON.stringify(before[field])) this.#accuse(`${field} changed`)
    }
    if (before.state !== 'ARMED' || record.state === 'DONE' || record.state === 'ESCALATED') return
    const last = before.attempt as WitnessedAttempt
    const isStillArmed = record.state === 'ARMED' && (record.attempt as WitnessedAttempt).nonce === last.nonce
    if (isStillArmed || !this.#armed.get(last.nonce)?.isSent || this.#isPastFence(last)) return
    this.#accuse(`${record.state} before the fence of a sent attempt`)
  }

  #judgeState({ record, movements }: Witnessed): void {
    const { intentId, state, ref } = record
    if (ZERO.has(state) && movements.length > 0) this.#accuse(`${state} with a movement`)
    if (state !== 'DONE') return
    if (movements.length !== 1) this.#accuse(`${intentId} is DONE with ${movements.length} movements`)
    else if (movements[0]?.id !== ref) this.#accuse(`${intentId} is DONE with another movement`)
    if (this.#claims.get(String(ref)) !== intentId) this.#accuse('DONE without its claim')
  }

  #noteClaim(movementId: string, intentId: string): void {
    if (this.#claims.has(movementId)) this.#accuse('a claim changed hands')
    this.#claims.set(movementId, intentId)
    const movement = this.#movements.get(movementId)
    if (!movement) this.#accuse('a claim without a movement')
    else if (movement.nonce === undefined) this.#accuse('a claim on a movement of others')
    else if (this.#armed.get(movement.nonce)?.intentId !== intentId)
      this.#accuse("a claim on another intent's movement")
  }

  #ownerOf({ nonce }: WitnessedMovement): Witnessed | undefined {
    const armed = nonce === undefined ? undefined : this.#armed.get(nonce)
    return armed && this.intents.get(armed.intentId)
  }

  #isPastFence(attempt: WitnessedAttempt): boolean {
    return this.#ports.serviceMs() >= this.#ports.fenceMs(attempt)
  }

  #accuseIf(violation: string | undefined): void {
    if (violation !== undefined) this.#accuse(violation)
  }

  #accuse(violation: string): void {
    this.violations.push(violation)
  }
}
