// Decides for PlanRebalance and PlanSweep: whether a run may begin, what it would move, and which legs come next. It reads
// the journal first, so a run may be entered again safely: frozen legs are answered unchanged.

import { entryOf, intentIdOf } from '../../contract/fields.ts'
import { payoutRowsOfFile } from '../../contract/payouts.ts'
import { type PlanInput, type PlanOutput, RunEnd, type RunRequest } from '../../contract/runs.ts'
import { Defect, Refused } from '../../errors.ts'
import { parseWith } from '../../parse.ts'
import { nearestHint } from '../../treasury/nearest-name.ts'
import { continueApproved } from '../approval/go-on.ts'
import type { RunPorts } from '../ports.ts'
import { faultOf, findRequestedPolicy, type RequestedPolicy, readRequest, runCommandOf } from '../record/request.ts'
import { isAtEnd, mayBeginAgain, RUNNING, type RunRecord } from '../record/run-record.ts'
import { isSameRequest, newRun, otherRequestText } from '../record/runs.ts'
import { serviceTimeMs } from '../settle/end-run.ts'
import { type Entry, endAnswer, type Planning, recordedEnd, settleAnswer } from './answers.ts'
import { makePlan } from './make-plan.ts'
import { findObstacle, type Obstacle } from './obstacle.ts'
import { answerPhase } from './phases.ts'
import { withOldName } from './renamed-policy.ts'
import { takePolicy } from './take-policy.ts'
import { mayWait, waitForPolicy } from './wait.ts'

/**
 * @returns the legs of the requested phase with the machine's next step, or a recorded end.
 * @throws Transient, Defect: then nothing is answered, and frozen legs stay frozen
 */
export async function planRun(input: PlanInput, planning: Planning, ports: RunPorts): Promise<PlanOutput> {
  const { execution, startedAt, phase = 1, part = 1 } = input
  const runId = intentIdOf(execution)
  const entered = { phase, part, entry: entryOf(execution), planning }
  const read = readRequest(input.request)
  if ('wrong' in read) return endAnswer(runId, phase, RunEnd.Failed, read.wrong)
  const { request } = read
  const known = await ports.runs.find(runId)
  if (known && !isSameRequest(known, request)) return endAnswer(runId, phase, RunEnd.Failed, otherRequestText(runId))
  if (known && known.phases.length > 0) return continueRun(known, entered, ports)
  if (known?.outcome === RunEnd.AwaitingApproval) return continueApproved(known, entered, ports)
  if (known && isAtEnd(known) && !(entered.entry > known.entry && mayBeginAgain(known))) {
    return recordedEnd(known, phase)
  }
  return begin({ ...entered, runId, startedAt, request, known }, ports)
}

/** Continues a run with frozen legs, unless it has ended and nothing about it is in doubt. */
function continueRun(run: RunRecord, entered: Entry, ports: RunPorts): Promise<PlanOutput> {
  const isDone = isAtEnd(run) && (run.outcome !== RunEnd.NeedsAttention || entered.entry <= (run.settledBy ?? 1))
  return isDone ? Promise.resolve(settleAnswer(run, entered.phase)) : answerPhase(run, entered, ports)
}

interface Beginning extends Entry {
  readonly runId: string
  readonly startedAt: string
  readonly request: RunRequest
  /** A record without legs: the run crashed before its plan, waits for its policy, or ended so that it may begin again. */
  readonly known: RunRecord | undefined
}

async function begin(beginning: Beginning, ports: RunPorts): Promise<PlanOutput> {
  const { runId, known, phase, planning } = beginning
  const read = await withRowsOfPages(beginning.request, ports)
  if ('wrong' in read) {
    const failed = { outcome: RunEnd.Failed, why: read.wrong }
    return known ? stop(known, failed, beginning, ports) : endAnswer(runId, phase, RunEnd.Failed, read.wrong)
  }
  const { request } = read
  const target = findRequestedPolicy(request, ports.treasury)
  if (target === undefined) {
    const name = String(request.policy)
    const hint = nearestHint(name, Object.keys(ports.treasury.policies)) || '; name one that it has'
    const why = `input.policy: treasury.json has no policy ${name}${hint}`
    if (known) return stop(known, { outcome: RunEnd.Failed, why }, beginning, ports)
    return endAnswer(runId, phase, RunEnd.Failed, why)
  }
  const wrong = planning.takes(target.policy)
    ? faultOf(request, target, ports.treasury)
    : `input.policy: ${target.name} is of the kind ${target.policy.kind}; start it with ${runCommandOf(target.policy)}`
  if (wrong !== undefined) return refuse(beginning, target, { outcome: RunEnd.Failed, why: wrong }, ports)

  const isShadow = request.shadow === true || target.policy.mode === 'shadow'
  const obstacle = await findObstacle(target.name, target.policy, ports)
  // A plan that moves nothing reports the obstacle, if figures can be read.
  if (obstacle && !(isShadow && obstacle.guard !== 'maintenance')) return refuse(beginning, target, obstacle, ports)

  if (obstacle) await ports.service.clock.measure()
  const run = await open(beginning, target, ports)
  if (run.phases.length > 0) return continueRun(run, beginning, ports)
  if (run.outcome !== RUNNING) return recordedEnd(run, phase)
  if (isShadow) return shadow(run, obstacle, beginning, ports)

  const taken = await takePolicy(run, ports)
  if ('busy' in taken) return yieldPolicy(run, taken.busy, phase, ports)
  const planned = await makePlan({ run, memory: taken.memory, planning }, ports)
  return planned.phases.length === 0 ? recordedEnd(planned, phase) : answerPhase(planned, beginning, ports)
}

type Stop = Pick<Obstacle, 'why'> & { readonly outcome: RunEnd }

/** Handles a policy that another run holds: this run ends, or waits and tries again until its longest wait is over. */
async function yieldPolicy(run: RunRecord, busy: string, phase: number, ports: RunPorts): Promise<PlanOutput> {
  const wait = mayWait(run) ? await waitForPolicy(run, busy, phase, ports) : { why: busy }
  if ('answer' in wait) return wait.answer
  const { startedAt, entry } = run
  return stop(run, { outcome: RunEnd.AlreadyRunning, why: wait.why }, { phase, startedAt, entry }, ports)
}

async function shadow(
  run: RunRecord,
  obstacle: Obstacle | undefined,
  { phase, planning }: Entry,
  ports: RunPorts,
): Promise<PlanOutput> {
  const memory = await withOldName(await ports.policies.find(run.policy), ports)
  return recordedEnd(await makePlan({ run, memory, planning, shadow: { obstacle } }, ports), phase)
}

/** Records the run as ended before it had a plan. It does not hold its policy. */
async function refuse(beginning: Beginning, target: RequestedPolicy, why: Stop, ports: RunPorts): Promise<PlanOutput> {
  const { known, startedAt, phase } = beginning
  if (known) return stop(known, why, beginning, ports)
  const refused = {
    ...newRun({ ...beginning, requestedPolicy: target, notAfter: startedAt }),
    outcome: why.outcome,
    why: why.why,
  }
  const endedAt = new Date(await serviceTimeMs(startedAt, ports)).toISOString()
  const run = await ports.runs.open({ ...refused, endedAt })
  // Another process of this run was quicker. Its frozen legs are continued: to end the run would free the policy.
  if (run.phases.length > 0) return continueRun(run, beginning, ports)
  return run.outcome === RUNNING ? stop(run, why, beginning, ports) : recordedEnd(run, phase)
}

/** Takes away the figures of an earlier life of the run, such as the plan that it made in shadow mode. */
const NOTHING_PLANNED = {
  plan: undefined,
  residues: undefined,
  distances: undefined,
  tripped: undefined,
} as const

async function stop(
  run: RunRecord,
  { outcome, why }: Stop,
  { phase, startedAt, entry }: Pick<Beginning, 'phase' | 'startedAt' | 'entry'>,
  ports: RunPorts,
): Promise<PlanOutput> {
  const endedAt = new Date(await serviceTimeMs(startedAt, ports)).toISOString()
  const ended = await ports.runs.advance(run, {
    ...NOTHING_PLANNED,
    ...{ outcome, why, endedAt },
    entry: Math.max(entry, run.entry),
  })
  return recordedEnd(ended, phase)
}

/**
 * A run that is RUNNING. One that waited gets the present policy and time, because its life begins when it holds its policy.
 * Needs a measured clock.
 */
async function open(
  beginning: Beginning,
  requestedPolicy: RequestedPolicy,
  { runs, service }: RunPorts,
): Promise<RunRecord> {
  const { known, entry } = beginning
  const notAfter = new Date(service.clock.nowMs() + requestedPolicy.policy.runLifeSeconds * 1000).toISOString()
  if (!known) return runs.open(newRun({ ...beginning, requestedPolicy, notAfter }))
  const isLater = entry > known.entry
  if (known.outcome === RUNNING && !isLater && known.waiting === undefined) return known
  return runs.advance(known, {
    ...NOTHING_PLANNED,
    outcome: RUNNING,
    kind: requestedPolicy.policy.kind,
    asPlanned: requestedPolicy.policy,
    policyHash: requestedPolicy.policyHash,
    notAfter,
    entry: Math.max(entry, known.entry),
    endedAt: undefined,
    why: undefined,
    ...(isLater && { waiting: undefined }),
  })
}

/** @returns the request with all its rows, or a sentence for pages that are no rows. @throws Transient */
async function withRowsOfPages(
  request: RunRequest,
  { pages }: RunPorts,
): Promise<{ readonly request: RunRequest } | { readonly wrong: string }> {
  const { pages: hashes, ...rest } = request
  if (hashes === undefined) return { request }
  if (request.rows !== undefined) return { wrong: 'input.pages: expected no rows beside them; leave out input.rows' }
  try {
    return { request: { ...rest, rows: parseWith(payoutRowsOfFile, await pages.read(hashes), 'input.pages') } }
  } catch (error) {
    if (error instanceof Refused) return { wrong: error.message }
    if (error instanceof Defect) return { wrong: `input.pages: ${error.message}` }
    throw error
  }
}
