// Owns the record of one run of a policy: the request, the plan, the frozen legs, and the end. Owns the record's form, and what
// follows from it alone: its name as a holder, the requests of its legs, its report. Pure, without a store or a clock. Legs are
// frozen phase by phase, before any leg of the phase begins, and never change.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { amountText, entryName, intentId, isoTime } from '../../contract/fields.ts'
import { type PlanLeg, planLeg } from '../../contract/plan.ts'
import { policy } from '../../contract/policies.ts'
import { LISTED_KEY, listing, RequestList, recordKey } from '../../contract/records.ts'
import { RunEnd, type RunReport, runReport, runRequest, type StartLeg, settledLeg } from '../../contract/runs.ts'
import { Defect } from '../../errors.ts'
import { readFields } from '../../journal/record-format.ts'
import type { RecordFields, StoredRecord } from '../../journal/record-store.ts'
import { requestKeys } from '../../journal/request-keys.ts'

export const RUNNING = 'RUNNING' as const

const count = z.int().check(z.gte(0))

const frozenLeg = z.object({
  key: z.string(),
  intentId,
  /** The leg, if it differs from the plan: a later phase is planned again, from what the earlier phases brought. */
  leg: z.optional(planLeg),
})
export type FrozenLeg = z.infer<typeof frozenLeg>

/** The legs of a phase. An empty phase is kept too, so that it stays empty. */
const frozenPhase = z.object({ phase: z.int(), legs: z.readonly(z.array(frozenLeg)) })
export type FrozenPhase = z.infer<typeof frozenPhase>

const waiting = z.object({
  /** Service time of the last try. */
  until: isoTime,
  waits: count,
  /** Service time of the next try. */
  nextAt: isoTime,
})

/** How much of a leg has certainly moved. */
const moved = z.enum(['whole', 'part', 'nothing', 'unknown'])
export type Moved = z.infer<typeof moved>

/** The legs that calls have read so far, where one call has no time for all legs of the run. Their results are in `results`. */
const settling = z.object({
  /** Who settles the run: the execution, or the run that ends it. */
  by: z.string(),
  legs: z.readonly(z.array(z.object({ intentId, moved, tiesOut: z.boolean(), isFinal: z.boolean() }))),
})

const legResult = z.omit(settledLeg, { leg: true, intentId: true })
export type LegResult = z.infer<typeof legResult>

/** The report so far, with each leg stored once: `reportOfRun` puts it together again. */
export const runRecord = z.readonly(
  z.extend(z.omit(runReport, { legs: true }), {
    outcome: z.enum({ ...RunEnd, Running: RUNNING }),
    version: count,
    /** The request; `requestHash` guards it, except for the trigger, which only people read. */
    request: runRequest,
    requestHash: z.string(),
    /** The execution that began the run: 1, and 2 for `_2`. Raised where a run that ended without legs begins again. */
    entry: count,
    /** The execution that settled it last. */
    settledBy: z.optional(count),
    /** The policy when the run began: its guards apply to the run's legs. */
    asPlanned: policy,
    policyHash: z.string(),
    /** Service time from which on the run sends nothing. */
    notAfter: isoTime,
    /** Present for a run that found its policy held, and waited. */
    waiting: z.optional(waiting),
    phases: z.readonly(z.array(frozenPhase)),
    /** Present until the run is settled. */
    settling: z.optional(settling),
    /** By intent id. */
    results: z.readonly(z.record(z.string(), legResult)),
    /** The approval snapshot of a plan that waits for approval: the spendable balance of each asset of its legs. */
    basis: z.optional(z.record(z.string(), amountText)),
    /** Hash of the deployment's guards that the approval covers: the legs are sent under no other guards. */
    guardsHash: z.optional(z.string()),
  }),
)
export type RunRecord = z.infer<typeof runRecord>

/** Fields that never change after the first record. */
type Fixed = 'runId' | 'policy' | 'trigger' | 'startedAt' | 'request' | 'requestHash'

/** The changes of one move; the store adds version and stamp. */
export type RunMove = Partial<Omit<RunRecord, Fixed | 'version'>>

/** Whether our own fault ended it before any leg was frozen: a later entry plans it anew, under the same id. */
export function isUnbegun({ outcome, phases }: RunRecord): boolean {
  return outcome === RunEnd.OwnFault && phases.length === 0
}

/** Ends after which a later entry plans anew. With SHADOWED among them, a run in shadow mode does not use up its id. */
const MAY_BEGIN_AGAIN: ReadonlySet<string> = new Set([
  RunEnd.Shadowed,
  RunEnd.Halted,
  RunEnd.Guarded,
  RunEnd.AlreadyRunning,
  RunEnd.Failed,
  RunEnd.OwnFault,
])

/** Whether it ended without legs, so that a later entry may plan it anew. */
export function mayBeginAgain({ outcome, phases }: RunRecord): boolean {
  return phases.length === 0 && MAY_BEGIN_AGAIN.has(outcome)
}

/** Whether the run has ended: then it freezes nothing more, and its policy is free. */
export function isAtEnd({ outcome }: Pick<RunRecord, 'outcome'>): boolean {
  return outcome !== RUNNING && outcome !== RunEnd.AwaitingApproval
}

/** Whether a person asked only for its plan: it moves nothing, even where its policy is live. */
export function isPlanOnly({ request }: Pick<RunRecord, 'request'>): boolean {
  return request.shadow === true
}

/** Whether it plans and reports, and moves nothing: by its request, or by the mode of its policy. */
export function isShadow({ request, asPlanned }: Pick<RunRecord, 'request' | 'asPlanned'>): boolean {
  return isPlanOnly({ request }) || asPlanned.mode === 'shadow'
}

/** The name of one life of a run as the holder of its policy: a run that begins again must take its policy again. */
export function holdingOf({ runId, entry }: Pick<RunRecord, 'runId' | 'entry'>): string {
  return entryName(runId, entry)
}

export function findPhase(run: RunRecord, phase: number): FrozenPhase | undefined {
  return run.phases.find((frozen) => frozen.phase === phase)
}

export function frozenLegs(run: RunRecord): FrozenLeg[] {
  return run.phases.flatMap(({ legs }) => legs)
}

/** The leg as it was frozen. @throws TypeError for a leg of another run, which is a programming error */
export function legOf(run: RunRecord, { key, leg }: FrozenLeg): PlanLeg {
  const planned = leg ?? (run.plan && plannedLegs(run.plan.legs).get(key))
  if (planned === undefined) throw new TypeError(`run ${run.runId} has no leg ${key}`)
  return planned
}

/** Legs by key, by the list of a plan: a run of thousands of legs looks for each of them. */
const LEGS_BY_KEY = new WeakMap<readonly PlanLeg[], ReadonlyMap<string, PlanLeg>>()

function plannedLegs(legs: readonly PlanLeg[]): ReadonlyMap<string, PlanLeg> {
  const known = LEGS_BY_KEY.get(legs)
  if (known !== undefined) return known
  const byKey = new Map(legs.map((leg) => [leg.key, leg]))
  LEGS_BY_KEY.set(legs, byKey)
  return byKey
}

/** All assets that the legs sell, withdraw or bring, each once. */
export function assetsOf(legs: readonly PlanLeg[]): string[] {
  return [...new Set(legs.flatMap((leg) => ('gives' in leg ? [leg.gives.asset, leg.brings.asset] : [leg.assetSymbol])))]
}

const INTENT_ID_DIGITS = 40

/**
 * The intent id of a leg: the same leg of the same run has the same id, however often the run is entered. Hex, 160 bits of a
 * hash, so that no two legs of any runs share an id. A leg with `once` has the same id in every run: a key has no slash, so
 * its id is no other leg's.
 */
export function legIntentId(runId: string, { key, once }: Pick<PlanLeg, 'key' | 'once'>): string {
  return onceIntentId(once ?? `${runId}\n${key}`)
}

/** The id of the intent of a leg with this `once`. */
export function onceIntentId(once: string): string {
  return createHash('sha256').update(once).digest('hex').slice(0, INTENT_ID_DIGITS)
}

/** The request of a leg's intent: as planned, on behalf of the run, within the run's time. */
export function legRequest({ runId: run, policy: name, notAfter }: RunRecord, leg: PlanLeg): StartLeg['request'] {
  return { ...leg.request, policy: name, run, notAfter }
}

const UNREPORTED: LegResult = { outcome: RUNNING }

export function reportOfRun(run: RunRecord): RunReport {
  const { trigger, endedAt, plan, approval, residues, totalValueAfter, distances, tiesOut, tripped, why } = run
  return {
    outcome: run.outcome,
    runId: run.runId,
    policy: run.policy,
    kind: run.kind,
    startedAt: run.startedAt,
    ...(trigger && { trigger }),
    ...(endedAt && { endedAt }),
    ...(plan && { plan }),
    ...(approval && { approval }),
    legs: frozenLegs(run).map((frozen) => ({
      leg: legOf(run, frozen),
      intentId: frozen.intentId,
      ...(run.results[frozen.intentId] ?? UNREPORTED),
    })),
    ...(residues && { residues }),
    ...(totalValueAfter !== undefined && { totalValueAfter }),
    ...(distances && { distances }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(tripped && { tripped }),
    ...(why !== undefined && { why }),
  }
}

/** All fields of the run's stored record, with its keys in lists. */
export function fieldsOfRun(run: RunRecord): RecordFields {
  const { startedAt, runId } = run
  return { [LISTED_KEY]: listingOf(run), ...requestKeys(RequestList.Run, startedAt, recordKey.run(runId)), ...run }
}

/** The list that holds the run. It is a field of the run's own record, so no second write can be lost. */
function listingOf(run: RunRecord): string {
  // A run without legs has nothing to settle: one that a rebuild has closed stays closed.
  if (run.outcome === RunEnd.NeedsAttention && run.phases.length > 0) return listing.runsInNeed
  return isAtEnd(run) ? listing.runsOfPolicy(run.policy, run.startedAt.slice(0, 7)) : listing.openRuns
}

/** @throws Defect for a record with wrong fields, of another run, or in a format that this release does not know */
export function runOfRecord(record: StoredRecord): RunRecord {
  const run = readFields(runRecord, record)
  if (record.pk !== recordKey.run(run.runId)) throw new Defect(`the record ${record.pk} holds another run`)
  return run
}
