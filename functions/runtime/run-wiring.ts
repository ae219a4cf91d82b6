// Builds the ports of the steps of a run: records, reads of the service, treasury.json. Measures a call about a run;
// separate from figures.ts, so that steps that move money do not load plans.
import { secondsSince, systemClock } from '../../core/clock.ts'
import { NonLegCode, type Plan } from '../../core/contract/plan.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { createIntentIndex } from '../../core/journal/intent-index.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createPages } from '../../core/journal/pages.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import { trackingErrorBps } from '../../core/planning/figures.ts'
import { createDecisionReader } from '../../core/runs/approval/decisions.ts'
import { createRequesterReader } from '../../core/runs/approval/requesters.ts'
import { createRunBudgets } from '../../core/runs/plan/limits.ts'
import type { RunPorts, RunService } from '../../core/runs/ports.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../core/runs/record/runs.ts'
import { unlessNotFound } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { newId, wireDecisionKey, wireListed, wireReadingClient } from './clients.ts'
import { readTreasuryFile } from './deployed-configuration.ts'
import { figure, MOVED, measured, policyDimension, round } from './figures.ts'
import { logTrip, type Measured } from './log.ts'
import { type Answer, currentCall } from './observation.ts'
import { withdrawalReads } from './withdrawal-ports.ts'

/**
 * Limits of repeated reads for planners, in milliseconds. A plan needs tens or hundreds of reads, and a failed read
 * repeats them all. No quote expires meanwhile, so planners can retry longer. Waits of at most 0.2 + 0.4 + 0.8 + 1.6 +
 * 2 + 2 = 7 s.
 */
export const RUN_READ_LIMITS = { deadlineMs: 20_000, attempts: 7 }

/** Reduces the service client to the reads that steps of a run need. */
export function runReads(client: ServiceClient): RunService {
  const { ledgerOf, walkLedger, balanceBefore, findCompletedLike } = withdrawalReads(client)
  return {
    ...client,
    ledgerOf,
    walkLedger,
    balanceBefore,
    findCompletedLike,
    findContact: (contactId) => unlessNotFound(client.contact(contactId)),
  }
}

/**
 * Milliseconds after which a call begins no further reads about a long run. What it has begun then takes at most two minutes,
 * and its function lives for 240 s.
 */
const MOST_MS_OF_READS = 90_000

/** The ports of one call, which begins now. */
type PortsOfCall = () => RunPorts

export function wireRunPorts(env: NodeJS.ProcessEnv): PortsOfCall {
  const ports = wireShared(env)
  return () => {
    const untilMs = systemClock.nowMs() + MOST_MS_OF_READS
    return { ...ports, hasTime: () => systemClock.nowMs() < untilMs }
  }
}

function wireShared(env: NodeJS.ProcessEnv): Omit<RunPorts, 'hasTime'> {
  const { store, list } = wireListed(env)
  const journal = createJournal(store, newId)
  const treasury = readTreasuryFile(env)
  const service = wireReadingClient(env, { readLimits: RUN_READ_LIMITS })
  return {
    journal,
    pages: createPages(store),
    runs: watchedRuns(createRuns(store, newId)),
    policies: createPolicyRecords(store, newId),
    decisions: createDecisionReader(store, wireDecisionKey(env)),
    requesters: createRequesterReader(store),
    halts: createHalts(store, newId, treasury),
    namesOf: createPolicyNames(store, treasury.policies),
    index: createIntentIndex(list),
    budgets: createRunBudgets(store, journal, newId),
    service: runReads(service),
    treasury,
    logTrip,
  }
}

const RUN_ENDS: ReadonlySet<string> = new Set(Object.values(RunEnd))
/** Matches the guards of a plan that bound a day. */
const OF_A_DAY = /daily|turnover/i

export function watchedRuns(runs: Runs): Runs {
  const note = <Run extends RunRecord | undefined>(run: Run): Run => {
    const seen = currentCall()
    if (run !== undefined && seen !== undefined && run.runId === seen.about) {
      seen.run = run
      seen.measureRun = (verb, answer, nowMs) => measuredOfRun({ verb, answer, run, nowMs })
    }
    return run
  }
  return {
    find: async (runId) => note(await runs.find(runId)),
    open: async (run) => note(await runs.open(run)),
    advance: async (run, move) => note(await runs.advance(run, move)),
  }
}

interface RunCall {
  readonly verb: string
  readonly answer: Answer
  /** The record as last read. */
  readonly run: RunRecord
  readonly nowMs: number
}

export function measuredOfRun({ verb, answer: { outcome, phase }, run, nowMs }: RunCall): Measured {
  const isEnd = RUN_ENDS.has(outcome)
  const isSettled = verb === Verb.SettleRun
  const isPlanned = !isSettled && phase === 1 && run.plan !== undefined
  const { plan } = run
  const error = isPlanned && plan !== undefined ? measured(() => trackingErrorBps(plan)) : undefined
  return {
    dimensions: {
      Kind: run.kind,
      Outcome: outcome,
      Policy: policyDimension(run.policy),
      ...(plan !== undefined && { ValuationAsset: plan.valuationAsset }),
    },
    values: {
      ...(isEnd && { Ends: 1, SettleTime: secondsSince(Date.parse(run.startedAt), nowMs) }),
      ...(isSettled && outcome === RunEnd.NeedsAttention && { RunsInNeed: 1 }),
      ...(isSettled && plan !== undefined && { Value: movedValue(run, plan) }),
      ...(error !== undefined && { TrackingError: error }),
      ...(isPlanned && isHeldByBudget(plan) && { BudgetsSpent: 1 }),
    },
  }
}

/** Planned value of the legs that moved. What they really brought differs by the slippage, which is its own metric. */
function movedValue({ results, phases }: RunRecord, plan: Plan): number {
  const values = new Map(plan.legs.map(({ key, value }) => [key, value]))
  const legs = phases.flatMap((phase) => phase.legs)
  const moved = legs.filter(({ intentId }) => MOVED.has(results[intentId]?.outcome ?? ''))
  return round(moved.reduce((sum, { key, leg }) => sum + (figure(leg?.value ?? values.get(key)) ?? 0), 0))
}

function isHeldByBudget(plan: Plan | undefined): boolean {
  if (plan === undefined) return false
  const isSpent = plan.nonLegs.some(({ code }) => code === NonLegCode.TurnoverSpent)
  return isSpent || plan.guards.some(({ guard }) => OF_A_DAY.test(guard))
}
