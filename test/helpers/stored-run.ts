// A whole record of a run with one planned leg, for tests of the steps that read it.
import type { PlanLeg } from '../../core/contract/plan.ts'
import type { Policy } from '../../core/contract/policies.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { fieldsOfRun } from '../../core/runs/record/run-record.ts'

const STARTED_AT = '2026-01-01T00:00:00Z'

export interface RunOfOneLeg {
  readonly policy: string
  readonly asPlanned: Policy
  readonly notAfter: string
  readonly intentId: string
  readonly leg: PlanLeg
}

export function storedRun({ policy, asPlanned, notAfter, intentId, leg }: RunOfOneLeg): StoredRecord {
  const { kind } = asPlanned
  const plan = {
    ...{ policy, kind, takenAt: STARTED_AT, valuationAsset: 'USD', totalValue: '1000', turnover: leg.value },
    ...{ positions: [], legs: [leg], nonLegs: [], guards: [] },
  }
  const fields = fieldsOfRun({
    ...{ runId: 'run-1', policy, kind, outcome: 'RUNNING', startedAt: STARTED_AT, version: 1, entry: 1 },
    ...{ request: { policy }, requestHash: 'h', asPlanned, policyHash: 'h', notAfter, plan },
    phases: [{ phase: leg.phase, legs: [{ key: leg.key, intentId }] }],
    results: {},
  })
  return { ...fields, pk: 'R#run-1', format: 1, version: 1, stamp: 'planned' }
}
