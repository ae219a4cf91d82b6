// State SettleRun: what became of a run, by the journal and the service. The last word on it, also where a step
// failed for good. Moves no money, and closes what nobody will send any more.
import { intentIdOf } from '../../core/contract/fields.ts'
import { RunEnd, type RunSummary, type SettleRunInput } from '../../core/contract/runs.ts'
import { Refused } from '../../core/errors.ts'
import { serviceTimeMs } from '../../core/runs/plan/service-time.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import { entryOf } from '../../core/runs/record/legs.ts'
import { findAsked, readRequest } from '../../core/runs/record/request.ts'
import { RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { isSameRequest, otherRequestText } from '../../core/runs/record/runs.ts'
import { settle, summaryOf } from '../../core/runs/settle/settle.ts'
import { readValueAfter } from '../../core/runs/settle/value-after.ts'
import { faultText } from './fault.ts'

/** @throws Refused for a request that names no policy: nothing of it is in the journal. @throws Transient, Defect */
export async function settleRun(input: SettleRunInput, ports: RunPorts): Promise<RunSummary> {
  const caught = input.fault && faultText(input.fault)
  const run = await findRun(input, caught, ports)
  const fault = caught !== undefined && run.phases.length === 0 ? `no legs were planned: ${caught}` : caught
  // A run that waits for a person goes on waiting: no leg of it has begun.
  if (run.outcome === RunEnd.AwaitingApproval) {
    return { ...summaryOf(run), outcome: RunEnd.Failed, ...(fault !== undefined && { why: fault }) }
  }
  const nowMs = await serviceTimeMs(input.startedAt, ports)
  const totalValueAfter = run.phases.length > 0 ? await readValueAfter(run, ports) : undefined
  return summaryOf(await settle(run, { fault, entry: entryOf(input.execution), totalValueAfter, nowMs }, ports))
}

/** A fault may have come before there was a record: then the run is recorded as failed, so that people find it. */
async function findRun(
  { execution, startedAt, request: asked }: SettleRunInput,
  fault: string | undefined,
  { runs, treasury }: RunPorts,
): Promise<RunRecord> {
  const runId = intentIdOf(execution)
  const read = readRequest(asked)
  if ('wrong' in read) throw new Refused(read.wrong)
  const known = await runs.find(runId)
  if (known && !isSameRequest(known, read.request)) throw new Refused(otherRequestText(runId))
  if (known) return known
  const found = findAsked(read.request, treasury)
  if (found === undefined) throw new Refused('input.policy: treasury.json has no such policy')
  const { name, policy, policyHash } = found
  return runs.open({
    ...{ outcome: RUNNING, runId, policy: name, kind: policy.kind, startedAt, entry: entryOf(execution) },
    ...(read.request.trigger && { trigger: read.request.trigger }),
    ...{ request: read.request, asPlanned: policy, policyHash, notAfter: startedAt },
    ...(fault !== undefined && { why: fault }),
  })
}
