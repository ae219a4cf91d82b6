// Plays an insider who may write the records of runs, as one who has taken over PlanSweep. Once a plan waits for people, or has
// frozen its legs, he changes the record as completely as the product would write it. He cannot write requests of people, and
// has no key of decisions. Whatever moves must still be a row of the request, once, and approved where a rule wants it.
import { entryName } from '../../../core/contract/fields.ts'
import type { Plan, PlanLeg } from '../../../core/contract/plan.ts'
import { recordKey } from '../../../core/contract/records.ts'
import { RunEnd, type StartLeg } from '../../../core/contract/runs.ts'
import { Defect, Refused } from '../../../core/errors.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { hashPlan, hashPolicy } from '../../../core/planning/plan-hash.ts'
import { onceOf } from '../../../core/runs/plan/payments.ts'
import { firstPhase } from '../../../core/runs/plan/phases.ts'
import {
  fieldsOfRun,
  frozenLegs,
  legOf,
  legRequest,
  RUNNING,
  type RunRecord,
  runOfRecord,
} from '../../../core/runs/record/run-record.ts'
import { requestHashOf } from '../../../core/runs/record/runs.ts'
import { frozenCopy } from '../../helpers/frozen-copy.ts'

/** An hour later: for longer, a leg that waits for its key would not end. */
const laterThan = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString()

const FORGERIES = {
  amount: (run) => withLegs(run, (leg) => withAmount(leg, '90')),
  payee: (run) =>
    withLegs(run, (leg) => ({ ...leg, contactId: 'thief', request: { ...leg.request, contactId: 'thief' } })),
  'another row': (run) => withLegs(run, (leg, at) => ({ ...leg, once: onceOf(`forged-${at}`, 1) })),
  'another try': (run) =>
    withLegs(run, (leg) => ({ ...leg, once: leg.once?.replace(/\d+$/, (tries) => `${Number(tries) + 1}`) })),
  request(run) {
    const rows = run.request.rows?.map((row) => ({ ...row, amount: '90' }))
    const request = { ...run.request, ...(rows && { rows }) }
    return withLegs({ ...run, request, requestHash: requestHashOf(request) }, (leg) => withAmount(leg, '90'))
  },
  rule(run) {
    const { approval } = run.asPlanned
    const asPlanned = { ...run.asPlanned, ...(approval && { approval: { ...approval, above: '1000000' } }) }
    return unasked({ ...run, asPlanned, policyHash: hashPolicy(asPlanned) })
  },
  unasked: (run) => unasked(run),
  time: (run) => ({
    ...run,
    notAfter: laterThan(run.notAfter),
    ...(run.approval && { approval: { ...run.approval, expiresAt: laterThan(run.approval.expiresAt) } }),
  }),
} as const satisfies Readonly<Record<string, (run: RunRecord) => RunRecord>>

const STRIKES = ['as it waits', 'once legs are frozen'] as const

export interface RunForgery {
  readonly what: keyof typeof FORGERIES
  readonly when: (typeof STRIKES)[number]
}

export function drawRunForgery(pick: <T>(options: readonly T[]) => T): RunForgery | undefined {
  const what = pick(Object.keys(FORGERIES) as (keyof typeof FORGERIES)[])
  const when = pick(STRIKES)
  return pick([...Array<boolean>(7).fill(false), true]) ? { what, when } : undefined
}

export class RunInsider {
  readonly #records: Map<string, StoredRecord>
  readonly #forgery: RunForgery | undefined
  #struck: string | undefined
  isGone = false

  constructor(records: Map<string, StoredRecord>, forgery: RunForgery | undefined) {
    this.#records = records
    this.#forgery = forgery
  }

  /** Called with each record that was written. He strikes one run. */
  afterWrite(record: StoredRecord): void {
    if (this.#forgery === undefined || this.isGone || this.#struck !== undefined || !record.pk.startsWith('R#')) return
    const run = runOfRecord(record)
    const isNow = this.#forgery.when === 'as it waits' ? run.outcome === RunEnd.AwaitingApproval : run.phases.length > 0
    if (!isNow || run.plan === undefined) return
    this.#struck = run.runId
    const forged = FORGERIES[this.#forgery.what](run)
    this.#records.set(record.pk, frozenCopy({ ...record, ...fieldsOfRun(forged) } as StoredRecord))
  }

  /** The legs that PlanSweep answers with: those of his record, because he has taken it over. */
  legsOf(runId: string, legs: readonly StartLeg[], entry: number): readonly StartLeg[] {
    const record = this.#struck === runId ? this.#records.get(recordKey.run(runId)) : undefined
    if (record === undefined) return legs
    const run = runOfRecord(record)
    return frozenLegs(run).map((frozen) => ({
      name: entryName(frozen.intentId, entry),
      request: legRequest(run, legOf(run, frozen)),
    }))
  }

  /** Whether a step refused because of his change. */
  explains(error: unknown, runId: string | undefined): boolean {
    return runId !== undefined && this.hasStruck(runId) && (error instanceof Defect || error instanceof Refused)
  }

  hasStruck(runId: string): boolean {
    return this.#struck === runId
  }
}

function withAmount(leg: PlanLeg, amount: string): PlanLeg {
  return { ...leg, request: { ...leg.request, amount }, ...('total' in leg && { total: amount }) } as PlanLeg
}

/** Changes the legs in the plan and those that are frozen, with the hash that people would see. */
function withLegs(run: RunRecord, change: (leg: PlanLeg, at: number) => object): RunRecord {
  const plan = { ...run.plan, legs: run.plan?.legs.map((leg, at) => change(leg, at)) } as Plan
  const changed = { ...run, plan, phases: run.phases.length === 0 ? [] : [firstPhase(run.runId, plan)] }
  const { approval, policyHash, guardsHash = '' } = run
  if (approval === undefined) return changed
  const planHash = hashPlan(plan, { policyHash, guardsHash, expiresAt: approval.expiresAt })
  return { ...changed, approval: { ...approval, planHash } }
}

/** The run as if no rule had asked people. */
function unasked({ approval: _approval, basis: _basis, guardsHash: _hash, why: _why, ...run }: RunRecord): RunRecord {
  const phases = run.phases.length > 0 || run.plan === undefined ? run.phases : [firstPhase(run.runId, run.plan)]
  return { ...run, outcome: RUNNING, phases }
}
