// From a planned leg to the child execution that carries it out. Pure: the same leg of the same run is the
// same intent, however often the run is entered.
import { createHash } from 'node:crypto'
import { entryName } from '../../contract/fields.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import type { StartLeg } from '../../contract/runs.ts'
import { type FrozenLeg, legOf, type RunRecord } from './run-record.ts'

const INTENT_ID_DIGITS = 40

/** Hex: 160 bits of a hash, so that no two legs of any runs are taken for one. */
export function legIntentId(runId: string, key: string): string {
  return createHash('sha256').update(`${runId}\n${key}`).digest('hex').slice(0, INTENT_ID_DIGITS)
}

/** What the leg's intent is asked for: as planned, on behalf of the run, within its time. */
export function legRequest({ runId: run, policy, notAfter }: RunRecord, leg: PlanLeg): StartLeg['request'] {
  return { ...leg.request, policy, run, notAfter }
}

/** `entry`: of the run's execution, so that each execution starts children of its own for the same intents. */
export function startLeg(run: RunRecord, frozen: FrozenLeg, entry: number): StartLeg {
  return { name: entryName(frozen.intentId, entry), request: legRequest(run, legOf(run, frozen)) }
}

/** Counting from 1: the number behind the execution's name. */
export function entryOf(execution: string): number {
  const [, entry] = execution.split('_', 2)
  return entry === undefined ? 1 : Number(entry)
}
