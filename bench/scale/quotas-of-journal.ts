// What one table of DynamoDB bears, and one partition of it. All that shares a key shares a partition.
import { SUMS_FROM } from '../../core/journal/budgets.ts'
import { MOST_KNOWN_ROWS } from '../../core/movements/withdrawal/known-rows.ts'
import type { RunCounts } from './counts.ts'
import { DOCS, ours, type Quota, quoted } from './quota.ts'
import { JOURNAL_CALL_SECONDS, type Load } from './workload.ts'

const GUIDE = `${DOCS}/amazondynamodb/latest/developerguide`
const partition = quoted(`${GUIDE}/bp-partition-key-design.html`, '2026-11')
const created = quoted(`${GUIDE}/pre-warming-on-demand-capacity-mode.html`, '2026-11')
const table = quoted(`${GUIDE}/on-demand-capacity-mode-max-throughput.html`, '2026-11')
const [PARTITION_WRITES, PARTITION_READS] = [1_000, 3_000]

const [WRITE_BYTES, READ_BYTES] = [1_024, 4_096]
/** Of a withdrawal's writes those that hold the rows that were there before: ARM, what was heard, the end. */
const WRITES_WITH_ROWS = 3

type Units = 'reads' | 'writes'

/** Of one run, for keys that begin so. */
const unitsOf =
  (units: Units, prefix: string) =>
  ({ journal }: RunCounts): number =>
    Object.entries(journal).reduce((sum, [key, used]) => sum + (key.startsWith(prefix) ? used[units] : 0), 0)

const atPeak = (units: Units, prefix: string) => (load: Load) => load.atPeak(unitsOf(units, prefix))

/** Each movement reads the record of the day's budget, and writes it again; units by its size at the end of the day. */
function budgetUnits(load: Load, bytesOfUnit: number): number {
  if (!load.workload.hasBudget) return 0
  return load.atPeak(({ serviceSends }) => serviceSends) * Math.ceil(load.budgetBytes(SUMS_FROM) / bytesOfUnit)
}

/** What rows of two days add to the records of withdrawals. */
function rowWrites(load: Load): number {
  const rows = Math.min(MOST_KNOWN_ROWS, (2 * load.aDay('withdrawals')) / load.workload.assets)
  return (load.peakRate('withdrawals') * WRITES_WITH_ROWS * rows * load.counts.knownRowBytes) / WRITE_BYTES
}

/** All but budgets, as measured, with budgets at their size. */
function ofTable(load: Load, units: Units): number {
  const others = atPeak(units, '')(load) - atPeak(units, 'B#')(load)
  const budgets = budgetUnits(load, units === 'writes' ? WRITE_BYTES : READ_BYTES)
  return others + budgets + (units === 'writes' ? rowWrites(load) : 0)
}

const THROTTLED = '`sluice-function-errors`, once retries do not suffice'

export const QUOTAS_OF_JOURNAL: readonly Quota[] = [
  {
    name: 'new-table-writes',
    what: 'write units a second of the journal and its indexes, when the table is new',
    limit: 4_000,
    source: created,
    load: (load) => ofTable(load, 'writes'),
    told: THROTTLED,
    change: 'Set a warm throughput before the first day, or let it grow: it doubles with its peak.',
  },
  {
    name: 'new-table-reads',
    what: 'read units a second of the journal, when the table is new',
    limit: 12_000,
    source: created,
    load: (load) => ofTable(load, 'reads'),
    told: THROTTLED,
    change: 'The same.',
  },
  {
    name: 'table-writes',
    what: 'write units a second of the journal, on demand',
    limit: 40_000,
    source: table,
    load: (load) => ofTable(load, 'writes'),
    told: THROTTLED,
    change: 'Ask AWS for more.',
  },
  {
    name: 'table-reads',
    what: 'read units a second of the journal, on demand',
    limit: 40_000,
    source: table,
    load: (load) => ofTable(load, 'reads'),
    told: THROTTLED,
    change: 'Ask AWS for more.',
  },
  {
    name: 'budget-writes',
    what: 'write units a second of the day’s budget in value (`B#*`): one record, written whole by each movement',
    limit: PARTITION_WRITES,
    source: partition,
    load: (load) => budgetUnits(load, WRITE_BYTES),
    told: `${THROTTLED}; before that, writers who are too late try again`,
    change: 'Share the budget out over several records (a change of the journal and its simulation).',
  },
  {
    name: 'budget-reads',
    what: 'read units a second of the same record',
    limit: PARTITION_READS,
    source: partition,
    load: (load) => budgetUnits(load, READ_BYTES),
    told: THROTTLED,
    change: 'The same.',
  },
  {
    name: 'budget-turns',
    what: 'share of the time in which a movement is between its read of that record and its write: who writes later tries again, 20 times',
    limit: 1,
    source: ours('core/journal/budgets.ts'),
    load: (load) =>
      load.workload.hasBudget ? load.atPeak(({ serviceSends }) => serviceSends) * 2 * JOURNAL_CALL_SECONDS : 0,
    told: '`sluice-function-errors`: other intents changed the budget meanwhile',
    change: 'The same.',
  },
  {
    name: 'halt-reads',
    what: 'read units a second of the halt of everything (`H#*`): each movement reads it before ARM',
    limit: PARTITION_READS,
    source: partition,
    load: atPeak('reads', 'H#*'),
    told: THROTTLED,
    change: 'Write the halt under several keys, and read one of them by chance.',
  },
  {
    name: 'account-reads',
    what: 'read units a second of what the journal is about (`A#…`): environments keep it in mind',
    limit: PARTITION_READS,
    source: partition,
    load: atPeak('reads', 'A#'),
    told: THROTTLED,
    change: 'Nothing is near.',
  },
  {
    name: 'lane-writes',
    what: 'write units a second of an asset’s lane (`L#…`)',
    limit: PARTITION_WRITES,
    source: partition,
    load: (load) => atPeak('writes', 'L#')(load) / load.workload.assets,
    told: 'the lane itself is full long before',
    change: 'Nothing.',
  },
  {
    name: 'open-list-writes',
    what: 'write units a second of the index’s list of what is open (`OPEN`): each movement comes and goes',
    limit: PARTITION_WRITES,
    source: partition,
    load: atPeak('writes', 'OPEN'),
    told: THROTTLED,
    change: 'Spread the list over several names by the hash of the id.',
  },
  {
    name: 'asked-list-writes',
    what: 'write units a second of the month’s list of conversions (`ASKED#convert#…`)',
    limit: PARTITION_WRITES,
    source: partition,
    load: atPeak('writes', 'ASKED#convert'),
    told: THROTTLED,
    change: 'One list for each day.',
  },
  {
    name: 'done-list-writes',
    what: 'write units a second of the hour’s list of movements (`DONE#…`)',
    limit: PARTITION_WRITES,
    source: partition,
    load: atPeak('writes', 'DONE#'),
    told: THROTTLED,
    change: 'One list for each minute.',
  },
  {
    name: 'run-list-writes',
    what: 'write units a second of the list of open runs (`RUNS#OPEN`); those of a policy (`RUNS#…`) are less',
    limit: PARTITION_WRITES,
    source: partition,
    load: atPeak('writes', 'RUNS#OPEN'),
    told: THROTTLED,
    change: 'Nothing is near. The watermark (`W#…`) is written once an hour.',
  },
]
