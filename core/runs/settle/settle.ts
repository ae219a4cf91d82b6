// Settles a run: every leg as the journal and the service have it, the outcome that follows, and what the policy
// remembers. Nothing that a state machine passed on is trusted. Entered again it says the same, or knows more.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { Plan } from '../../contract/plan.ts'
import { type Residue, RunEnd, type RunSummary } from '../../contract/runs.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { frozenLegs, frozenPhase, isAtEnd, type RunRecord, reportOfRun } from '../record/run-record.ts'
import { fitResults } from '../record/trimming.ts'
import { correct, type End, endRun } from './end-run.ts'
import { isCertain, rememberedOf } from './remembered.ts'
import { type LegEnd, settleLeg } from './settle-leg.ts'
import { rememberedLate, settledResidues } from './stranded-balances.ts'
import type { ValueAfter } from './value-after.ts'

const LONGEST_WHY = 500

export interface Settling {
  /** What stopped the run, where something did. */
  readonly fault?: string | undefined
  /** Of the execution that settles it. */
  readonly entry: number
  /** What the assets of the plan are worth now; undefined where nobody can tell. */
  readonly totalValueAfter: ValueAfter | undefined
  /** Epoch ms: service time, as far as it is known. */
  readonly nowMs: number
}

/**
 * A run that is at an end is settled anew where it has legs: a doubt may have been resolved.
 * @throws Transient: enter again. @throws Defect
 */
export async function settle(found: RunRecord, settling: Settling, ports: RunPorts): Promise<RunRecord> {
  const frozen = frozenLegs(found)
  if (isAtEnd(found) && frozen.length === 0) return found
  const run = await closePhases(found, ports)
  const closing = settling.fault ?? 'the run ended before anything was sent for this leg'
  const legs = await mapBounded(frozen, READS_AT_ONCE, (leg) => settleLeg(run, leg, closing, ports))
  const endedAt = new Date(settling.nowMs).toISOString()
  const residues = settledResidues(run, legs)
  const end = endOf(run, legs, residues, settling, endedAt)
  const remembered = (memory: PolicyRecord) => rememberedOf(run, legs, residues, endedAt, memory)
  // A leg in doubt may have turned out to be a zero since the run was counted.
  const late = (memory: PolicyRecord) => rememberedLate(run, residues, isCertain(legs), memory)
  if (!isAtEnd(run)) return endRun(run, end, remembered, ports, undefined, late)
  // The policy may be another run's by now.
  const memory = await ports.policies.find(run.policy)
  await correct(memory, late(memory), ports)
  return ports.runs.advance(run, { ...end, endedAt: run.endedAt ?? endedAt })
}

/**
 * What its policy remembers is counted before a run's end. Phases that were never frozen are frozen to nothing before
 * that, so that no other process of the run freezes one that was not counted. No write where there are none.
 */
async function closePhases(run: RunRecord, { runs }: Pick<RunPorts, 'runs'>): Promise<RunRecord> {
  if (isAtEnd(run) || run.phases.length === 0) return run
  const planned = new Set(run.plan?.legs.map(({ phase }) => phase))
  const open = [...planned].filter((phase) => frozenPhase(run, phase) === undefined)
  if (open.length === 0) return run
  return runs.advance(run, { phases: [...run.phases, ...open.map((phase) => ({ phase, legs: [] }))] })
}

function endOf(
  run: RunRecord,
  legs: readonly LegEnd[],
  residues: Residue[] | undefined,
  { fault, entry, totalValueAfter }: Settling,
  endedAt: string,
): End {
  const outcome = outcomeOf(run.plan, legs, fault)
  const valueAfter = totalValueAfter?.(residues ?? [])
  const why = whyOf(outcome, run.plan, legs, fault)
  return {
    ...{ outcome, endedAt, settledBy: entry },
    results: fitResults(Object.fromEntries(legs.map(({ frozen, result }) => [frozen.intentId, result]))),
    tiesOut: legs.every(({ tiesOut }) => tiesOut),
    ...(residues && { residues }),
    ...(valueAfter !== undefined && { totalValueAfter: valueAfter }),
    why: why?.slice(0, LONGEST_WHY),
  }
}

/** `unbegun`: legs of later phases that were planned and came to nothing. */
function outcomeOf(plan: Plan | undefined, legs: readonly LegEnd[], fault: string | undefined): RunEnd {
  const count = (wanted: LegEnd['moved']) => legs.filter(({ moved }) => moved === wanted).length
  if (legs.length === 0) return fault === undefined ? RunEnd.NothingMoved : RunEnd.Failed
  if (count('unknown') > 0) return RunEnd.NeedsAttention
  if (count('whole') + count('part') === 0) return legs.every(isGuarded) ? RunEnd.Guarded : RunEnd.NothingMoved
  const isWhole = count('whole') === legs.length && unbegunOf(plan, legs).length === 0
  return isWhole ? RunEnd.Settled : RunEnd.PartlySettled
}

/** A guard that refuses has worked: whether it knew when the run was planned or right before the send is the same. */
function isGuarded({ result: { conversion, withdrawal } }: LegEnd): boolean {
  return (conversion?.guardedBy ?? withdrawal?.guardedBy) !== undefined
}

function unbegunOf(plan: Plan | undefined, legs: readonly LegEnd[]): Plan['legs'] {
  const begun = new Set(legs.map(({ leg }) => leg.key))
  return (plan?.legs ?? []).filter(({ key }) => !begun.has(key))
}

function whyOf(
  outcome: RunEnd,
  plan: Plan | undefined,
  legs: readonly LegEnd[],
  fault: string | undefined,
): string | undefined {
  if (outcome === RunEnd.Settled) return undefined
  const short = legs.filter(({ moved }) => moved !== 'whole')
  const told = short.map(({ leg, result }) => `${leg.key} is ${result.outcome}${result.why ? ` (${result.why})` : ''}`)
  const unbegun = unbegunOf(plan, legs).map(({ key }) => `${key} was not begun`)
  const parts = [...(fault === undefined ? [] : [fault]), ...told, ...unbegun]
  return parts.length === 0 ? 'no leg was begun' : parts.join('; ')
}

/** What a state machine may carry: without the plan and the evidence, which may not fit. */
export function summaryOf(run: RunRecord): RunSummary {
  const { outcome, runId, policy, kind, why, tiesOut, legs } = reportOfRun(run)
  return {
    ...{ outcome, runId, policy, kind },
    ...(why !== undefined && { why }),
    ...(tiesOut !== undefined && { tiesOut }),
    legs: legs.map(({ leg, intentId, outcome: ended }) => ({ key: leg.key, intentId, outcome: ended })),
  }
}
