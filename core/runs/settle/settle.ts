// Settles a run: finds the outcome of the run from what became of each leg, by the journal and the service. Of what the
// state machine passes on about legs, only the fault that it caught is shown. Settled again, a run has the same
// outcome, or a more certain one. A row that a run of another policy has frozen too is left to that run.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { outcomeText, shownOutcome } from '../../contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../contract/outcomes.ts'
import type { Plan } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import {
  MOST_LEGS_OF_SUMMARY,
  RunEnd,
  RunStep,
  type RunSummary,
  type SettleRunInput,
  type SettlesOn,
} from '../../contract/runs.ts'
import { readRunsOfRows } from '../plan/paid-alike.ts'
import { unreachedText } from '../plan/unreached.ts'
import type { RunPorts } from '../ports.ts'
import { distancesOf } from '../record/distances.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import {
  findPhase,
  frozenLegs,
  isAtEnd,
  type LegResult,
  legOf,
  type RunRecord,
  reportOfRun,
} from '../record/run-record.ts'
import { trimResults } from '../record/trimming.ts'
import { recount } from './breaker.ts'
import { correct, type End, endRun } from './end-run.ts'
import { readLegs, rememberedLate, rememberedOf, type SettledRun } from './remembered.ts'
import { isOnItsWay, type LegEnd } from './settle-leg.ts'
import { settledBalances } from './stranded-balances.ts'
import type { ValueAfter } from './value-after.ts'

const LONGEST_WHY = 500

interface Settling {
  readonly fault?: string | undefined
  /** Whether the fault is our own: a key, a permission, the configuration, a bug. */
  readonly isOwnFault?: boolean | undefined
  /** Number of the execution that settles the run. */
  readonly entry: number
  /** Who settles the run: the name of an execution. */
  readonly by: string
  /** Reads the value of the plan's assets; undefined where it is not known. Called once all legs are read. */
  readonly readValueAfter?: () => Promise<ValueAfter | undefined>
  /** Epoch ms: service time, if it could be read. */
  readonly nowMs: number
}

/**
 * A run with legs is settled again even after its end: a doubt may have been resolved. Where one call has no time for all legs,
 * the run has `settling`: enter again.
 * @throws Transient: enter again.
 * @throws Defect
 */
export async function settle(found: RunRecord, settling: Settling, ports: RunPorts): Promise<RunRecord> {
  const frozen = frozenLegs(found)
  if (isAtEnd(found) && frozen.length === 0) return found
  const { run, left } = await leaveRows(await closePhases(found, ports), ports)
  const why = settling.fault ?? 'the run ended before anything was sent for this leg'
  const read = await readLegs(run, { why, by: settling.by, left }, ports)
  if ('handedOver' in read) return read.handedOver
  const { legs } = read
  const totalValueAfter = await settling.readValueAfter?.()
  const endedAt = new Date(settling.nowMs).toISOString()
  const settled: SettledRun = { run, legs, stranded: settledBalances(run, legs) }
  const end = endOf(settled, { ...settling, totalValueAfter }, endedAt)
  const remembered = (memory: PolicyRecord) => rememberedOf(settled, endedAt, memory)
  // A leg in doubt may have become certain since the run was counted.
  const isOthers = settling.fault === undefined && isBegunByOthers(settled)
  const corrected = (memory: PolicyRecord) => correctionOf(settled, { outcome: end.outcome, isOthers }, memory)
  if (!isAtEnd(run)) return endRun({ run, end, remembered, corrected, isOthers }, ports)
  // The policy may have another holder now.
  const memory = await ports.policies.find(run.policy)
  await correct(memory, corrected(memory), ports)
  return ports.runs.advance(run, { ...end, endedAt: run.endedAt ?? endedAt })
}

/** Undefined where nothing changes. */
function correctionOf(
  settled: SettledRun,
  { outcome, isOthers }: { readonly outcome: RunEnd; readonly isOthers: boolean },
  memory: PolicyRecord,
): PolicyMove | undefined {
  const balances = rememberedLate(settled, memory)
  const count = recount(settled.run, outcome, memory, isOthers)
  return balances === undefined && count === undefined ? undefined : { ...balances, ...count }
}

/**
 * Freezes phases that were never frozen as empty. The policy's memory is counted before the run's end, so no other process of
 * the run may freeze a phase that was not counted. Writes nothing where all phases are frozen.
 */
async function closePhases(run: RunRecord, { runs }: RunPorts): Promise<RunRecord> {
  if (isAtEnd(run) || run.phases.length === 0) return run
  const planned = new Set(run.plan?.legs.map(({ phase }) => phase))
  const open = [...planned].filter((phase) => findPhase(run, phase) === undefined)
  if (open.length === 0) return run
  return runs.advance(run, { phases: [...run.phases, ...open.map((phase) => ({ phase, legs: [] }))] })
}

interface Ending extends Settling {
  readonly totalValueAfter: ValueAfter | undefined
}

function endOf({ run, legs, stranded }: SettledRun, settling: Ending, endedAt: string): End {
  const { fault, entry, totalValueAfter } = settling
  const outcome = outcomeOf(run.plan, legs, settling)
  const after = totalValueAfter?.(stranded ?? [])
  const distances = run.plan && after && distancesOf(run.plan, run.asPlanned, after)
  // A step that settles a run for another passes a fault. A run that settled fully shows no fault.
  const isWhole = outcome === RunEnd.Settled
  const isQuiet = isWhole && !legs.some(({ result }) => isOnItsWay(result))
  const off = outcome === RunEnd.OffTarget ? unreachedText(run.plan?.unreached ?? [], run.plan as Plan) : undefined
  const why = isQuiet ? undefined : (off ?? whyOf(run.plan, legs, isWhole ? undefined : fault))
  return {
    outcome,
    endedAt,
    settledBy: entry,
    settling: undefined,
    results: trimResults(Object.fromEntries(legs.map(({ frozen, result }) => [frozen.intentId, result]))),
    tiesOut: legs.every(({ tiesOut }) => tiesOut),
    ...(stranded && { residues: stranded }),
    ...(after !== undefined && { totalValueAfter: after.total }),
    ...(distances !== undefined && { distances }),
    why: why?.slice(0, LONGEST_WHY),
  }
}

function outcomeOf(plan: Plan | undefined, legs: readonly LegEnd[], { fault, isOwnFault = false }: Settling): RunEnd {
  const count = (kind: LegEnd['moved']) => legs.filter(({ moved }) => moved === kind).length
  if (count('unknown') > 0) return RunEnd.NeedsAttention
  const isWhole = count('whole') === legs.length && unbegunOf(plan, legs).length === 0
  if (isOwnFault && (legs.length === 0 || !isWhole)) return RunEnd.OwnFault
  if (legs.length === 0) return fault === undefined ? RunEnd.NothingMoved : RunEnd.Failed
  if (count('whole') + count('part') === 0) return legs.every(isGuarded) ? RunEnd.Guarded : RunEnd.NothingMoved
  if (!isWhole) return RunEnd.PartlySettled
  return plan?.unreached === undefined ? RunEnd.Settled : RunEnd.OffTarget
}

/** A guard that refuses has worked, whether it refused in the plan or right before the send. */
function isGuarded({ result: { conversion, withdrawal } }: LegEnd): boolean {
  return (conversion?.guardedBy ?? withdrawal?.guardedBy) !== undefined
}

/** Whether other runs have begun every row of the run, so that it had nothing of its own to move. */
function isBegunByOthers({ run: { plan }, legs }: SettledRun): boolean {
  const isEach = legs.every(({ result: { begunBy } }) => begunBy !== undefined)
  return legs.length > 0 && isEach && unbegunOf(plan, legs).length === 0
}

function unbegunOf(plan: Plan | undefined, legs: readonly LegEnd[]): Plan['legs'] {
  const begun = new Set(legs.map(({ leg }) => leg.key))
  return (plan?.legs ?? []).filter(({ key }) => !begun.has(key))
}

function whyOf(plan: Plan | undefined, legs: readonly LegEnd[], fault: string | undefined): string {
  const short = legs.filter(({ moved, result }) => moved !== 'whole' || isOnItsWay(result))
  const ends = short.map(
    ({ leg, result }) => `${leg.key}: ${outcomeText(shownOutcome(result))}${result.why ? ` (${result.why})` : ''}`,
  )
  const unbegun = unbegunOf(plan, legs).map(({ key }) => `${key} was not begun`)
  const parts = [...(fault === undefined ? [] : [fault]), ...ends, ...unbegun]
  return parts.length === 0 ? 'no leg was begun' : parts.join('; ')
}

/** The answer while legs are left to read. The machine enters SettleRun again with it, so it repeats the caught fault. */
export function settlesOn(run: RunRecord, fault: SettleRunInput['fault']): SettlesOn {
  const { runId, policy, kind, settling } = run
  const read = { legsRead: settling?.legs.length ?? 0, legsInAll: frozenLegs(run).length }
  return { outcome: RunStep.Settle, runId, policy, kind, legs: [], ...read, ...fault }
}

/** The report as a state machine carries it: without the plan and the evidence, which may be too large. */
export function summaryOf(run: RunRecord): RunSummary {
  const { outcome, runId, policy, kind, why, tiesOut, tripped, legs } = reportOfRun(run)
  return {
    outcome,
    runId,
    policy,
    kind,
    ...(why !== undefined && { why }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(tripped !== undefined && { tripped }),
    ...shortLegs(legs.map(({ leg, intentId, outcome: ended }) => ({ key: leg.key, intentId, outcome: ended }))),
  }
}

const MOVED_WHOLE: ReadonlySet<string> = new Set([ConvertEnd.Filled, WithdrawEnd.Completed])

/** All legs, or of a long run those that people look for. The journal has all of them. */
function shortLegs(legs: RunSummary['legs']): Pick<RunSummary, 'legs' | 'legsInAll'> {
  if (legs.length <= MOST_LEGS_OF_SUMMARY) return { legs }
  const short = legs.filter(({ outcome }) => !MOVED_WHOLE.has(outcome)).slice(0, MOST_LEGS_OF_SUMMARY)
  return { legs: short, legsInAll: legs.length }
}
/** By intent id: the run that has the row too. */
type Rivals = ReadonlyMap<string, RunRecord>

interface Leaving {
  readonly run: RunRecord
  /** By intent id: the results of the rows that another run still pays. */
  readonly left: ReadonlyMap<string, LegResult>
}

/** @throws Transient, Defect */
async function leaveRows(run: RunRecord, ports: RunPorts): Promise<Leaving> {
  const unbegun = await unbegunByRivals(await findRivals(run, ports), ports)
  const isSaid = [...unbegun.keys()].every((intentId) => run.results[intentId]?.begunBy !== undefined)
  if (unbegun.size === 0) return { run, left: unbegun }
  const results = { ...run.results, ...Object.fromEntries(unbegun) }
  const said = isSaid ? run : await ports.runs.advance(run, { results })
  // Read after the write: of two runs that leave a row to each other, at least one sees it and closes the intent.
  const rivals = await findRivals(said, ports)
  return { run: said, left: new Map([...unbegun].filter(([intentId]) => rivals.has(intentId))) }
}

/** The open runs of other policies that have frozen a row of this run, and have not left it to another run. */
async function findRivals(run: RunRecord, ports: RunPorts): Promise<Rivals> {
  const legs = frozenLegs(run).filter((frozen) => legOf(run, frozen).once !== undefined)
  const rows = new Set(legs.map(({ intentId }) => intentId))
  if (rows.size === 0) return new Map()
  const open = (await readRunsOfRows(ports)).filter((other) => other.runId !== run.runId && !isAtEnd(other))
  return new Map(
    open.flatMap((other) =>
      frozenLegs(other)
        .filter(({ intentId }) => rows.has(intentId) && other.results[intentId]?.begunBy === undefined)
        .map(({ intentId }) => [intentId, other] as const),
    ),
  )
}

async function unbegunByRivals(rivals: Rivals, { journal }: RunPorts): Promise<ReadonlyMap<string, LegResult>> {
  const found = await mapBounded([...rivals], READS_AT_ONCE, async ([intentId, { runId, policy }]) => {
    if ((await journal.find(intentId, IntentKind.Withdraw)) !== undefined) return []
    const why = `run ${runId} of policy ${policy} has this row too, and pays it`
    return [[intentId, { outcome: WithdrawEnd.Exhausted, begunBy: runId, why }] as const]
  })
  return new Map(found.flat())
}
