// Models the network between a send and the service. It loses, delays and doubles copies, and an intermediary may
// answer for a copy that is still under way.
import { serviceErrorOf } from '../../core/service/classify.ts'
import type { ServiceError } from '../../core/service/ports.ts'
import type { Machine } from './machine.ts'
import { textOf } from './trace.ts'

/**
 * Delays of a late copy after its send: within the token's life, within the leeway, and after both; within the quote's
 * life, right after it, and later.
 */
const LATE_MS = [1_000, 4_900, 5_100, 20_000, 29_000, 31_000, 34_000, 60_000, 88_000, 92_000, 150_000]

/** How long a send listens (core/service/http.ts), ms. */
export const ANSWER_TIMEOUT_MS = 15_000

/**
 * The service's work on one copy. The result is certain at once, takes effect `takesMs` later, and is answered then.
 */
export interface Work<Answer> {
  readonly takesMs: number
  /** Does the work once and returns its answer. Later calls return the same answer. */
  finish(): Answer
}

/** The service's possible treatments of one copy of a signed request. */
export interface Recipient<Answer> {
  /** `isHeard`: the sender listens, for as long as a send does. */
  accept(isHeard?: boolean): Work<Answer>
  /** Spends the nonce, then fails before anything is committed. */
  spendOnly(): void
  /** Replaces the signing key while the request is under way. */
  revokeKey(): void
  /** The sender has an answer, or has stopped listening. Further calls change nothing. */
  noteHeard(): void
}

interface Unproven {
  readonly kind: 'unproven'
  readonly said: ServiceError
}

/** `copy`: the signed content, which every copy has. */
export async function deliver<Answer>(
  machine: Machine,
  copy: object,
  recipient: Recipient<Answer>,
): Promise<Answer | Unproven> {
  const answer = await meetNetwork(machine, copy, recipient)
  recipient.noteHeard()
  machine.trace.note(answer)
  return answer
}

async function meetNetwork<Answer>(
  machine: Machine,
  copy: object,
  { accept, spendOnly, revokeKey, noteHeard }: Recipient<Answer>,
): Promise<Answer | Unproven> {
  const { scheduler, trace } = machine
  const acceptLate = () => scheduler.later(scheduler.pick(LATE_MS), accept, { text: () => `copy of ${textOf(copy)}` })
  const fault = scheduler.takeFault('fault', 0.5, [
    ...(['request lost', 'answer lost', '5xx before authentication', '5xx after the nonce'] as const),
    ...(['5xx after commit', 'arrives late', 'new refusal and a live copy', '429 and a live copy'] as const),
    ...(['clock_skew and a live copy', 'doubled', 'doubled, second answer', 'doubled late'] as const),
    ...(['answered late', 'key revoked in flight'] as const),
  ])
  switch (fault) {
    case undefined: {
      const answer = await answerTo(machine, accept(true))
      noteHeard()
      trace.note(answer)
      await machine.hear()
      return answer
    }
    case 'request lost':
      return LOST
    case 'answer lost':
      accept()
      return LOST
    case '5xx before authentication':
      return unproven('service_unavailable', 503, true)
    case '5xx after the nonce':
      spendOnly()
      return unproven('internal_error', 500, true)
    case '5xx after commit':
      accept()
      return unproven('internal_error', 500, true)
    case 'arrives late':
      acceptLate()
      return LOST
    // An intermediary answers for a copy that is still under way.
    case 'new refusal and a live copy':
      acceptLate()
      return unproven('address_cooldown', 422, false)
    case '429 and a live copy':
      acceptLate()
      return unproven('rate_limited', 429, true)
    case 'clock_skew and a live copy':
      acceptLate()
      return unproven('clock_skew', 401, true)
    case 'doubled': {
      const work = accept()
      accept()
      return answerTo(machine, work)
    }
    case 'doubled, second answer':
      accept()
      return answerTo(machine, accept())
    case 'doubled late': {
      const work = accept()
      acceptLate()
      return answerTo(machine, work)
    }
    case 'answered late': {
      const answer = await answerTo(machine, accept())
      trace.note(answer)
      await machine.sleep(scheduler.pick([20_000, 100_000]))
      return answer
    }
    case 'key revoked in flight':
      revokeKey()
      return answerTo(machine, accept())
  }
}

/** The answer arrives when the work is done, if the sender still listens. */
async function answerTo<Answer>(machine: Machine, { takesMs, finish }: Work<Answer>): Promise<Answer | Unproven> {
  if (takesMs === 0) return finish()
  await machine.sleep(Math.min(takesMs, ANSWER_TIMEOUT_MS))
  return takesMs > ANSWER_TIMEOUT_MS ? TIMED_OUT : finish()
}

const LOST = unproven('no_answer', undefined, false)
const TIMED_OUT = unproven('timed_out', undefined, false)

/** An answer other than the service's yes, as the client reports it. */
export function unproven(code: string, status: number | undefined, retryable: boolean): Unproven {
  return { kind: 'unproven', said: saidOf(code, status, retryable) }
}

/** The product decides what an answer refuses. Without a success or an error of the service there is no document. */
export function saidOf(code: string, status: number | undefined, retryable: boolean): ServiceError {
  const isDocument = status !== undefined && status >= 400
  const problem = { endpoint: 'POST /v2', status, code, isDocument, retryable, extensions: {} }
  return { ...serviceErrorOf(problem), text: `the service said ${code}` }
}
