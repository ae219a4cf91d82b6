// LookAgain: enters again what stopped in doubt, and runs whose plan people have decided on, once the service answers. It does
// what a person does with `sluice cases again`: it starts the next entry of an intent or a run, under its name and with its
// original input. Each step reads the journal before it acts, so an extra entry changes nothing. Cases that a person must
// decide stay untouched.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryName } from '../../core/contract/fields.ts'
import {
  LAST_AUTOMATIC_ENTRY,
  type LookAgainInput,
  LookAgainOutcome,
  type LookAgainReport,
  waitAfterEntry,
} from '../../core/contract/look-again.ts'
import { isOfIntents } from '../../core/contract/states.ts'
import { SluiceError, Transient } from '../../core/errors.ts'
import { isRequestedBy } from '../../core/journal/entering.ts'
import { isRunRequestedBy } from '../../core/runs/record/runs.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Start } from '../../core/triggers/starter.ts'
import { findPayouts } from './find-payouts.ts'
import { decidedOf, findOpen, type Stopped, stoppedOf } from './find-stopped.ts'
import type { LookAgainPorts } from './ports.ts'

/**
 * Maximum number of cases whose executions are read in one call. Step Functions answers some 15 of these reads a
 * second.
 */
const MOST_LOOKED_UP = 200
/** Maximum number of entries started in one call, because their reads of the service share one rate limit. */
const MOST_ENTERED = 25
/**
 * Milliseconds between two calls by the schedule. With more than `MOST_LOOKED_UP` cases, each call takes the next part.
 */
const LOOKS_EVERY_MS = 300_000

/** The next entry, and the time since which it is due (epoch ms, service time). */
interface Due {
  readonly start: Start
  readonly sinceMs: number
}

type Verdict = Due | 'under way' | 'at its end' | 'waiting' | 'for people'

export const NOTHING = { entered: [], refused: [], left: 0, waiting: 0, forPeople: 0 }

/** @throws Transient when the journal or Step Functions does not answer; KeyFault, Defect */
export async function lookAgain(
  { resumed: isResumed = false }: LookAgainInput,
  ports: LookAgainPorts,
): Promise<LookAgainReport> {
  const [open, payouts] = await Promise.all([findOpen(ports), findPayouts(ports)])
  const isCutOff = open.isCutOff || payouts.isCutOff
  if (open.intents.length + open.runs.length + open.awaiting.length + payouts.stopped.length === 0) {
    return { ...NOTHING, outcome: LookAgainOutcome.NothingOpen, isCutOff }
  }
  const silence = await findSilence(ports)
  if (silence !== undefined) return { ...NOTHING, outcome: LookAgainOutcome.NoAnswer, isCutOff, why: silence }

  const { clock } = ports.service
  const now = { nowMs: clock.nowMs(), reachedMs: clock.reachedMs(), isResumed }
  const decided = await decidedOf(open.awaiting, now, ports).catch((error: unknown) => {
    if (error instanceof SluiceError) return error
    throw error
  })
  const stopped = [
    ...(await stoppedOf(open, now, ports)),
    ...(decided instanceof SluiceError ? [] : decided),
    ...payouts.stopped,
  ]
  const judged = partFor(stopped, now.nowMs)
  const verdicts = await mapBounded(judged, READS_AT_ONCE, (each) => judge(each, now.nowMs, ports))
  const due = verdicts
    .filter((verdict) => typeof verdict === 'object')
    .sort((one, other) => one.sinceMs - other.sinceMs)
  const count = (counted: Verdict) => verdicts.filter((verdict) => verdict === counted).length
  const entering = due.slice(0, MOST_ENTERED)
  const refused = await enterAll(entering, ports)
  // Thrown only now: what may have moved does not wait until people's decisions can be counted.
  if (decided instanceof SluiceError) throw decided
  const names = new Set(refused.map(({ execution }) => execution))
  return {
    outcome: LookAgainOutcome.Looked,
    entered: entering
      .map(({ start: { stateMachine, name } }) => ({ stateMachine, execution: name }))
      .filter(({ execution }) => !names.has(execution)),
    refused,
    left: due.length - entering.length,
    waiting: count('waiting'),
    forPeople: count('for people'),
    isCutOff: isCutOff || judged.length < stopped.length,
  }
}

/**
 * Starts the entries one after the other, because the service has only just come back. An entry that cannot be started
 * delays no other and is reported as refused. A thrown fault would raise an alarm at each call for the same case.
 * @throws Transient when Step Functions does not answer; the next call continues
 */
async function enterAll(entering: readonly Due[], { starter }: LookAgainPorts): Promise<LookAgainReport['refused']> {
  const refused: LookAgainReport['refused'] = []
  for (const { start } of entering) {
    try {
      await starter.start(start)
    } catch (error) {
      if (!(error instanceof SluiceError) || error instanceof Transient) throw error
      refused.push({ stateMachine: start.stateMachine, execution: start.name, why: error.message })
    }
  }
  return refused
}

/**
 * Why the service does not answer; `undefined` when it answers. Faults of the key or our own are thrown and raise an
 * alarm.
 */
async function findSilence({ service }: LookAgainPorts): Promise<string | undefined> {
  try {
    await service.clock.measure()
    await service.assertAnswers()
    return undefined
  } catch (error) {
    if (error instanceof Transient) return error.message
    throw error
  }
}

/** The part of the cases that this call judges. The clock alone selects it, without stored state. */
function partFor(stopped: readonly Stopped[], nowMs: number): readonly Stopped[] {
  if (stopped.length <= MOST_LOOKED_UP) return stopped
  const from = (Math.floor(nowMs / LOOKS_EVERY_MS) * MOST_LOOKED_UP) % stopped.length
  return [...stopped.slice(from), ...stopped.slice(0, from)].slice(0, MOST_LOOKED_UP)
}

async function judge(
  { id, stateMachine, request, ends, isLeg = false, isUrgent = false, followed }: Stopped,
  nowMs: number,
  ports: LookAgainPorts,
): Promise<Verdict> {
  const { findExecution } = ports
  const { first, kept, entry } = await findLastEntry(id, (name) => findExecution(stateMachine, name), { isLeg })
  if (kept?.status === 'RUNNING') return 'under way'
  if (followed !== undefined && kept?.status === 'SUCCEEDED')
    return followed.by === undefined ? 'at its end' : judge(followed.by, nowMs, ports)
  // Without a known execution it was perhaps entered elsewhere, or AWS has deleted its history.
  const input = request ?? (kept?.input === undefined ? undefined : JSON.parse(kept.input))
  if (kept?.stoppedAtMs === undefined || input === undefined) return 'for people'
  // The record was changed since its first execution began.
  const isOwn = isOfIntents(stateMachine) ? isRequestedBy : isRunRequestedBy
  if (!isOwn(first, input)) return 'for people'
  if (!ends.has(kept.status) || entry >= LAST_AUTOMATIC_ENTRY) return 'for people'
  const sinceMs = kept.stoppedAtMs + (isUrgent ? 0 : waitAfterEntry(entry) * 1000)
  if (sinceMs > nowMs && !isUrgent) return 'waiting'
  return { start: { stateMachine, name: entryName(id, entry + 1), input }, sinceMs }
}
