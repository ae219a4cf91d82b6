// LookAgain: enters again what stopped in doubt, once the service answers. It does what a person does with `sluice cases again`,
// and nothing else: it starts the next entry of an intent or a run, by its name and with the input that it had. Each step
// reads the journal before it acts, so that an entry too many changes nothing. What a person is to decide it leaves alone.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryName } from '../../core/contract/fields.ts'
import {
  LAST_ENTRY_BY_ITSELF,
  type LookAgainInput,
  LookAgainOutcome,
  type LookAgainReport,
  waitAfterEntry,
} from '../../core/contract/look-again.ts'
import { isOfIntents } from '../../core/contract/states.ts'
import { SluiceError, Transient } from '../../core/errors.ts'
import { isAskedBy } from '../../core/journal/entering.ts'
import { isRunAskedBy } from '../../core/runs/record/runs.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Start } from '../../core/triggers/starter.ts'
import { findPayouts } from './find-payouts.ts'
import { findOpen, type Stopped, stoppedOf } from './find-stopped.ts'
import type { LookAgainPorts } from './ports.ts'

/** Whose executions are looked up in one look: Step Functions answers some 15 such questions a second. */
const MOST_LOOKED_UP = 200
/** Entered in one look: their reads of the service share one rate limit. */
const MOST_ENTERED = 25
/** Of more than are looked up, each look takes others. */
const LOOKS_EVERY_MS = 300_000

/** The next entry, and since when it is due: epoch ms, service time. */
interface Due {
  readonly start: Start
  readonly sinceMs: number
}

type Verdict = Due | 'under way' | 'at its end' | 'waiting' | 'for people'

/** Of a look that found nothing. */
export const NOTHING = { entered: [], refused: [], left: 0, waiting: 0, forPeople: 0 }

/** @throws Transient where the journal or Step Functions does not answer; KeyFault, Defect */
export async function lookAgain(_input: LookAgainInput, ports: LookAgainPorts): Promise<LookAgainReport> {
  const { clock } = ports.service
  const [open, payouts] = await Promise.all([findOpen(ports), findPayouts(ports, clock.nowMs())])
  const isCutOff = open.isCutOff || payouts.isCutOff
  if (open.intents.length + open.runs.length + payouts.stopped.length === 0) {
    return { ...NOTHING, outcome: LookAgainOutcome.NothingOpen, isCutOff }
  }
  const silence = await findSilence(ports)
  if (silence !== undefined) return { ...NOTHING, outcome: LookAgainOutcome.NoAnswer, isCutOff, why: silence }

  const now = { nowMs: clock.nowMs(), reachedMs: clock.reachedMs() }
  const stopped = [...(await stoppedOf(open, now, ports)), ...payouts.stopped]
  const looked = turnOf(stopped, now.nowMs)
  const verdicts = await mapBounded(looked, READS_AT_ONCE, (each) => judge(each, now.nowMs, ports))
  const due = verdicts
    .filter((verdict) => typeof verdict === 'object')
    .sort((one, other) => one.sinceMs - other.sinceMs)
  const count = (what: Verdict) => verdicts.filter((verdict) => verdict === what).length
  const entering = due.slice(0, MOST_ENTERED)
  const refused = await enterAll(entering, ports)
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
    isCutOff: isCutOff || looked.length < stopped.length,
  }
}

/**
 * One after the other: the service has only just come back. One that cannot be started keeps none of the others waiting, and
 * is told: a fault that is thrown would alarm anew at each look, for one and the same thing. @throws Transient where Step
 * Functions does not answer: the next look goes on
 */
async function enterAll(
  entering: readonly Due[],
  { starter }: Pick<LookAgainPorts, 'starter'>,
): Promise<LookAgainReport['refused']> {
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

/** In words; undefined where the service answers. What is wrong with the key or with us is thrown, and alarms. */
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

/** Some of them, in an order that goes on from look to look: without a memory, by the time alone. */
function turnOf(stopped: readonly Stopped[], nowMs: number): readonly Stopped[] {
  if (stopped.length <= MOST_LOOKED_UP) return stopped
  const from = (Math.floor(nowMs / LOOKS_EVERY_MS) * MOST_LOOKED_UP) % stopped.length
  return [...stopped.slice(from), ...stopped.slice(0, from)].slice(0, MOST_LOOKED_UP)
}

async function judge(
  { id, stateMachine, request, ends, isLeg = false, followed }: Stopped,
  nowMs: number,
  ports: Pick<LookAgainPorts, 'findExecution'>,
): Promise<Verdict> {
  const { findExecution } = ports
  const { first, kept, entry } = await findLastEntry(id, (name) => findExecution(stateMachine, name), { isLeg })
  if (kept?.status === 'RUNNING') return 'under way'
  if (followed !== undefined && kept?.status === 'SUCCEEDED')
    return followed.by === undefined ? 'at its end' : judge(followed.by, nowMs, ports)
  // One of which no execution is known was perhaps entered elsewhere, or so long ago that AWS has forgotten it.
  const input = request ?? (kept?.input === undefined ? undefined : JSON.parse(kept.input))
  if (kept?.stoppedAtMs === undefined || input === undefined) return 'for people'
  // Somebody has changed the record since its first execution began.
  const isOwn = isOfIntents(stateMachine) ? isAskedBy : isRunAskedBy
  if (!isOwn(first, input)) return 'for people'
  if (!ends.has(kept.status) || entry >= LAST_ENTRY_BY_ITSELF) return 'for people'
  const sinceMs = kept.stoppedAtMs + waitAfterEntry(entry) * 1000
  if (sinceMs > nowMs) return 'waiting'
  return { start: { stateMachine, name: entryName(id, entry + 1), input }, sinceMs }
}
