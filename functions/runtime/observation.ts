// Observes the journal and the service during one call, for its log line and metrics. Decisions know nothing of it: it
// wraps the ports that they use. Changes no answer.
import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import { intentId, intentIdOf, policyName } from '../../core/contract/fields.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { PaceHeaders } from '../../core/service/http.ts'
import { shareLeft } from '../../core/service/pace.ts'
import type { MeasuredClock } from '../../core/service/service-clock.ts'
import type { Measured } from './log.ts'

export interface Answer {
  readonly outcome: string
  readonly rate?: unknown
  readonly guardedBy?: unknown
  readonly phase?: unknown
}

/** Observations of one call, about the intent or run that its event names. */
export interface Observation {
  /** The id of an intent or a run in the event. */
  readonly about: string | undefined
  /** The intent at its first read, and at its last. */
  first?: Intent
  intent?: Intent
  run?: { readonly runId: string; readonly policy: string }
  /** Measures the run; absent until the call has read one. */
  measureRun?: (verb: string, answer: Answer, nowMs: number) => Measured
}

const calls = new AsyncLocalStorage<Observation>()

/** Runs `act` with a new observation. `named`: the intent or the execution in the event. */
export async function withObservation<Result>(
  named: string | undefined,
  act: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  const seen: Observation = { about: named === undefined ? undefined : intentIdOf(named) }
  return calls.run(seen, () => act(seen))
}

const owner = z.object({ policy: z.optional(policyName), run: z.optional(intentId) })

/** The policy and the run behind an intent. A lost record names neither. */
export function ownerOf({ params }: Intent): z.infer<typeof owner> {
  return owner.safeParse(params).data ?? {}
}

export function watchedJournal(journal: Journal): Journal {
  const note = <Kind extends Intent | undefined>(intent: Kind): Kind => {
    const seen = calls.getStore()
    if (intent !== undefined && seen !== undefined && intent.intentId === seen.about) {
      seen.first ??= intent
      // A step reads its own intent first. It reads an intent of the other kind with the same id only as a holder of a
      // budget.
      if (intent.kind === seen.first.kind) seen.intent = intent
    }
    return intent
  }
  return {
    ...journal,
    find: async (id, kind) => note(await journal.find(id, kind)),
    open: async (intent, end) => note(await journal.open(intent, end)),
    advance: async (intent, move) => note(await journal.advance(intent, move)),
  }
}

export function currentCall(): Observation | undefined {
  return calls.getStore()
}

/** Figures of this execution environment, from any call. The next line reports each once. */
const clocks = new Map<Pick<MeasuredClock, 'offset'>, number | undefined>()
let leastLeft: number | undefined

export function watchClock(clock: Pick<MeasuredClock, 'offset'>): void {
  clocks.set(clock, undefined)
}

/**
 * Service time by the measured offset, or this machine's time before a measurement. Intents and runs are dated in
 * service time.
 */
export function serviceNowMs(): number {
  const [offsetMs = 0] = [...clocks.keys()].flatMap((clock) => clock.offset()?.offsetMs ?? [])
  return Date.now() + offsetMs
}

export function notePace(pace: PaceHeaders): void {
  const left = shareLeft(pace)
  if (left !== undefined) leastLeft = Math.min(left, leastLeft ?? left)
}

/** Figures about the service since the last line. */
export function takeServiceFigures(): { readonly ClockOffset?: number; readonly RateLimitLeft?: number } {
  const offsets = [...clocks].flatMap(([clock, reportedMs]) => {
    const offsetMs = clock.offset()?.offsetMs
    if (offsetMs === undefined || offsetMs === reportedMs) return []
    clocks.set(clock, offsetMs)
    return [Math.abs(offsetMs)]
  })
  const left = leastLeft
  leastLeft = undefined
  return {
    ...(offsets.length > 0 && { ClockOffset: Math.max(...offsets) }),
    ...(left !== undefined && { RateLimitLeft: left }),
  }
}
