// Compares journal and service in a simulated world. It learns of every applied write, every send and every movement,
// and judges at that moment. The subjects of the invariants change only then, so this equals a check after every step.
import { IntentKind } from '../../core/contract/records.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { units } from './budget-sums.ts'
import { type Deal, judgeDeal } from './deals.ts'
import type { WitnessedAttempt } from './fences.ts'
import type { GuardJudge } from './guard-judge.ts'
import { accountOfKid, OWN_ACCOUNT } from './keys.ts'
import { type Looked, RIGHT_WITHIN_MS } from './machine.ts'
import { judgeAsked, judgeContact, judgeFee, judgeFloor } from './plan-judge.ts'
import { textOf } from './trace.ts'
import type { Armed, Frozen, Quoted, Witnessed, WitnessedMovement, WitnessPorts } from './witnessed.ts'
import type { Detail } from './world-state.ts'

const CLAIM_KEY = /^C#(convert|withdraw)#(.*)$/
const IN_DOUBT: ReadonlySet<unknown> = new Set(['ARMED', 'ESCALATED'])
const ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])
const TERMINAL: ReadonlySet<unknown> = new Set(['DONE', 'REJECTED', 'EXHAUSTED', 'ESCALATED'])
/** The service gives this code to a key that is not in force. It is no refusal of the request. */
const OF_THE_KEY = 'invalid_signature'
/** A reason of a run, which its intent must never have. */
const IS_OF_ANOTHER = /was already asked for with other parameters/
const FIXED = ['kind', 'paramsHash', 'createdAt', 'params', 'frozen', 'notAfter'] as const
/** Fields that an execution may settle anew while the intent is READY. */
const SETTLED: ReadonlySet<string> = new Set(['frozen', 'notAfter'])

export class Witness {
  readonly violations: string[] = []
  readonly intents = new Map<string, Witnessed>()
  /** Virtual ms from an intent's first send until its end was certain. */
  readonly certaintyMs: number[] = []
  readonly #armed = new Map<string, Armed>()
  readonly #movements = new Map<string, WitnessedMovement>()
  readonly #claims = new Map<string, string>()
  /** By order: the attempt and the intent for which its quote was requested, and the account. */
  readonly #quoted = new Map<string, Quoted>()
  readonly #ports: WitnessPorts

  constructor(ports: WitnessPorts) {
    this.#ports = ports
  }

  get guards(): GuardJudge {
    return this.#ports.guards
  }

  /** `looked`: what its writer has read of movements, since it last read the time. */
  noteWrite(record: StoredRecord, before: StoredRecord | undefined, looked?: Looked): void {
    if (record.pk.startsWith('I#')) this.#noteIntent(record, before, looked)
    else if (record.pk.startsWith('C#')) this.#noteClaim(record)
    else {
      this.#accuseIf(this.#ports.guards.judgeRecord(record, before, this.#ports.records()))
    }
  }

  /** A write was lost, so the record is again as before. */
  noteLoss(lost: StoredRecord, before: StoredRecord | undefined): void {
    const intent = this.intents.get(String(lost.intentId))
    if (lost.pk.startsWith('I#') && intent && before) intent.record = before
    if (lost.pk.startsWith('C#')) this.#claims.delete(this.#claimedBy(lost))
  }

  /** A quote was created for an execution of this intent. */
  noteQuote(orderId: string, intentId: string, account: string): void {
    this.#quoted.set(orderId, { intentId, account, attemptNumber: this.intents.get(intentId)?.record.attemptNumber })
  }

  /** Quote passes a quote to Order. */
  noteHandedOn(intentId: string, deal: Deal | undefined): void {
    const record = this.intents.get(intentId)?.record
    if (record && judgeDeal(record, deal) !== undefined) this.accuse('a quote is handed on that was not asked for')
  }

  noteArm(fault: string | undefined): void {
    if (fault !== undefined) this.accuse(fault)
  }

  /** A machine with a right clock is about to send. */
  judgeTime(nonce: string): void {
    const intent = this.#ownerOf(nonce)
    if (intent && this.#ports.serviceMs() - RIGHT_WITHIN_MS > Date.parse(String(intent.record.notAfter)))
      this.accuse('a send after the time of its intent')
  }

  noteSend(nonce: string): void {
    const armed = this.#armed.get(nonce)
    const intent = armed && this.intents.get(armed.intentId)
    if (!intent) this.accuse('a send without its ARM')
    else if (armed.listening) this.accuse('a nonce was sent twice')
    else this.#judgeSend(nonce, armed, intent)
  }

  /** The sender has its answer, or has stopped listening. */
  noteHeard(nonce: string): void {
    const armed = this.#armed.get(nonce)
    if (armed?.listening) armed.listening = { heardMs: this.#ports.serviceMs(), ...armed.listening }
  }

  #judgeSend(nonce: string, armed: Armed, intent: Witnessed): void {
    armed.listening = { sentMs: this.#ports.serviceMs() }
    intent.firstSentMs ??= this.#ports.nowMs()
    const { state, attempt } = intent.record
    const isCurrent = state === 'ARMED' && (attempt as WitnessedAttempt).nonce === nonce
    // A process that froze after its ARM may wake up and send a request that is long dead.
    if (!isCurrent && !this.#isPastFence(intent.record, armed.attempt))
      this.accuse('a live send after its attempt had ended')
    const { serviceMs, deadMs, guards } = this.#ports
    if (serviceMs() < deadMs(armed.attempt))
      this.#accuseIf(guards.judgeTimes(intent.record, serviceMs(), deadMs(armed.attempt)))
  }

  /** A request is accepted, and will move. */
  noteAcceptance(nonce: string): void {
    const intent = this.#ownerOf(nonce)
    if (!intent) return
    const { serviceMs, guards } = this.#ports
    this.#accuseIf(guards.judgeTimes(intent.record, serviceMs(), serviceMs()))
    this.#accuseIf(judgeContact(intent, this.#ports))
  }

  /**
   * Notes that a request has moved. `left`: remaining balance of the asset that was sold or sent, in settled units, as
   * far as the sender could know it.
   */
  noteMovement(movement: WitnessedMovement, left: string): void {
    this.#movements.set(keyOf(movement), movement)
    const intent = this.#ownerOf(movement.nonce)
    if (!intent) return
    // Another account, where keys do not name theirs, would have floors of its own.
    const leaves =
      movement.account === OWN_ACCOUNT ? Number((Number(left) + this.#takenByLater(movement)).toFixed(9)) : undefined
    intent.movements.push({ ...movement, ...(leaves !== undefined && { left: leaves }) })
    this.#accuseIf(judgeDeal(intent.record, movement.deal))
    if (leaves !== undefined) this.#accuseIf(judgeFloor(intent.record, leaves))
    if (movement.knownTotal !== undefined) {
      this.#accuseIf(this.#ports.guards.judgeMoved(intent.record, movement.knownTotal))
      this.#accuseIf(judgeFee(intent.record, movement))
    }
    const { intentId, state, kind } = intent.record
    if (movement.kind !== kind) this.accuse('a movement of another kind than its intent')
    if (this.#ports.tellsAccounts[movement.kind] && movement.account !== OWN_ACCOUNT)
      this.accuse('a movement in another account than that of its intent')
    this.#accuseIf(judgeAsked(movement, this.#ports.asked(String(intentId))))
    if (intent.movements.length > 1) this.accuse(`${intent.movements.length} movements for ${intentId}`)
    if (ZERO.has(state)) this.accuse(`${state} with a movement`)
    else if (state === 'DONE') this.accuse('DONE, and then a movement')
  }

  /** Facts that only the witness knows: which attempts were armed and sent. */
  *details(): Iterable<Detail> {
    for (const [name, { intentId, attempt, listening }] of this.#armed)
      yield { name, text: textOf([intentId, attempt.exp, attempt.quoteExpiresAt, listening]) }
    for (const [name, { intentId, attemptNumber }] of this.#quoted)
      yield { name, text: textOf([intentId, attemptNumber]) }
  }

  /** Checks that hold at the end, when every intent has ended. */
  judgeEnd(): void {
    for (const movement of this.#movements.values()) {
      const intent = this.#ownerOf(movement.nonce)
      if (intent?.record.state === 'DONE' && this.#claims.get(keyOf(movement)) !== intent.record.intentId)
        this.accuse('a movement without its claim')
    }
  }

  #noteIntent(record: StoredRecord, before: StoredRecord | undefined, looked: Looked | undefined): void {
    const intentId = String(record.intentId)
    const intent = this.intents.get(intentId) ?? { record, movements: [], openedMs: this.#ports.nowMs() }
    // The record that the product wrote last. An insider may have changed it since, and a writer that read it before
    // overwrites his change.
    const written = intent.record
    intent.record = record
    this.intents.set(intentId, intent)
    if (before) this.#judgeFixed(record, before, written)
    if (before) this.#judgeMove(record, before, looked)
    else this.#judgeOpened(record)
    const attempt = record.attempt as WitnessedAttempt | undefined
    if (record.state === 'ARMED' && attempt && !this.#armed.has(attempt.nonce)) {
      this.#armed.set(attempt.nonce, { intentId, attempt, armedMs: this.#ports.nowMs() })
      const { guards, records, serviceMs, deadMs } = this.#ports
      const firstMs = serviceMs()
      // A request that is accepted at the last moment may move until the fence of an attempt that was heard at once.
      const heardAtOnce = { armedMs: this.#ports.nowMs(), listening: { sentMs: firstMs, heardMs: firstMs } }
      const lastMs = this.#ports.fenceMs(record.kind as IntentKind, attempt, heardAtOnce) - 1
      // An attempt that is dead when it is armed moves nothing, at no time.
      const mayMove = firstMs < deadMs(attempt) ? { fromMs: firstMs, toMs: lastMs } : undefined
      this.#accuseIf(guards.judgeArm(record, records(), mayMove))
      this.#judgeSigner(record, attempt)
      if (record.kind === IntentKind.Withdraw) this.#judgeLane(record)
      else this.#judgeQuote(record)
    }
    this.#judgeState(intent)
    if (TERMINAL.has(record.state) && intent.firstSentMs !== undefined)
      this.certaintyMs.push(this.#ports.nowMs() - intent.firstSentMs)
  }

  /** A journal belongs to one account. */
  #judgeOpened(record: StoredRecord): void {
    const { account = OWN_ACCOUNT } = record.frozen as Frozen
    if (account !== OWN_ACCOUNT) this.accuse('an intent of another account than its journal')
    this.#accuseIf(this.#ports.guards.judgeOpened(record))
  }

  /**
   * The account of an order is the one in its attempt, if present: a key that only trades need not name its account.
   */
  #judgeSigner({ kind, frozen }: StoredRecord, { kid, account }: WitnessedAttempt): void {
    const named = kind === IntentKind.Withdraw ? (frozen as Frozen).account : account
    if (named !== undefined && named !== accountOfKid(kid)) this.accuse('an ARM signed with a key of another account')
  }

  /** Withdrawals may be in doubt side by side only with one fee mode, and without an equal figure. All have one asset here. */
  #judgeLane({ intentId, frozen }: StoredRecord): void {
    for (const [otherId, { record }] of this.intents) {
      if (otherId === intentId || record.kind !== IntentKind.Withdraw || !IN_DOUBT.has(record.state)) continue
      if ((record.frozen as Frozen).account !== (frozen as Frozen).account) continue
      const [own, other] = [frozen as Frozen, record.frozen as Frozen]
      const isShared = figuresOf(own).some((figure) => figuresOf(other).includes(figure))
      if (isShared || own.feeMode !== other.feeMode)
        this.accuse('an ARM while another withdrawal is in doubt whose row may be taken for its own')
    }
  }

  /** A quote serves only the attempt and the account for which it was requested. */
  #judgeQuote({ intentId, attemptNumber, attempt }: StoredRecord): void {
    const { orderId, kid } = attempt as WitnessedAttempt & { readonly orderId: string }
    const quoted = this.#quoted.get(orderId)
    if (quoted && quoted.account !== accountOfKid(kid)) this.accuse('an ARM with a quote of another account')
    if (quoted?.intentId !== intentId || quoted?.attemptNumber !== attemptNumber)
      this.accuse('an ARM with a quote of another attempt')
  }

  /** Sums what others took who were armed later, and so counted this one. They keep the floor of their own request. */
  #takenByLater({ kind, nonce }: WitnessedMovement): number {
    const armed = [...this.#armed.keys()]
    const later = new Set(armed.slice(armed.indexOf(String(nonce)) + 1))
    const { isOneAsset } = this.#ports
    const taken = [...this.#movements.values()].flatMap((other) => {
      if (!later.has(String(other.nonce)) || !(isOneAsset || other.kind === kind)) return []
      const { side, baseAmount, quoteAmount } = other.deal ?? {}
      return [Number(other.knownTotal ?? (side === 'SELL' ? baseAmount : quoteAmount))]
    })
    return taken.reduce((sum, amount) => sum + amount, 0)
  }

  #judgeFixed(record: StoredRecord, before: StoredRecord, written: StoredRecord): void {
    const maySettleAnew = before.state === 'READY' && record.state !== 'ARMED'
    for (const field of FIXED) {
      if (record[field] === before[field] || (maySettleAnew && SETTLED.has(field))) continue
      const [now, ...known] = [record, before, written].map((each) => JSON.stringify(each[field]) as string | undefined)
      if (!known.some((text) => text === now)) this.accuse(`${field} changed`)
    }
    if (String(record.notAfter) > String(before.notAfter)) this.accuse('its time was made longer')
  }

  #judgeMove(record: StoredRecord, before: StoredRecord, looked: Looked | undefined): void {
    const word = record.resolution as { readonly movementId?: string } | undefined
    // Whoever names a movement records the choice first, and then claims it.
    const isChoiceDone = record.state === 'DONE' && word?.movementId === record.ref
    const isPersonsWord = word !== undefined && (before.resolution === undefined || isChoiceDone)
    if (TERMINAL.has(before.state) && !(isPersonsWord && before.state === 'ESCALATED'))
      this.accuse(`${before.state} was left for ${record.state}`)
    this.#judgeAttempts(record, before)
    if (before.state !== 'ARMED' || record.state === 'DONE' || record.state === 'ESCALATED') return
    const last = before.attempt as WitnessedAttempt
    const isStillArmed = record.state === 'ARMED' && (record.attempt as WitnessedAttempt).nonce === last.nonce
    if (isStillArmed || !this.#armed.get(last.nonce)?.listening) return
    if (!this.#isPastFence(before, last)) this.accuse(`${record.state} before the fence of a sent attempt`)
    if (looked === undefined) this.accuse(`${record.state} without a look after the time`)
    else if (looked.ms < this.#fenceMs(before, last)) this.accuse(`${record.state} by a look before the fence`)
    if (looked !== undefined && looked.account !== accountOfKid(last.kid))
      this.accuse(`${record.state} by what was read of another account`)
    if (record.state === 'REJECTED' && last.said?.code === OF_THE_KEY && !isPersonsWord)
      this.accuse('REJECTED for the sake of a key')
  }

  /**
   * Attempts count up by one, and stay within the configured number. An attempt whose key alone was refused is not
   * counted.
   */
  #judgeAttempts(record: StoredRecord, before: StoredRecord): void {
    const [now, was] = [Number(record.attemptNumber), Number(before.attemptNumber)]
    const isNext = before.state === 'ARMED' && record.state === 'READY'
    if (now - was > 1 || (isNext && now === was)) this.accuse(`attempt ${now} after attempt ${was}`)
    const isOfKey = (before.attempt as WitnessedAttempt | undefined)?.said?.code === OF_THE_KEY
    if (now > was && now > this.#ports.attempts && !isOfKey) this.accuse('an attempt more than is configured')
  }

  #judgeState({ record, movements }: Witnessed): void {
    const { intentId, state, ref, kind, why, resolution } = record
    if (ZERO.has(state) && movements.length > 0) this.accuse(`${state} with a movement`)
    if (ZERO.has(state) && IS_OF_ANOTHER.test(String(why)))
      this.accuse('an intent is closed for a request of its id that is another')
    if (state !== 'DONE') return
    if (movements.length !== 1) this.accuse(`${intentId} is DONE with ${movements.length} movements`)
    else if (movements[0]?.id !== ref) this.accuse(`${intentId} is DONE with another movement`)
    else if (movements[0]?.cutFrom !== undefined && resolution === undefined)
      this.accuse(`${intentId} is DONE with a movement of another amount`)
    if (this.#claims.get(keyOf({ kind, id: ref })) !== intentId) this.accuse('DONE without its claim')
  }

  #noteClaim(record: StoredRecord): void {
    const intentId = String(record.intentId)
    const claimed = this.#claimedBy(record)
    if (this.#claims.has(claimed)) this.accuse('a claim changed hands')
    this.#claims.set(claimed, intentId)
    const movement = this.#movements.get(claimed)
    if (!movement) this.accuse('a claim without a movement')
    else if (movement.nonce === undefined) this.accuse('a claim on a movement of others')
    else if (this.#armed.get(movement.nonce)?.intentId !== intentId) this.accuse("a claim on another intent's movement")
  }

  /** The key of the movement that a claim is on. */
  #claimedBy({ pk }: StoredRecord): string {
    const [, kind, id] = CLAIM_KEY.exec(pk) ?? []
    return keyOf({ kind, id })
  }

  #ownerOf(nonce: string | undefined): Witnessed | undefined {
    const armed = nonce === undefined ? undefined : this.#armed.get(nonce)
    return armed && this.intents.get(armed.intentId)
  }

  #isPastFence(record: StoredRecord, attempt: WitnessedAttempt): boolean {
    return this.#ports.serviceMs() >= this.#fenceMs(record, attempt)
  }

  #fenceMs({ kind }: StoredRecord, attempt: WitnessedAttempt): number {
    return this.#ports.fenceMs(kind as IntentKind, attempt, this.#armed.get(attempt.nonce))
  }

  #accuseIf(violation: string | undefined): void {
    if (violation !== undefined) this.accuse(violation)
  }

  accuse(violation: string): void {
    this.violations.push(violation)
  }
}

function keyOf({ kind, id }: { readonly kind: unknown; readonly id: unknown }): string {
  return `${kind} ${id}`
}

/** The figures that a row of a withdrawal may show, in units: what was requested, what arrives, and the total. */
function figuresOf({ amount = '0', fee = '0', total = '0', feeMode }: Frozen): readonly bigint[] {
  const [requested, cost] = [units(amount), units(fee)]
  return [requested, feeMode === 'deduct' ? requested - cost : requested, units(total)]
}
