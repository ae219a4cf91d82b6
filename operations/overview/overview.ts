// Reads the overview from the journal: what needs a person, what is under way, the day's budgets and turnover, the
// policies and the last runs. Reads the pages of the audit, of what needs attention and of halts too. It uses the functions of the commands. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { AUDIT_WALK } from '../../core/contract/records.ts'
import type { FirstResume } from '../../core/journal/halts.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { readWalked, type Unfinished } from '../../core/journal/watermarks.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { findNeeds, type Needs } from '../cases/find-needs.ts'
import { markOfHalt } from '../words/halt-words.ts'
import { requestName, requestText } from '../words/request-words.ts'
import { type BudgetRow, readBudgets, readTurnovers, type TurnoverRow } from './budgets.ts'
import { type PolicyRow, policyRows } from './policy-rows.ts'

export type RunRow = Pick<
  RunRecord,
  'runId' | 'policy' | 'kind' | 'outcome' | 'startedAt' | 'endedAt' | 'tiesOut' | 'why'
> & {
  /** People's decision on the plan of a run that waited for them. */
  readonly decision?: NonNullable<RunRecord['approval']>['decision']
}

export interface Moving {
  readonly intentId: string
  readonly kind: string
  readonly state: string
  readonly asked: string
  /** The same in a few words. */
  readonly name: string
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
      findNeeds(connection, { failed: FAILED_READ, nowMs: reader.context.clock.nowMs() }),
      // An unreadable intent is among the needs.
      connection.openIntents({ limit: MOVING_SHOWN, onMisfit: () => undefined }),
      connection.runJournal.open(),
      connection.runJournal.listMoving(RUNS_SHOWN, nowMs),
      policyRows(connection, nowMs),
      readBudgets(connection, nowMs),
      readTurnovers(connection, nowMs),
    ])
    return {
      needs,
      moving: open.intents.map(movingOf),
      runs: latest.map(rowOf),
      underWay: openRuns.map(rowOf),
      policies,
      budgets,
      turnovers,
    }
  })
}

function movingOf(intent: Intent): Moving {
  const { intentId, kind, state, createdAt, params } = intent
  const run = typeof params.run === 'string' ? { run: params.run } : {}
  return { intentId, kind, state, asked: requestText(intent), name: requestName(intent), createdAt, ...run }
}

export function rowOf({ runId, policy, kind, outcome, startedAt, endedAt, tiesOut, why, approval }: RunRecord): RunRow {
  return {
    ...{ runId, policy, kind, outcome, startedAt },
    ...(endedAt !== undefined && { endedAt }),
    ...(tiesOut !== undefined && { tiesOut }),
    ...(why !== undefined && { why }),
    ...(approval?.decision !== undefined && { decision: approval.decision }),
  }
}

export interface AuditPage extends Everywhere {
  /** ISO-8601; absent where no audit has ended. */
  readonly judgedThrough?: string
  /** An audit that continues over several calls. All times are ISO-8601. */
  readonly underWay?: Pick<Unfinished, 'begunAt' | 'since' | 'againFrom' | 'againTo'>
  readonly runs: readonly RunRow[]
}

const AUDITED_SHOWN = 30

export function readAudit(reader: Reader): Promise<AuditPage> {
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const [mark, runs] = await Promise.all([
      readWalked(connection.store, AUDIT_WALK),
      connection.runJournal.listMoving(AUDITED_SHOWN, nowMs),
    ])
    return {
      ...(mark !== undefined && { judgedThrough: mark.through }),
      ...(mark?.unfinished !== undefined && { underWay: mark.unfinished }),
      runs: runs.filter(({ tiesOut }) => tiesOut !== undefined).map(rowOf),
    }
  })
}

export interface NeedsPage extends Everywhere {
  readonly needs: Needs
}

export function readNeeds(reader: Reader): Promise<NeedsPage> {
  return atJournal(reader, async (connection) => ({
    needs: await findNeeds(connection, { nowMs: reader.context.clock.nowMs() }),
  }))
}

export interface HaltPage extends Everywhere {
  readonly policies: readonly string[]
  /** The first of two decisions to resume a halt, by the mark of that halt. */
  readonly firstWords: ReadonlyMap<string, FirstResume>
}

export function readHalts(reader: Reader): Promise<HaltPage> {
  return atJournal(reader, async ({ halts, haltsInForce, treasury }) => {
    const nowMs = reader.context.clock.nowMs()
    const found = await mapBounded(await haltsInForce(), READS_AT_ONCE, async (halt) => {
      const firstWord = await halts.findFirstResume(halt, nowMs)
      return firstWord === undefined ? [] : [[markOfHalt(halt), firstWord] as const]
    })
    return { policies: Object.keys(treasury.policies), firstWords: new Map(found.flat()) }
  })
}
