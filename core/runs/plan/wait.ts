// Owns which runs wait for their policy, how long and how often. Only a run that a deposit started waits, because
// nobody starts it again, and no other run may convert what the deposit brought. While another run holds the policy,
// it holds nothing, and looks again. A few may wait at once, each by itself: one that relied on a single other would
// be lost with it. Every other run ends where the policy is held.
import { intentIdOf } from '../../contract/fields.ts'
import { type PlanOutput, RunEnd, RunStep } from '../../contract/runs.ts'
import { HELD_WAIT, waitAfter } from '../../movements/polling.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, RUNNING, type RunRecord } from '../record/run-record.ts'
import { endAnswerOf } from './answers.ts'

/**
 * It waits as long as a run of its policy lives, and so much longer: one that nobody carries on frees the policy 300 s
 * after its time, and its time begins with its figures, which may take it minutes of retries to read.
 */
const PATIENCE_SECONDS = 900

/** Every other run is started again by whoever or whatever asked for it. */
export function mayWait({ trigger }: Pick<RunRecord, 'trigger'>): boolean {
  return trigger?.by === 'deposit'
}

/** Where the youngest of those that wait began at most so long ago, its patience is as good as this one's. */
const AS_GOOD_AS_MS = 300_000

/** It waits, with what the state machine is answered; or one sentence, why it waits no longer or not at all. */
export type Wait = { readonly answer: PlanOutput } | { readonly why: string }

/**
 * The run is recorded as waiting, unless it waits no longer or not at all. The clock has been measured.
 * `busy`: one sentence, why the policy is not free. @throws Transient
 */
export async function waitForPolicy(
  run: RunRecord,
  busy: string,
  phase: number,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'service'>,
): Promise<Wait> {
  const { asPlanned } = run
  const nowMs = ports.service.clock.nowMs()
  const longestMs = (asPlanned.runLifeSeconds + PATIENCE_SECONDS) * 1000
  const { until, waits } = run.waiting ?? { until: timeText(nowMs + longestMs), waits: 0 }
  const leftSeconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (leftSeconds <= 0) return { why: `${busy}; this one waited for its turn until ${until}` }
  const instead = await takePlace(run, until, ports)
  if (instead !== undefined) {
    return { why: `${busy}; runs ${instead.join(', ')} wait for their turn and will see what this one would` }
  }
  const why = `${busy}; this one waits for its turn until ${until}`
  // Never past the last moment, so that the last look is at that moment.
  const waitSeconds = Math.min(waitAfter(waits, HELD_WAIT), leftSeconds)
  const nextAt = timeText(nowMs + waitSeconds * 1000)
  await ports.runs.advance(run, { waiting: { until, waits: waits + 1, nextAt }, why })
  return { answer: { ...endAnswerOf(run, phase, RunStep.Wait, why), waitSeconds } }
}

/**
 * Takes a place among those that wait; or names those that have all of them, where the run needs none. As a run reads
 * balances when it gets its policy, each of them will see what any deposit before that has brought. @throws Transient
 */
async function takePlace(
  run: RunRecord,
  until: string,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'service'>,
): Promise<string[] | undefined> {
  const memory = await ports.policies.find(run.policy)
  const own = holdingOf(run)
  if (memory.waiting?.includes(own)) return undefined
  const others = await othersWaiting(memory, run, ports)
  const youngest = others.at(-1)
  if (others.length >= MOST_WAITING && youngest !== undefined) {
    // Its place went to a younger one, which is more patient.
    const hasLostItsPlace = run.waiting !== undefined
    const isAsPatient = Date.parse(until) - Date.parse(youngest.waiting?.until ?? until) <= AS_GOOD_AS_MS
    if (hasLostItsPlace || isAsPatient) return others.map(({ runId }) => runId)
  }
  const staying = others.slice(Math.max(0, others.length - MOST_WAITING + 1))
  await ports.policies.advance(memory, { waiting: [...staying.map(holdingOf), own] })
  return undefined
}

function timeText(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** Each sees what all have come for; more than one, so that none is lost with another. */
const MOST_WAITING = 3
/** So late for its next look, after all retries of a step, nobody carries it on. It may be aborted. */
const LEFT_AFTER_MS = 900_000

/**
 * The runs that still wait for the policy, oldest first, besides `run` itself. One that nobody has carried on is ended
 * here, so that it is in no list for good: its record names `run`. @throws Transient
 */
export async function othersWaiting(
  { waiting = [] }: PolicyRecord,
  run: RunRecord,
  ports: Pick<RunPorts, 'runs' | 'service'>,
): Promise<RunRecord[]> {
  const others: RunRecord[] = []
  for (const holding of waiting) {
    if (holding === holdingOf(run)) continue
    const other = await ports.runs.find(intentIdOf(holding))
    // Ended, or begun again: then it has, or will have, a place of its own.
    if (other === undefined || other.outcome !== RUNNING || holdingOf(other) !== holding) continue
    if (isLeft(other, ports)) await endLeft(other, run, ports)
    else others.push(other)
  }
  return others
}

function dueAt({ waiting, startedAt }: RunRecord): string {
  return waiting?.nextAt ?? startedAt
}

function isLeft(run: RunRecord, { service }: Pick<RunPorts, 'service'>): boolean {
  return service.clock.reachedMs() >= Date.parse(dueAt(run)) + LEFT_AFTER_MS
}

/** Nothing is lost with it: whoever ends it looks itself. */
async function endLeft(left: RunRecord, run: RunRecord, { runs, service }: Pick<RunPorts, 'runs' | 'service'>) {
  const why = `nobody has carried it on since ${dueAt(left)}; run ${run.runId} of the policy looks for it`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(left, { outcome: RunEnd.AlreadyRunning, endedAt, why })
}
