// Lets runs wait for their policy, and bounds how long and how many. Only a run that a deposit started waits, because nobody
// starts it again, and no other run converts what the deposit brought. It holds nothing while another run holds the policy, and
// tries again. A few may wait at once, each for itself: if all relied on one of them, its crash would lose them all. Every
// other run ends where the policy is held.
import { intentIdOf } from '../../contract/fields.ts'
import { type PlanOutput, RunEnd, RunStep } from '../../contract/runs.ts'
import { HELD_WAIT, waitAfter } from '../../movements/polling.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, RUNNING, type RunRecord } from '../record/run-record.ts'
import { endAnswerOf } from './answers.ts'

/**
 * Seconds that a run waits beyond the life of a run of its policy. A run that nobody continues frees the policy 300 s after its
 * time. Its time begins with its figures, which may take minutes of retries to read.
 */
const EXTRA_WAIT_SECONDS = 900

/** Every other run is started again by the person or the schedule that asked for it. */
export function mayWait({ trigger }: RunRecord): boolean {
  return trigger?.by === 'deposit'
}

/**
 * Milliseconds. If the wait of the youngest waiting run ends at most this much earlier, that run waits in place of this one.
 */
const AS_GOOD_AS_MS = 300_000

/** The answer for a run that waits; or one sentence on why it does not wait, or no longer. */
export type Wait = { readonly answer: PlanOutput } | { readonly why: string }

/**
 * Records that the run waits, unless its longest wait is over or other runs wait in its place. Needs a measured clock. `busy`:
 * one sentence on why the policy is not free.
 * @throws Transient
 */
export async function waitForPolicy(run: RunRecord, busy: string, phase: number, ports: RunPorts): Promise<Wait> {
  const { asPlanned } = run
  const nowMs = ports.service.clock.nowMs()
  const longestMs = (asPlanned.runLifeSeconds + EXTRA_WAIT_SECONDS) * 1000
  const { until, waits } = run.waiting ?? { until: timeText(nowMs + longestMs), waits: 0 }
  const leftSeconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (leftSeconds <= 0) return { why: `${busy}; this one waited for its turn until ${until}` }
  const instead = await takePlace(run, until, ports)
  if (instead !== undefined) {
    return { why: `${busy}; runs ${instead.join(', ')} wait for their turn and will see what this one would` }
  }
  const why = `${busy}; this one waits for its turn until ${until}`
  // Never beyond the last moment, so that the last try is at that moment.
  const waitSeconds = Math.min(waitAfter(waits, HELD_WAIT), leftSeconds)
  const nextAt = timeText(nowMs + waitSeconds * 1000)
  await ports.runs.advance(run, { waiting: { until, waits: waits + 1, nextAt }, why })
  return { answer: { ...endAnswerOf(run, phase, RunStep.Wait, why), waitSeconds } }
}

/**
 * Takes a place among the waiting runs. Where this run is not needed, returns the runs that hold all places. A run reads
 * balances when it gets its policy, so each of them will see what earlier deposits brought.
 * @throws Transient
 */
async function takePlace(run: RunRecord, until: string, ports: RunPorts): Promise<string[] | undefined> {
  const memory = await ports.policies.find(run.policy)
  const own = holdingOf(run)
  if (memory.waiting?.includes(own)) return undefined
  const others = await othersWaiting(memory, run, ports)
  const youngest = others.at(-1)
  if (others.length >= MOST_WAITING && youngest !== undefined) {
    // A younger run, which may wait longer, took its place.
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

/** Maximum waiting runs. Each sees all deposits; more than one in case one crashes. */
const MOST_WAITING = 3
/** Milliseconds: a waiting run that is so late for its next try, after all retries of a step, is not continued by anybody. */
const LEFT_AFTER_MS = 900_000

/**
 * The other runs that still wait for the policy, oldest first. A run that nobody continues is ended here, and so leaves every
 * list; its record names `run`.
 * @throws Transient
 */
export async function othersWaiting(
  { waiting = [] }: PolicyRecord,
  run: RunRecord,
  ports: RunPorts,
): Promise<RunRecord[]> {
  const others: RunRecord[] = []
  for (const holding of waiting) {
    if (holding === holdingOf(run)) continue
    const other = await ports.runs.find(intentIdOf(holding))
    // The other run ended, or began again. A run that began again has its own place, or gets a new one.
    if (other === undefined || other.outcome !== RUNNING || holdingOf(other) !== holding) continue
    if (ports.service.clock.reachedMs() >= Date.parse(dueAt(other)) + LEFT_AFTER_MS)
      await endAbandoned(other, run, ports)
    else others.push(other)
  }
  return others
}

function dueAt({ waiting, startedAt }: RunRecord): string {
  return waiting?.nextAt ?? startedAt
}

/** Nothing is lost: the run that ends it reads the same balances. */
async function endAbandoned(abandoned: RunRecord, run: RunRecord, { runs, service }: RunPorts) {
  const why = `nobody has carried it on since ${dueAt(abandoned)}; run ${run.runId} of the policy looks for it`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(abandoned, { outcome: RunEnd.AlreadyRunning, endedAt, why })
}
