// What is seen of the journal and the service while one call is answered, for its log line and metrics. Decisions know
// nothing of it: the ports that they are given are watched. It changes no answer.
import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import { intentId, intentIdOf, policyName } from '../../core/contract/fields.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { PaceHeaders } from '../../core/service/http.ts'
import { shareLeft } from '../../core/service/pace.ts'
import type { MeasuredClock } from '../../core/service/service-clock.ts'
import type { Measured } from './log.ts'

/** An answer, as far as something is measured by it. */
export interface Answer {
  readonly outcome: string
  readonly rate?: unknown
  readonly guardedBy?: unknown
  readonly phase?: unknown
}

/** Of one call. Its intent or its run is that which its event names. */
export interface Observation {
  /** The id that the event names: an intent's or a run's. */
  readonly about: string | undefined
  /** As it was first read, and as it was last. */
  first?: Intent
  intent?: Intent
  run?: { readonly runId: string; readonly policy: string }
  /** What the run measures, where one was seen. */
  measureRun?: (verb: string, answer: Answer, nowMs: number) => Measured
}

const calls = new AsyncLocalStorage<Observation>()

/** `named`: an intent or an execution, as the event has it. */
export async function observing<Result>(
  named: string | undefined,
  act: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  const seen: Observation = { about: named === undefined ? undefined : intentIdOf(named) }
  return calls.run(seen, () => act(seen))
}

const asked = z.object({ policy: z.optional(policyName), run: z.optional(intentId) })

/** For which policy and run. A record that was lost names neither. */
export function askedBy({ params }: Intent): z.infer<typeof asked> {
  return asked.safeParse(params).data ?? {}
}

export function watchedJournal(journal: Journal): Journal {
  const note = <Kind extends Intent | undefined>(intent: Kind): Kind => {
    const seen = calls.getStore()
    if (intent !== undefined && seen !== undefined && intent.intentId === seen.about) {
      seen.first ??= intent
      // Its own comes first. One of the other kind with the same id is read only as a holder of a budget.
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

/** The call that is being answered; undefined outside of one. */
export function currentCall(): Observation | undefined {
  return calls.getStore()
}

/** Of this environment, whichever call asked: told once, with the next line. */
const clocks = new Map<Pick<MeasuredClock, 'offset'>, number | undefined>()
let leastLeft: number | undefined

export function watchClock(clock: Pick<MeasuredClock, 'offset'>): void {
  clocks.set(clock, undefined)
}

/** The service's time, as far as it was measured: intents and runs are dated by it. */
export function serviceNowMs(): number {
  const [offsetMs = 0] = [...clocks.keys()].flatMap((clock) => clock.offset()?.offsetMs ?? [])
  return Date.now() + offsetMs
}

export function notePace(pace: PaceHeaders): void {
  const left = shareLeft(pace)
  if (left !== undefined) leastLeft = Math.min(left, leastLeft ?? left)
}

/** What was measured of the service since the last line. */
export function takeServiceFigures(): { readonly ClockOffset?: number; readonly RateLimitLeft?: number } {
  const offsets = [...clocks].flatMap(([clock, told]) => {
    const offsetMs = clock.offset()?.offsetMs
    if (offsetMs === undefined || offsetMs === told) return []
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
