// RequestRun: starts a run that a person asks for, on AWS. Records the requester under the identity that signed, then
// starts the run. Two requests under one id give one run; a run that ended in shadow mode is entered again. Starts only
// policies of treasury.json, and can neither plan nor approve. Of a single movement it only records who asks, for the
// log of people: the person starts the execution.
import type { Clock } from '../../core/clock.ts'
import type {
  AskMovementAnswer,
  AskMovementRequest,
  RequestRunAnswer,
  RequestRunRequest,
} from '../../core/contract/people.ts'
import { RunEnd, type RunRequest } from '../../core/contract/runs.ts'
import { Refused } from '../../core/errors.ts'
import type { Askers } from '../../core/journal/askers.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { type Pages, pageHashes } from '../../core/journal/pages.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { type Requesters, recordPerson } from '../../core/runs/approval/requesters.ts'
import { otherRequestText, type Runs } from '../../core/runs/record/runs.ts'
import { enterAgain } from '../../core/triggers/entries.ts'
import { findPolicy, type Policies } from '../../core/triggers/policy-start.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

interface RequestRunPorts {
  readonly policies: Policies
  readonly runs: Pick<Runs, 'find'>
  readonly requesters: Requesters
  readonly starter: Starter
  readonly pages: Pick<Pages, 'keep'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Refused for an unknown policy, and for an id of another request or another person; Transient; Defect */
export async function requestRun(
  { ownId, run, request, rows }: RequestRunRequest,
  by: string,
  ports: RequestRunPorts,
): Promise<RequestRunAnswer> {
  const stateMachine = machineOf(findPolicy(ports.policies, request.policy, 'body.request.policy'))
  const { trigger = { by: 'person' as const }, ...rest } = request
  const input: RunRequest = { ...rest, trigger }
  await keepRows(request, rows, ports)
  const at = new Date(ports.clock.nowMs()).toISOString()
  // Recorded before the start. After a crash in between, the same person may ask again, and nobody else.
  await recordPerson(run, { by, at, ownId, request: input }, ports)
  const start: Start = { stateMachine, name: run, input }
  const started = await ports.starter.start(start)
  if (started === 'other') throw new Refused(otherRequestText(run))
  if (started === 'started') return { outcome: 'STARTED', by, run }
  const execution = await enterShadow(start, ports)
  return execution === undefined ? { outcome: 'ALREADY_STARTED', by, run } : { outcome: 'STARTED', by, run, execution }
}

/**
 * Writes the rows of a long file. A request without them names pages that an earlier request wrote.
 * @throws Refused, Transient
 */
async function keepRows(
  { pages: named }: RequestRunRequest['request'],
  rows: RequestRunRequest['rows'],
  { pages }: RequestRunPorts,
): Promise<void> {
  if (rows === undefined) return
  const hashes = pageHashes(rows)
  if (named === undefined || hashes.length !== named.length || hashes.some((hash, index) => hash !== named[index])) {
    throw new Refused('body.rows: expected the rows of body.request.pages; got others')
  }
  await pages.keep(rows)
}

/**
 * Enters a run again that ended in shadow mode, because the policy may be live by now. Returns the execution's name;
 * `undefined` for a run with another end, and for a run that has used all its entries.
 */
async function enterShadow(start: Start, { runs, starter }: RequestRunPorts): Promise<string | undefined> {
  const known = await runs.find(start.name)
  if (known?.outcome !== RunEnd.Shadowed || known.request.shadow === true) return undefined
  return enterAgain(known.runId, known.entry, async (name) =>
    (await starter.start({ ...start, name })) === 'started' ? name : 'taken',
  )
}

interface RecordAskerPorts {
  readonly askers: Askers
  readonly journal: Pick<Journal, 'find'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** The first record counts. Nobody becomes the asker of an intent that has begun without one. @throws Transient, Defect */
export async function recordAsker(
  { intent, kind, ownId, requestHash }: AskMovementRequest,
  by: string,
  { askers, clock, journal }: RecordAskerPorts,
): Promise<AskMovementAnswer> {
  const known = await askers.find(kind, intent)
  if (known !== undefined) return { outcome: 'RECORDED', by: known.by }
  if ((await journal.find(intent, kind)) !== undefined) return { outcome: 'BEGUN' }
  const at = new Date(clock.nowMs()).toISOString()
  const first = await askers.record(kind, intent, { by, at, requestHash, ...(ownId !== undefined && { ownId }) })
  return { outcome: 'RECORDED', by: first.by }
}
