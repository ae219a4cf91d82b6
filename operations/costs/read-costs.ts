// Reads what operations cost in a period: from the table of movements, and from the runs that the journal has. Reads
// only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { RequestList } from '../../core/contract/records.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { type RunRecord, runOfRecord } from '../../core/runs/record/run-record.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { RequestAccess } from '../../place/journal/journal-parts.ts'
import type { RequestEntry } from '../../place/journal/request-index.ts'
import { assertKnownPolicy, assertPolicyName } from '../../place/named-policy.ts'
import { atJournalAndService, type Everywhere, type Reader } from '../../place/reader.ts'
import { dayIn, type Period, type PeriodFlags, readPeriod } from '../books/period.ts'
import { assertOwnAccount } from '../journal/own-account.ts'
import { type Unshown, walkMovements } from '../movements/export/walk-movements.ts'
import { type CostRow, createCostSums } from './sum-costs.ts'

export interface CostRequest extends PeriodFlags {
  readonly policy?: string
}

export interface Costs {
  /** ISO-8601: the first moment, and the first moment after the period. */
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly rows: readonly CostRow[]
  /** The first 1,000 records and movements that cannot be read. Their costs are missing. */
  readonly unshown: readonly Unshown[]
  readonly unshownTotal: number
}

/** Maximum faults that are kept by name. */
const MOST_NAMED = 1_000
/** Runs that are read together. A record of a run has up to 400 KB. */
const PART = 64

/** `from`: absent for the present month. @throws OperationError */
export function readCosts(reader: Reader, asked: CostRequest): Promise<Costs & Everywhere> {
  const { policy, ...flags } = asked
  if (policy !== undefined) assertPolicyName(policy)
  const { clock } = reader.context
  return atJournalAndService(reader, async (connection, service) => {
    await assertOwnAccount(connection, service)
    // The service dates movements by its own clock, which may be ahead of this machine's.
    await service.clock.measure()
    const nowMs = Math.floor(Math.max(clock.nowMs(), service.clock.nowMs()))
    const period = periodOf(flags, nowMs)
    const { zone, fromMs: sinceMs, toMs: beforeMs } = period
    const sums = createCostSums((ms) => monthIn(zone, ms))
    const { onUnshown, result } = gatherUnshown()
    const filter = { kind: undefined, state: undefined, sinceMs, beforeMs, ...(policy !== undefined && { policy }) }
    const sources = { journal: connection, service, timing: connection.treasury.timing, nowMs, onUnshown }
    for await (const row of walkMovements(sources, filter)) sums.addMovement(row)
    for await (const run of walkRuns(connection, period, nowMs, onUnshown)) {
      if (policy === undefined || run.policy === policy) sums.addRun(run)
    }
    const rows = sums.rows()
    if (policy !== undefined && rows.length === 0) {
      await assertKnownPolicy(policy, connection, nowMs)
    }
    const [from, to] = [sinceMs, beforeMs].map((ms) => new Date(ms).toISOString()) as [string, string]
    return { from, to, zone, rows, ...result() }
  })
}

export function costsExitCode({ unshownTotal }: Pick<Costs, 'unshownTotal'>): ExitCode {
  return unshownTotal === 0 ? ExitCode.Done : ExitCode.DoesNotTieOut
}

function periodOf(flags: PeriodFlags, nowMs: number): Period {
  const monthNow = `${monthIn(flags.zone ?? 'UTC', nowMs)}-01`
  return readPeriod({ from: monthNow, ...flags }, nowMs)
}

/** Such as `2026-01`. */
function monthIn(zone: string, ms: number): string {
  return dayIn(zone, ms).slice(0, 'YYYY-MM'.length)
}

/** Runs by the time of their start. */
async function* walkRuns(
  { walkRequests, readRecord }: RequestAccess,
  { fromMs: sinceMs, toMs: beforeMs }: Period,
  nowMs: number,
  onUnshown: (unshown: Unshown) => void,
): AsyncGenerator<RunRecord, void> {
  const read = (part: readonly RequestEntry[]) =>
    mapBounded(part, READS_AT_ONCE, ({ key }) =>
      findReadable(
        async () => {
          const record = await readRecord(key)
          return record && runOfRecord(record)
        },
        ({ message }) => onUnshown({ id: key, message }),
      ),
    )
  let part: RequestEntry[] = []
  for await (const entry of walkRequests([RequestList.Run], { sinceMs, beforeMs }, nowMs)) {
    part.push(entry)
    if (part.length < PART) continue
    yield* (await read(part)).filter((run) => run !== undefined)
    part = []
  }
  yield* (await read(part)).filter((run) => run !== undefined)
}

function gatherUnshown() {
  const unshown: Unshown[] = []
  let unshownTotal = 0
  return {
    onUnshown: (each: Unshown) => {
      unshownTotal += 1
      if (unshown.length < MOST_NAMED) unshown.push(each)
    },
    result: () => ({ unshown, unshownTotal }),
  }
}
