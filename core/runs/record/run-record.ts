// The record of one run of a policy: what was asked for, what was planned, which legs it froze, and how it ended. Owns
// its shape, and what follows from it alone: who it is as a holder, the requests of its legs, its report. Pure, no
// store, no clock. Legs are frozen phase by phase, before any of them begins, and never change.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { amountText, entryName, intentId, isoTime } from '../../contract/fields.ts'
import { type PlanLeg, planLeg } from '../../contract/plan.ts'
import { policy } from '../../contract/policies.ts'
import { AskedList, LISTED_KEY, listing, recordKey } from '../../contract/records.ts'
import { RunEnd, type RunReport, runReport, runRequest, type StartLeg, settledLeg } from '../../contract/runs.ts'
import { Defect } from '../../errors.ts'
import { askedKeys } from '../../journal/asked-keys.ts'
import { readFields } from '../../journal/record-format.ts'
import type { RecordFields, StoredRecord } from '../../journal/record-store.ts'

export const RUNNING = 'RUNNING' as const

const count = z.int().check(z.gte(0))

const frozenLeg = z.object({
  key: z.string(),
  intentId,
  /** Where it is not as the plan has it: a later phase, planned again from what the earlier ones brought. */
  leg: z.optional(planLeg),
})
export type FrozenLeg = z.infer<typeof frozenLeg>

/** Legs of a phase; none where it came to nothing, so that it stays so. */
const frozenPhase = z.object({ phase: z.int(), legs: z.readonly(z.array(frozenLeg)) })
export type FrozenPhase = z.infer<typeof frozenPhase>

const waiting = z.object({
  /** Service time: then it looks for the last time. */
  until: isoTime,
  /** Waits so far. */
  waits: count,
  /** Service time: when it looks again. */
  nextAt: isoTime,
})

/** What became of a leg. */
const legResult = z.omit(settledLeg, { leg: true, intentId: true })
export type LegResult = z.infer<typeof legResult>

/** The report as it stands, its legs kept once: `reportOfRun` puts them together again. */
const runRecord = z.readonly(
  z.extend(z.omit(runReport, { legs: true }), {
    outcome: z.enum({ ...RunEnd, Running: RUNNING }),
    version: count,
    /** As asked for; `requestHash` guards it, without the trigger, which is for people. */
    request: runRequest,
    requestHash: z.string(),
    /** The execution that began it: 1, and 2 for `_2`. Raised where a run that ended without legs begins again. */
    entry: count,
    /** The execution that settled it last. */
    settledBy: z.optional(count),
    /** The policy as it was when the run began: its guards are those of the run's legs. */
    asPlanned: policy,
    policyHash: z.string(),
    /** Service time: nothing of the run is sent from then on. */
    notAfter: isoTime,
    /** Of a run that found its policy taken, and waited for it. */
    waiting: z.optional(waiting),
    phases: z.readonly(z.array(frozenPhase)),
    /** By the intent's id. */
    results: z.readonly(z.record(z.string(), legResult)),
    /** The approval snapshot, with a plan that waits for approval: what was spendable of each asset of its legs. */
    basis: z.optional(z.record(z.string(), amountText)),
    /** With it: of the deployment's guards that the approval covers. Its legs are sent under no others. */
    guardsHash: z.optional(z.string()),
  }),
)
export type RunRecord = z.infer<typeof runRecord>

/** What a run is from its first record on. */
type Fixed = 'runId' | 'policy' | 'kind' | 'trigger' | 'startedAt' | 'request' | 'requestHash'

/** Changes of one move; the store adds version and stamp. */
export type RunMove = Partial<Omit<RunRecord, Fixed | 'version'>>

/** A fault of ours ended it before any leg was frozen: a later entry plans it anew, under the same id. */
export function isUnbegun({ outcome, phases }: Pick<RunRecord, 'outcome' | 'phases'>): boolean {
  return outcome === RunEnd.OwnFault && phases.length === 0
}

/** Ends after which a later entry plans anew. SHADOWED is among them, so that a run in shadow mode does not use up its id. */
const MAY_BEGIN_AGAIN: ReadonlySet<string> = new Set([
  RunEnd.Shadowed,
  RunEnd.Halted,
  RunEnd.Guarded,
  RunEnd.AlreadyRunning,
  RunEnd.Failed,
  RunEnd.OwnFault,
])

/** It ended and never had legs: a later entry may plan it anew. */
export function mayBeginAgain({ outcome, phases }: Pick<RunRecord, 'outcome' | 'phases'>): boolean {
  return phases.length === 0 && MAY_BEGIN_AGAIN.has(outcome)
}

/** Nothing is frozen any more by a run that is at an end, and its policy is free for another. */
export function isAtEnd({ outcome }: Pick<RunRecord, 'outcome'>): boolean {
  return outcome !== RUNNING && outcome !== RunEnd.AwaitingApproval
}

/** Names one life of a run as the holder of its policy: a run that begins again must take its policy again. */
export function holdingOf({ runId, entry }: Pick<RunRecord, 'runId' | 'entry'>): string {
  return entryName(runId, entry)
}

export function findPhase(run: RunRecord, phase: number): FrozenPhase | undefined {
  return run.phases.find((frozen) => frozen.phase === phase)
}

export function frozenLegs(run: RunRecord): FrozenLeg[] {
  return run.phases.flatMap(({ legs }) => legs)
}

/** The leg as it was frozen. @throws TypeError for one of another run: a programming error */
export function legOf(run: RunRecord, { key, leg }: FrozenLeg): PlanLeg {
  const planned = leg ?? run.plan?.legs.find((each) => each.key === key)
  if (planned === undefined) throw new TypeError(`run ${run.runId} has no leg ${key}`)
  return planned
}

/** Every asset that one of the legs gives or brings, each once. */
export function assetsOf(legs: readonly PlanLeg[]): string[] {
  return [...new Set(legs.flatMap((leg) => ('gives' in leg ? [leg.gives.asset, leg.brings.asset] : [leg.assetSymbol])))]
}

const INTENT_ID_DIGITS = 40

/**
 * The intent of a leg: the same leg of the same run is the same intent, however often the run is entered. Hex, 160 bits
 * of a hash, so that no two legs of any runs are taken for one.
 */
export function legIntentId(runId: string, key: string): string {
  return createHash('sha256').update(`${runId}\n${key}`).digest('hex').slice(0, INTENT_ID_DIGITS)
}

/** What the leg's intent is asked for: as planned, on behalf of the run, within its time. */
export function legRequest({ runId: run, policy: name, notAfter }: RunRecord, leg: PlanLeg): StartLeg['request'] {
  return { ...leg.request, policy: name, run, notAfter }
}

const UNTOLD: LegResult = { outcome: RUNNING }

/** As it stands, or as it ended. */
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
      ...(run.results[frozen.intentId] ?? UNTOLD),
    })),
    ...(residues && { residues }),
    ...(totalValueAfter !== undefined && { totalValueAfter }),
    ...(distances && { distances }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(tripped && { tripped }),
    ...(why !== undefined && { why }),
  }
}

/** What its record holds. */
export function fieldsOfRun(run: RunRecord): RecordFields {
  const { startedAt, runId } = run
  return { [LISTED_KEY]: listingOf(run), ...askedKeys(AskedList.Run, startedAt, recordKey.run(runId)), ...run }
}

/** In which list a run is: part of its own record, so that no second write can be lost. */
function listingOf(run: RunRecord): string {
  // One without legs has nothing to be settled by: what a rebuild has closed stays so.
  if (run.outcome === RunEnd.NeedsAttention && run.phases.length > 0) return listing.runsInNeed
  return isAtEnd(run) ? listing.runsOfPolicy(run.policy, run.startedAt.slice(0, 7)) : listing.openRuns
}

/** @throws Defect for a record that does not fit, that is of another run, or that is of a format that this release does not know */
export function runOfRecord(record: StoredRecord): RunRecord {
  const run = readFields(runRecord, record)
  if (record.pk !== recordKey.run(run.runId)) throw new Defect(`the record ${record.pk} holds another run`)
  return run
}
