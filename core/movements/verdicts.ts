// Gives the verdict on an attempt once its effect is known: for Order on conversions, for Withdraw on withdrawals. A verdict
// that ends or settles the intent writes its move into the journal before it returns the report. A wait writes nothing. It
// sends nothing, and reads from the service only what became of a proven movement.
import { ConvertEnd, ConvertStep, type GuardCode } from '../contract/outcomes.ts'
import type { IntentState } from '../contract/records.ts'
import type { OpenIntent } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { type AcceptedFact, doneMove, escalateMove, zeroMove } from '../journal/moves.ts'
import { termsHashOf } from '../journal/terms.ts'
import { DOUBT_WAITS, HELD_WAIT, HELD_WAITS, waitAfter } from './polling.ts'

/** The texts and reports in which conversions and withdrawals differ. */
interface MovementTexts<Kept extends OpenIntent, Ports, Report> {
  readonly noun: 'order' | 'withdrawal'
  /** The outcome of an intent whose attempts or time are over. */
  readonly exhausted: string
  /** Shown to a person where the movement turns out to belong to another intent. */
  readonly evidence?: readonly []
  /** How the service answered the last send. */
  heard(intent: Kept): string
  facts(intent: Kept): Facts
  report(done: Kept, ports: Ports): Promise<Report>
  /** Reports an intent that has ended, or waits for a person. */
  reportEnd(intent: Kept): Report
}

interface Facts {
  readonly intentId: string
  readonly orderId?: string
  readonly attempts: number
}

/** The end of an intent that certainly moved nothing. */
export interface Zero {
  readonly state: typeof IntentState.Rejected | typeof IntentState.Exhausted
  readonly outcome: string
  readonly why: string
  /** With EXHAUSTED: the guard for which it waited in vain. */
  readonly guardedBy?: GuardCode | undefined
}

/** The reason of a wait; `guardedBy`: the guard that makes it wait for people. */
type WaitedFor = Pick<Zero, 'why' | 'guardedBy'>

export interface Doubt {
  /** Epoch ms, service time. */
  readonly fenceMs: number
  /** Number of waits begun so far. */
  readonly waits: number
  readonly waitSeconds: number
  /** Why this read proved nothing. */
  readonly because?: string
}

// The outcomes have the same names for conversions and withdrawals.
type Held = Facts & { outcome: typeof ConvertStep.Held; waits: number; waitSeconds: number; why: string }
type Awaiting = Omit<Held, 'outcome'> & {
  outcome: typeof ConvertStep.Held | typeof ConvertStep.AwaitingApproval
  awaited: string
  until?: string
}
type Uncertain = Facts & { outcome: typeof ConvertStep.Uncertain; waits: number; waitSeconds: number; until: string }
type Unsettled = Facts & { outcome: typeof ConvertEnd.NeedsAttention; until: string }

/** Each takes the intent, then the ports where it needs any, then the facts to report. Those that write throw Transient. */
interface Verdicts<Kept extends OpenIntent, Ports, Report> {
  /** Ties a proven movement to the intent, then reports what became of it. `more`: what the answer says of the attempt. */
  settle(intent: Kept, ports: Ports, movementId: string, more?: AcceptedFact): Promise<Report>
  /** Records a certified zero: its reservations count no more, and its lane is free. */
  end(intent: Kept, ports: Ports, zero: Zero): Promise<Report>
  timeRanOut(intent: Kept, ports: Ports, waitedFor?: WaitedFor): Promise<Report>
  /** Nothing is sent or in doubt: the intent waits, within its time, until it may send. `waits`: begun so far. */
  held(intent: Kept, ports: Ports, waits: number, why: string, guardedBy?: GuardCode): Promise<Report | Held>
  /** In doubt. Writes nothing: whoever enters the intent again can settle it, also after the last wait. */
  uncertain(intent: Kept, doubt: Doubt): (Uncertain | Unsettled) & { why: string }
}

export function verdictsOf<Kept extends OpenIntent, Ports extends { readonly journal: Journal }, Report>(
  words: MovementTexts<Kept, Ports, Report>,
): Verdicts<Kept, Ports, Report> {
  const { noun, exhausted, evidence, heard, facts, report, reportEnd } = words

  async function settle(intent: Kept, ports: Ports, movementId: string, more?: AcceptedFact): Promise<Report> {
    const holder = await ports.journal.claim(intent.kind, movementId, intent.intentId)
    if (holder !== undefined) {
      const why = `${noun} ${movementId} is already claimed by intent ${holder}`
      const move = escalateMove(intent, ConvertEnd.NeedsAttention, why, evidence, more)
      return reportEnd(await ports.journal.advance(intent, move))
    }
    return report(await ports.journal.advance(intent, doneMove(intent, movementId)), ports)
  }

  async function end(intent: Kept, { journal }: Ports, { state, outcome, why, guardedBy }: Zero): Promise<Report> {
    const move = { ...zeroMove(intent, state, outcome, why), ...(guardedBy && { guardedBy }) }
    return reportEnd(await journal.advance(intent, move))
  }

  function exhaust(intent: Kept, ports: Ports, { why, guardedBy }: WaitedFor): Promise<Report> {
    return end(intent, ports, { state: 'EXHAUSTED', outcome: exhausted, why, guardedBy })
  }

  function timeRanOut(intent: Kept, ports: Ports, waitedFor?: WaitedFor): Promise<Report> {
    const waited = waitedFor === undefined ? '' : `; it waited: ${waitedFor.why}`
    return exhaust(intent, ports, { ...waitedFor, why: `its time ran out at ${intent.notAfter}${waited}` })
  }

  async function held(intent: Kept, ports: Ports, waits: number, why: string, guardedBy?: GuardCode) {
    if (waits >= HELD_WAITS) return exhaust(intent, ports, { why: `${why}; waited ${waits} times`, guardedBy })
    const { intentId, attemptNumber: attempts } = intent
    const next = { waits: waits + 1, waitSeconds: waitAfter(waits, HELD_WAIT) }
    return { outcome: ConvertStep.Held, intentId, attempts, ...next, why } as const
  }

  function uncertain(intent: Kept, { fenceMs, waits, waitSeconds, because }: Doubt) {
    const until = new Date(fenceMs).toISOString()
    const heardSoFar = because === undefined ? heard(intent) : `${heard(intent)}; ${because}`
    const known = { ...facts(intent), until }
    if (waits >= DOUBT_WAITS) {
      const why = `${heardSoFar}; nothing could be certified within ${waits} waits`
      return { ...known, outcome: ConvertEnd.NeedsAttention, why }
    }
    const why = `${heardSoFar}; before ${until} it is not certain whether it moved`
    return { ...known, outcome: ConvertStep.Uncertain, waits: waits + 1, waitSeconds, why }
  }

  return { settle, end, timeRanOut, held, uncertain }
}

/**
 * A report of an intent that is held until people approve its terms. `awaited`: hash of the terms whose wait this execution
 * has already reported. It is part of the execution's data. So each wait is reported once, without a record, and again when
 * the terms change.
 */
export function awaitingApproval<Report extends { readonly outcome: string }>(
  report: Report | Held,
  intent: OpenIntent,
  awaited: string | undefined,
): Report | Awaiting {
  // The intent ended after its last wait, so nobody is asked any more.
  if (!isHeld(report)) return report
  const terms = termsHashOf(intent)
  if (awaited === terms) return { ...report, awaited }
  return { ...report, outcome: ConvertStep.AwaitingApproval, awaited: terms, until: intent.notAfter }
}

function isHeld(report: { readonly outcome: string }): report is Held {
  return report.outcome === ConvertStep.Held
}
