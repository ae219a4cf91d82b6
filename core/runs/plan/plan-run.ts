// The decision behind PlanRebalance and PlanSweep: whether a run may begin, what it would move, and which legs
// are next. Reads the journal first, so that entering it again is safe: what is frozen is answered as it is.
import { intentIdOf } from '../../contract/fields.ts'
import { type PlanInput, type PlanOutput, RunEnd, type RunRequest, RunStep } from '../../contract/runs.ts'
import { nearestHint } from '../../treasury/nearest-name.ts'
import { goOnApproved } from '../approval/go-on.ts'
import type { RunPorts } from '../ports.ts'
import { entryOf } from '../record/legs.ts'
import { type Asked, faultOf, findAsked, machineText, readRequest } from '../record/request.ts'
import { isAtEnd, RUNNING, type RunRecord } from '../record/run-record.ts'
import { isSameRequest, type NewRun, otherRequestText } from '../record/runs.ts'
import { type Planning, saying, sayingOf } from './answers.ts'
import { makePlan } from './make-plan.ts'
import { findStanding, type Standing } from './obstacle.ts'
import { answerPhase } from './phases.ts'
import { withOldName } from './renamed-policy.ts'
import { serviceTimeMs } from './service-time.ts'
import { takePolicy } from './take-policy.ts'
import { mayWait, waitForTurn } from './wait.ts'

/** Ends of a run that never had legs after which a later entry may plan it anew. */
const MAY_BEGIN_AGAIN: ReadonlySet<string> = new Set([
  RunEnd.Halted,
  RunEnd.Guarded,
  RunEnd.AlreadyRunning,
  RunEnd.Failed,
])

/**
 * @returns the legs of the phase that is asked for, with where the machine goes; or a named end, recorded.
 * @throws Transient, Defect: nothing is answered then, and what was frozen stays so
 */
export async function planRun(input: PlanInput, planning: Planning, ports: RunPorts): Promise<PlanOutput> {
  const { execution, startedAt, phase = 1 } = input
  const runId = intentIdOf(execution)
  const entry = entryOf(execution)
  const read = readRequest(input.request)
  if ('wrong' in read) return saying(runId, phase, RunEnd.Failed, read.wrong)
  const { request } = read
  const known = await ports.runs.find(runId)
  if (known && !isSameRequest(known, request)) return saying(runId, phase, RunEnd.Failed, otherRequestText(runId))
  if (known && known.phases.length > 0) return goOn(known, phase, entry, planning, ports)
  if (known?.outcome === RunEnd.AwaitingApproval) return goOnApproved(known, entry, planning, ports)
  if (known && isAtEnd(known) && !(entry > known.entry && MAY_BEGIN_AGAIN.has(known.outcome))) {
    return sayingOf(known, phase)
  }
  return begin({ runId, startedAt, entry, request, known }, phase, planning, ports)
}

/** Legs are frozen: they are driven on, unless the run has ended and nothing about it is in doubt. */
function goOn(run: RunRecord, phase: number, entry: number, planning: Planning, ports: RunPorts): Promise<PlanOutput> {
  const isDone = isAtEnd(run) && (run.outcome !== RunEnd.NeedsAttention || entry <= (run.settledBy ?? 1))
  if (!isDone) return answerPhase(run, phase, entry, planning, ports)
  const settling = saying(run.runId, phase, RunStep.Settle)
  return Promise.resolve({ ...settling, policy: run.policy, kind: run.kind })
}

interface Beginning {
  readonly runId: string
  readonly startedAt: string
  readonly entry: number
  readonly request: RunRequest
  /** Without legs: cut off before its plan, waiting for its turn, or ended so that it may begin again. */
  readonly known: RunRecord | undefined
}

async function begin(beginning: Beginning, phase: number, planning: Planning, ports: RunPorts): Promise<PlanOutput> {
  const { runId, request, known } = beginning
  const asked = findAsked(request, ports.treasury)
  if (asked === undefined) {
    const hint = nearestHint(String(request.policy), Object.keys(ports.treasury.policies)) || '; name one that it has'
    const why = `input.policy: treasury.json has no policy ${request.policy}${hint}`
    return known
      ? stop(known, { outcome: RunEnd.Failed, why }, phase, ports, beginning)
      : saying(runId, phase, RunEnd.Failed, why)
  }
  const wrong = planning.takes(asked.policy)
    ? faultOf(request, asked, ports.treasury)
    : `input.policy: ${asked.name} is of the kind ${asked.policy.kind}; start it with ${machineText(asked.policy)}`
  if (wrong !== undefined)
    return ended(beginning, asked, { outcome: RunEnd.Failed, why: wrong }, phase, planning, ports)

  const isShadow = request.shadow === true || asked.policy.mode === 'shadow'
  const standing = await findStanding(asked.name, asked.policy, ports)
  // A plan that moves nothing tells what stands against it, as far as figures can be read.
  if (standing && !(isShadow && standing.guard !== 'maintenance'))
    return ended(beginning, asked, standing, phase, planning, ports)

  if (standing) await ports.service.clock.measure()
  const run = await open(beginning, asked, ports)
  if (run.phases.length > 0) return goOn(run, phase, beginning.entry, planning, ports)
  if (run.outcome !== RUNNING) return sayingOf(run, phase)
  if (isShadow) return shadow(run, standing, phase, planning, ports)

  const taken = await takePolicy(run, ports)
  if ('busy' in taken) return standBack(run, taken.busy, phase, ports)
  const planned = await makePlan(run, taken.memory, planning, ports)
  if (planned.phases.length === 0) return sayingOf(planned, phase)
  return answerPhase(planned, phase, beginning.entry, planning, ports)
}

type Stop = Pick<Standing, 'why'> & { readonly outcome: RunEnd }

/** Another run has the policy: this one ends, or waits and comes here again until it has waited too long. */
async function standBack(run: RunRecord, busy: string, phase: number, ports: RunPorts): Promise<PlanOutput> {
  const turn = mayWait(run) ? await waitForTurn(run, busy, phase, ports) : { why: busy }
  if ('answer' in turn) return turn.answer
  return stop(run, { outcome: RunEnd.AlreadyRunning, why: turn.why }, phase, ports)
}

async function shadow(
  run: RunRecord,
  standing: Standing | undefined,
  phase: number,
  planning: Planning,
  ports: RunPorts,
): Promise<PlanOutput> {
  const memory = await withOldName(await ports.policies.find(run.policy), run.asPlanned, ports)
  return sayingOf(await makePlan(run, memory, planning, ports, standing ?? 'shadow'), phase)
}

/** Recorded as ended, before it had a plan. It never held its policy, or holds it no more. */
async function ended(
  beginning: Beginning,
  asked: Asked,
  { outcome, why }: Stop,
  phase: number,
  planning: Planning,
  ports: RunPorts,
): Promise<PlanOutput> {
  const { known, startedAt } = beginning
  if (known) return stop(known, { outcome, why }, phase, ports, beginning)
  const { entry } = beginning
  const run = await ports.runs.open({ ...newRun(beginning, asked, startedAt), outcome, why, endedAt: startedAt, entry })
  // Another process of this run was quicker. What it froze is driven on: ended, it would free the policy.
  if (run.phases.length > 0) return goOn(run, phase, entry, planning, ports)
  return run.outcome === RUNNING ? stop(run, { outcome, why }, phase, ports, beginning) : sayingOf(run, phase)
}

async function stop(
  run: RunRecord,
  { outcome, why }: Stop,
  phase: number,
  ports: RunPorts,
  { startedAt, entry }: Pick<Beginning, 'startedAt' | 'entry'> = run,
): Promise<PlanOutput> {
  // It ends as it starts, unless it has waited.
  const endedAt = run.waiting ? new Date(await serviceTimeMs(startedAt, ports)).toISOString() : startedAt
  return sayingOf(await ports.runs.advance(run, { outcome, why, endedAt, entry: Math.max(entry, run.entry) }), phase)
}

/** RUNNING, and if it waited, by the policy and the time of now: its life begins with its turn. The clock has been measured. */
async function open(beginning: Beginning, asked: Asked, { runs, service }: RunPorts): Promise<RunRecord> {
  const { known, entry } = beginning
  const notAfter = new Date(service.clock.nowMs() + asked.policy.runLifeSeconds * 1000).toISOString()
  if (!known) return runs.open(newRun(beginning, asked, notAfter))
  const isLater = entry > known.entry
  if (known.outcome === RUNNING && !isLater && known.waiting === undefined) return known
  const { policy: asPlanned, policyHash } = asked
  return runs.advance(known, {
    ...{ outcome: RUNNING, asPlanned, policyHash, notAfter },
    ...{ entry: Math.max(entry, known.entry), endedAt: undefined, why: undefined },
    ...(isLater && { waiting: undefined }),
  })
}

function newRun({ runId, startedAt, entry, request }: Beginning, asked: Asked, notAfter: string): NewRun {
  const { name, policy, policyHash } = asked
  return {
    ...{ outcome: RUNNING, runId, policy: name, kind: policy.kind, startedAt, entry },
    ...(request.trigger && { trigger: request.trigger }),
    ...{ request, asPlanned: policy, policyHash, notAfter },
  }
}
