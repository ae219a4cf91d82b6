// Reads the policies of treasury.json, when each starts next, also in words, and its last runs from the journal. Reads
// only, and works before any run.

import { toString as cronInWords } from 'cronstrue'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { Policy, Schedule } from '../../core/contract/policies.ts'
import { isAtEnd, isPlanOnly, isShadow, type RunRecord } from '../../core/runs/record/run-record.ts'
import { nextDueMs } from '../../core/treasury/due-times.ts'
import { readTreasury } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import type { ConfiguredJournal, HaltAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { OperationError } from '../../place/operation-error.ts'
import { configFileOf } from '../../place/settings.ts'

export interface PolicyRow {
  readonly policy: string
  readonly kind: string
  readonly mode: string
  readonly schedule: string | null
  /** The same in words. */
  readonly scheduleSays: string | null
  /** The next start by its schedule. Null without a schedule, and after its last time. */
  readonly nextStart: string | null
  /** The run that is under way or waits for approval. */
  readonly holder: string | null
  /** ISO-8601. */
  readonly holderStartedAt: string | null
  /** The newest run that ended, whether or not the breaker counts it, and that was not in shadow mode. */
  readonly lastRun: string | null
  readonly lastStartedAt: string | null
  readonly lastOutcome: string | null
  /** The last run in shadow mode, where no other run came after it. */
  readonly lastShadow: ShadowRun | null
  readonly failuresInRow: number
  readonly lastTradedAt: string | null
  readonly halted: string | null
}

interface ShadowRun {
  readonly runId: string
  /** ISO-8601. */
  readonly startedAt: string
  readonly outcome: string
}

interface KnownPolicies {
  readonly rows: readonly PolicyRow[]
  /** Whether schedules wait, because nobody has verified the keys yet. */
  readonly isWaiting: boolean
}

export async function readPolicies(flags: ConnectionFlags, context: OperationContext): Promise<KnownPolicies> {
  const { clock, variables } = context
  const nowMs = clock.nowMs()
  const { policies } = readTreasury(configFileOf(flags, variables))
  return withJournalConnection(flags, context, async (connection) => ({
    rows: await policyRows(connection, nowMs),
    // `serve` reports this itself before it starts a schedule.
    isWaiting: connection.embedded === undefined && !(await connection.isVerified()),
  })).catch((error: unknown) => {
    // In a state directory without a run, only the configuration is known.
    if (!(error instanceof OperationError) || error.code !== 'no_runs') throw error
    return { rows: Object.entries(policies).map(([name, policy]) => configured(name, policy, nowMs)), isWaiting: false }
  })
}

/** Each policy of treasury.json, with its last runs from the journal. */
export function policyRows(
  connection: ConfiguredJournal & RunAccess & HaltAccess,
  nowMs: number,
): Promise<PolicyRow[]> {
  const { policies } = connection.treasury
  return Promise.all(
    Object.entries(policies).map(([name, policy]) => withJournal(configured(name, policy, nowMs), connection, nowMs)),
  )
}

function configured(name: string, { kind, mode, schedule }: Policy, nowMs: number): PolicyRow {
  return {
    policy: name,
    kind,
    mode,
    schedule: schedule === undefined ? null : scheduleText(schedule),
    scheduleSays: schedule === undefined ? null : scheduleInWords(schedule),
    nextStart: (schedule && nextStart(schedule, nowMs)) ?? null,
    holder: null,
    holderStartedAt: null,
    lastRun: null,
    lastStartedAt: null,
    lastOutcome: null,
    lastShadow: null,
    failuresInRow: 0,
    lastTradedAt: null,
    halted: null,
  }
}

function scheduleText({ expression, timeZone }: NonNullable<Policy['schedule']>): string {
  return timeZone === 'UTC' ? expression : `${expression} ${timeZone}`
}

async function withJournal(
  row: PolicyRow,
  { runJournal, halts }: RunAccess & HaltAccess,
  nowMs: number,
): Promise<PolicyRow> {
  const { policy: name } = row
  const { holder, lastRunId, failuresInRow, lastTradedAt } = await runJournal.policy(name)
  // The policy's record names entries, such as `run_2`.
  const findEntered = async (entry: string | undefined) =>
    entry === undefined ? undefined : runJournal.runs.find(intentIdOf(entry))
  const held = await findEntered(holder)
  const last = await findEntered(lastRunId)
  // The policy's record names only the run that its breaker counted last. A plan that a person asked for hides no run.
  const isWanted = lastRunId === undefined ? undefined : (run: RunRecord) => !isPlanOnly(run)
  const latest = await runJournal.latestOf(name, nowMs, isWanted)
  const newest = latest === undefined || (last && last.startedAt > latest.startedAt) ? last : latest
  const isNewestShadow = newest !== undefined && isShadow(newest)
  const ended = isNewestShadow ? last : newest
  const halt = await halts.find(name)
  const holding = held === undefined || isAtEnd(held) ? undefined : held
  return {
    ...row,
    holder: holding?.runId ?? null,
    holderStartedAt: holding?.startedAt ?? null,
    lastRun: ended?.runId ?? null,
    lastStartedAt: ended?.startedAt ?? null,
    lastOutcome: ended?.outcome ?? null,
    lastShadow: isNewestShadow ? shadowRunOf(newest) : null,
    failuresInRow,
    lastTradedAt: lastTradedAt ?? null,
    halted: halt === undefined ? null : `by ${halt.by} since ${halt.at}: ${halt.because}`,
  }
}

function shadowRunOf({ runId, startedAt, outcome }: RunRecord): ShadowRun {
  return { runId, startedAt, outcome }
}

/** The next start of a schedule in ISO-8601; undefined after its last time. */
export function nextStart(schedule: Schedule, nowMs: number): string | undefined {
  const nextMs = nextDueMs(schedule, nowMs)
  return nextMs === undefined ? undefined : new Date(nextMs).toISOString()
}

/** Such as `At 09:00, Monday through Friday (Europe/Berlin)`, `Every 5 minutes (UTC)`, `Once, at 2026-01-31T09:00:00 (UTC)`. */
export function scheduleInWords({ expression, timeZone }: Pick<Schedule, 'expression' | 'timeZone'>): string {
  const [, kind = '', inner = ''] = /^(rate|cron|at)\((.*)\)$/.exec(expression) ?? []
  return `${textOf(kind, inner)} (${timeZone})`
}

function textOf(kind: string, inner: string): string {
  if (kind === 'at') return `Once, at ${inner}`
  // `rate(1 hour)` has the number 1, which no sentence needs.
  if (kind === 'rate') return `Every ${inner.replace(/^1 /, '')}`
  return cronInWords(`${NO_SECONDS} ${inner}`, AS_ON_AWS)
}

/** With seven fields the library takes the first for seconds and the last for the year. */
const NO_SECONDS = '0'
/** AWS counts the days of the week from 1, which is Sunday. */
const AS_ON_AWS = { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true } as const
