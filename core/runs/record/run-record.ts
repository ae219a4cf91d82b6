// The record of one run of a policy: what was asked for, what was planned, which legs it froze, and how it
// ended. Pure, no store, no clock. Legs are frozen phase by phase, before any of them begins, and never change.
import { entryName } from '../../contract/fields.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { LISTED_KEY, listing } from '../../contract/records.ts'
import { RunEnd, type RunReport, type RunRequest, type SettledLeg } from '../../contract/runs.ts'
import { assertFormat } from '../../journal/record-format.ts'
import type { RecordFields, StoredRecord } from '../../journal/record-store.ts'

export interface FrozenLeg {
  readonly key: string
  readonly intentId: string
  /** Where it is not as the plan has it: a later phase, planned again from what the earlier ones brought. */
  readonly leg?: PlanLeg
}

/** Legs of a phase; none where it came to nothing, so that it stays so. */
export interface FrozenPhase {
  readonly phase: number
  readonly legs: readonly FrozenLeg[]
}

export interface Waiting {
  /** ISO-8601, service time: then it looks for the last time. */
  readonly until: string
  /** Waits so far. */
  readonly waits: number
  /** ISO-8601, service time: when it looks again. Absent in records of before this was kept. */
  readonly nextAt?: string
}

/** What became of a leg. */
export type LegResult = Omit<SettledLeg, 'leg' | 'intentId'>

/** The report as it stands, its legs kept once: `reportOfRun` puts them together again. */
export interface RunRecord extends Omit<RunReport, 'legs' | 'outcome' | 'endedAt' | 'why'> {
  readonly outcome: RunEnd | typeof RUNNING
  readonly version: number
  /** ISO-8601, service time where it was known. */
  readonly endedAt?: string | undefined
  readonly why?: string | undefined
  /** As asked for; `requestHash` guards it, without the trigger, which is for people. */
  readonly request: RunRequest
  readonly requestHash: string
  /** The execution that began it: 1, and 2 for `_2`. Raised where a run that ended without legs begins again. */
  readonly entry: number
  /** The execution that settled it last. */
  readonly settledBy?: number
  /** The policy as it was when the run began: its guards are those of the run's legs. */
  readonly asPlanned: Policy
  readonly policyHash: string
  /** ISO-8601, service time: nothing of the run is sent from then on. */
  readonly notAfter: string
  /** Of a run that found its policy taken, and waited for it. */
  readonly waiting?: Waiting | undefined
  readonly phases: readonly FrozenPhase[]
  /** By the intent's id. */
  readonly results: Readonly<Record<string, LegResult>>
  /** With a plan that waits for approval: what was spendable of each asset of its legs. */
  readonly basis?: Readonly<Record<string, string>>
  /** With it: of the deployment's guards that the approval covers. Its legs are sent under no others. */
  readonly guardsHash?: string
}

/** Changes of one move; the store adds version and stamp. */
export type RunMove = Partial<
  Pick<
    RunRecord,
    | 'outcome'
    | 'entry'
    | 'settledBy'
    | 'asPlanned'
    | 'policyHash'
    | 'notAfter'
    | 'waiting'
    | 'endedAt'
    | 'plan'
    | 'approval'
    | 'phases'
    | 'results'
    | 'basis'
    | 'guardsHash'
    | 'residues'
    | 'totalValueAfter'
    | 'tiesOut'
    | 'why'
  >
>

export const RUNNING = 'RUNNING' as const

/** Nothing is frozen any more by a run that is at an end, and its policy is free for another. */
export function isAtEnd({ outcome }: Pick<RunRecord, 'outcome'>): boolean {
  return outcome !== RUNNING && outcome !== RunEnd.AwaitingApproval
}

/** Names one life of a run as the holder of its policy: a run that begins again must take its policy again. */
export function holdingOf({ runId, entry }: Pick<RunRecord, 'runId' | 'entry'>): string {
  return entryName(runId, entry)
}

export function frozenPhase(run: RunRecord, phase: number): FrozenPhase | undefined {
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

const UNTOLD: LegResult = { outcome: RUNNING }

/** As it stands, or as it ended. */
export function reportOfRun(run: RunRecord): RunReport {
  const { runId, policy, kind, outcome, startedAt, results } = run
  const { trigger, endedAt, plan, approval, residues, totalValueAfter, tiesOut, why } = run
  return {
    ...{ outcome, runId, policy, kind, startedAt },
    ...(trigger && { trigger }),
    ...(endedAt && { endedAt }),
    ...(plan && { plan }),
    ...(approval && { approval }),
    legs: frozenLegs(run).map((frozen) => ({
      leg: legOf(run, frozen),
      intentId: frozen.intentId,
      ...(results[frozen.intentId] ?? UNTOLD),
    })),
    ...(residues && { residues }),
    ...(totalValueAfter !== undefined && { totalValueAfter }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(why !== undefined && { why }),
  }
}

/** What its record holds. */
export function fieldsOfRun(run: RunRecord): RecordFields {
  return { [LISTED_KEY]: listingOf(run), ...run }
}

/** In which list a run is: part of its own record, so that no second write can be lost. */
function listingOf(run: RunRecord): string {
  return isAtEnd(run) ? listing.runsOfPolicy(run.policy, run.startedAt.slice(0, 7)) : listing.openRuns
}

export function runOfRecord(record: StoredRecord): RunRecord {
  assertFormat(record)
  const { pk: _pk, stamp: _stamp, format: _format, [LISTED_KEY]: _listed, ...run } = record
  // Its key says which kind of record it is; runs.ts alone wrote it.
  return run as unknown as RunRecord
}
