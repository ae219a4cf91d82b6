// State SettleRun: records what became of a run, by the journal and the service, also when a step failed for good. It closes
// intents that nobody will send any more. A run whose execution was stopped before any leg ends here too. Moves no money.

import { ErrorName, isOwnFault, LambdaFault } from '../../core/contract/errors.ts'
import { entryOf, intentIdOf } from '../../core/contract/fields.ts'
import { fieldsOf, findJson } from '../../core/contract/find-json.ts'
import { RunEnd, type RunSummary, type SettleRunInput, type SettlesOn } from '../../core/contract/runs.ts'
import type { RunAborted } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import { findRequestedPolicy, readRequest } from '../../core/runs/record/request.ts'
import { RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { isSameRequest, newRun, otherRequestText } from '../../core/runs/record/runs.ts'
import { serviceTimeMs } from '../../core/runs/settle/end-run.ts'
import { settle, settlesOn, summaryOf } from '../../core/runs/settle/settle.ts'
import { readValueAfter } from '../../core/runs/settle/value-after.ts'

/** Most characters of a fault's message. */
const LONGEST_MESSAGE = 400
/** Errors that every step of a run is retried after. A caught error of these has used up its retries. */
const RETRIED: ReadonlySet<string> = new Set([ErrorName.Transient, ErrorName.RateLimited, ...LambdaFault])

/**
 * @throws Refused for a request without a known policy; the journal then has nothing of it.
 * @throws Transient, Defect
 */
export async function settleRun(input: SettleRunInput, ports: RunPorts): Promise<RunSummary | SettlesOn> {
  const caught = input.fault && faultText(input.fault)
  const isOurs = input.fault !== undefined && isOwnFault(input.fault)
  const run = await findRun(input, caught, ports)
  const fault = caught !== undefined && run.phases.length === 0 ? `no legs were planned: ${caught}` : caught
  // A run that waits for a person keeps waiting, because no leg of it has begun.
  if (run.outcome === RunEnd.AwaitingApproval) {
    return {
      ...summaryOf(run),
      outcome: isOurs ? RunEnd.OwnFault : RunEnd.Failed,
      ...(fault !== undefined && { why: fault }),
    }
  }
  const nowMs = await serviceTimeMs(input.enteredAt, ports)
  const settled = await settle(
    run,
    {
      ...{ fault, isOwnFault: isOurs, entry: entryOf(input.execution), by: input.execution, nowMs },
      ...(run.phases.length > 0 && { readValueAfter: () => readValueAfter(run, ports) }),
    },
    ports,
  )
  return settled.settling === undefined ? summaryOf(settled) : settlesOn(settled, input.fault)
}

/** Finds the run. If a fault came before its record, it is recorded as failed, so that people find it. */
async function findRun(
  { execution, startedAt, request: input }: SettleRunInput,
  fault: string | undefined,
  { runs, treasury }: RunPorts,
): Promise<RunRecord> {
  const runId = intentIdOf(execution)
  const read = readRequest(input)
  if ('wrong' in read) throw new Refused(read.wrong)
  const known = await runs.find(runId)
  if (known && !isSameRequest(known, read.request)) throw new Refused(otherRequestText(runId))
  if (known) return known
  const found = findRequestedPolicy(read.request, treasury)
  if (found === undefined) throw new Refused('input.policy: treasury.json has no such policy')
  const { request } = read
  const run = newRun({
    runId,
    startedAt,
    entry: entryOf(execution),
    request,
    requestedPolicy: found,
    notAfter: startedAt,
  })
  return runs.open({ ...run, ...(fault !== undefined && { why: fault }) })
}

/** One sentence about a caught fault. Its cause is Lambda's JSON of the error, or a sentence from Step Functions. */
function faultText({ Error: error, Cause: cause }: NonNullable<SettleRunInput['fault']>): string {
  const { errorMessage: message = cause } = fieldsOf(findJson(cause))
  const text = `${error}${message === '' ? '' : `: ${String(message).slice(0, LONGEST_MESSAGE)}`}`
  return RETRIED.has(error) ? `a step failed each time that it was tried, the last time by ${text}` : text
}

/**
 * Ends a run whose execution was stopped or timed out before any leg was frozen: nothing of it moved, and nobody
 * continues it. Afterwards no list shows it as under way. A run with legs stays as it is, for its next entry or the
 * next run of its policy. Returns the outcome of the run.
 * @throws Transient when a step that still worked changed it; the event then comes again
 */
export async function endAborted(
  { detail: { name, status, stopDate } }: RunAborted,
  { runs }: RunPorts,
): Promise<{ readonly outcome: string; readonly runId: string }> {
  const runId = intentIdOf(name)
  const run = await runs.find(runId)
  if (run === undefined) return { outcome: 'NOT_RECORDED', runId }
  const isCarriedOn = run.entry > entryOf(name)
  if (run.outcome !== RUNNING || run.phases.length > 0 || isCarriedOn) return { outcome: run.outcome, runId }
  const why = `its execution ended ${status} before any leg was planned`
  const endedAt = new Date(stopDate).toISOString()
  const { outcome } = await runs.advance(run, { outcome: RunEnd.Failed, endedAt, why })
  return { outcome, runId }
}
