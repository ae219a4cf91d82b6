// Reads the overview: what needs a person, what is under way, holdings and targets by the last plan of each policy, the
// day's budgets and turnover, and the policies. It uses the functions of the commands. Reads only.

import type { Plan } from '../../core/contract/plan.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { Portfolio } from '../../core/policies/kind.ts'
import { portfolioOf } from '../../core/policies/kinds.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { findNeeds, type Needs } from '../cases/find-needs.ts'
import type { ConfiguredJournal, RunAccess } from '../connection/journal/journal-parts.ts'
import { atJournal, type Everywhere, type Reader } from '../connection/journal/reader.ts'
import { type PolicyRow, policyRows } from '../runs/policy-rows.ts'
import { requestText } from '../words/request-words.ts'
import { type BudgetRow, readBudgets, readTurnovers, type TurnoverRow } from './budgets.ts'

export type RunRow = Pick<
  RunRecord,
  'runId' | 'policy' | 'kind' | 'outcome' | 'startedAt' | 'endedAt' | 'tiesOut' | 'why'
>

export interface Holding {
  readonly policy: string
  readonly runId: string
  readonly outcome: string
  readonly plan: Plan
  readonly band?: Portfolio['band']
}

export interface Moving {
  readonly intentId: string
  readonly kind: string
  readonly state: string
  readonly asked: string
  readonly createdAt: string
  readonly run?: string
}

export interface Overview extends Everywhere {
  readonly needs: Needs
  readonly moving: readonly Moving[]
  readonly runs: readonly RunRow[]
  /** Runs that have not ended, latest first. */
  readonly underWay: readonly RunRow[]
  readonly policies: readonly PolicyRow[]
  readonly holdings: readonly Holding[]
  readonly budgets: readonly BudgetRow[]
  readonly turnovers: readonly TurnoverRow[]
}

const RUNS_SHOWN = 12
const MOVING_SHOWN = 30
/** Maximum failed executions of each machine. The overview shows only a count, and the page of needs reads more. */
const FAILED_READ = 50

export function readOverview(reader: Reader): Promise<Overview> {
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const [needs, open, openRuns, latest, policies, budgets, turnovers] = await Promise.all([
      findNeeds(connection, { flags: reader.flags, failed: FAILED_READ, nowMs: reader.context.clock.nowMs() }),
      // An unreadable intent is among the needs.
      connection.openIntents({ limit: MOVING_SHOWN, onMisfit: () => undefined }),
      connection.runJournal.open(),
      connection.runJournal.list(RUNS_SHOWN, nowMs),
      policyRows(connection, nowMs),
      readBudgets(connection, nowMs),
      readTurnovers(connection, nowMs),
    ])
    const runs = latest.map(rowOf)
    return {
      needs,
      moving: open.intents.map(movingOf),
      runs: runs.slice(0, RUNS_SHOWN),
      underWay: openRuns.map(rowOf),
      policies,
      holdings: await readHoldings(policies, latest, connection),
      budgets,
      turnovers,
    }
  })
}

function movingOf(intent: Intent): Moving {
  const { intentId, kind, state, createdAt, params } = intent
  const run = typeof params.run === 'string' ? { run: params.run } : {}
  return { intentId, kind, state, asked: requestText(intent), createdAt, ...run }
}

export function rowOf({ runId, policy, kind, outcome, startedAt, endedAt, tiesOut, why }: RunRecord): RunRow {
  return {
    ...{ runId, policy, kind, outcome, startedAt },
    ...(endedAt !== undefined && { endedAt }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(why !== undefined && { why }),
  }
}

/** Uses the last plan of each policy: among the latest runs, or in the run that the policy's record names. */
async function readHoldings(
  policies: readonly PolicyRow[],
  latest: readonly RunRecord[],
  { runJournal, treasury }: ConfiguredJournal & RunAccess,
): Promise<Holding[]> {
  const found = await Promise.all(
    policies.map(async ({ policy, lastRun }) => {
      const known = latest.find((run) => run.policy === policy && run.plan !== undefined)
      const run = known ?? (lastRun === null ? undefined : await runJournal.runs.find(lastRun))
      if (run?.plan === undefined) return []
      const configured = treasury.policies[policy]
      const portfolio = configured && portfolioOf(configured)
      const { outcome, plan } = run
      return [{ policy, runId: run.runId, outcome, plan, ...(portfolio && { band: portfolio.band }) }]
    }),
  )
  return found.flat()
}
