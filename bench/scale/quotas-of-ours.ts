// Bounds of our own code, and what the service bears. A bound of ours ends in a clear error, and never in a guess.
import { MOST_RESERVATIONS } from '../../core/journal/budgets.ts'
import { MOST_KNOWN_ROWS, MOST_ROWS } from '../../core/movements/withdrawal/known-rows.ts'
import { MOST_OPEN_INTENTS } from '../../core/runs/plan/under-way.ts'
import { MOST_ENTRIES } from '../../functions/reconcile/judge-ledger.ts'
import { MOST_DONE_IN_AN_HOUR, MOST_MOVEMENTS } from '../../functions/reconcile/reconcile.ts'
import { ours, type Quota } from './quota.ts'
import { HOUR_SECONDS, JOURNAL_CALL_SECONDS, type Load, SERVICE_CALL_SECONDS } from './workload.ts'

/** Claim, intent, and the intent once more from the list of the hour. */
const AUDIT_READS = 3
const AUDIT_SECONDS = 900
const DATED_DAYS = 2
/** Two legs and a fee. */
const ENTRIES_OF_MOVEMENT = 3
const PAGE_ROWS = 100
/** A deposit's start: of StartOnDeposit, with a look at the journal, the requester, and two calls of Step Functions. */
const DEPOSIT_START_SECONDS = 0.06
const DEPOSITS_AT_ONCE = 2

/** Withdrawals a day of one asset. */
const rowsADay = (load: Load) => load.aDay('withdrawals') / load.workload.assets

/** Those of two days, which an audit judges again, as far as it takes them. */
const judgedAgain = (load: Load) =>
  Math.min(DATED_DAYS * load.inADay(({ serviceSends }) => serviceSends), MOST_MOVEMENTS)

const auditSeconds = (load: Load) => {
  const movements = load.movementsOfHour() + judgedAgain(load)
  const pages = (movements * (2 + ENTRIES_OF_MOVEMENT)) / PAGE_ROWS
  return movements * AUDIT_READS * JOURNAL_CALL_SECONDS + pages * SERVICE_CALL_SECONDS
}

const AUDIT = '`sluice-audit-silent`'
const SHARD_AUDIT = 'Let an audit go on several times in one call, from its watermark on.'

export const QUOTAS_OF_OURS: readonly Quota[] = [
  {
    name: 'budget-movements',
    what: 'movements under way at once that one daily budget lists (`guards.total.daily`): those that are DONE are a sum',
    limit: MOST_RESERVATIONS,
    source: ours('core/journal/budgets.ts'),
    load: (load) => (load.workload.hasBudget ? load.atPeak(({ seconds, serviceSends }) => seconds * serviceSends) : 0),
    told: '`sluice-defect`, and the movement ends as an own fault with nothing sent',
    change: 'Settle what waits for a person (`sluice attention`). Bound policies and assets instead of everything.',
  },
  {
    name: 'withdrawal-rows',
    what: 'withdrawals of one asset in two days: the ARM of each names all before it',
    limit: MOST_KNOWN_ROWS,
    source: ours('core/movements/withdrawal/known-rows.ts'),
    load: (load) => 2 * rowsADay(load),
    told: '`sluice-defect`, and nothing is sent',
    change: 'Send fewer and larger withdrawals (a sweep adds up). Ask the service for an id of one’s own.',
  },
  {
    name: 'withdrawal-looks',
    what: 'rows of one asset in four days, which a look in doubt reads page by page',
    limit: MOST_ROWS,
    source: ours('core/movements/withdrawal/known-rows.ts'),
    load: (load) => 4 * rowsADay(load),
    told: '`sluice-defect`',
    change: 'The same.',
  },
  {
    name: 'withdrawal-lane',
    what: 'share of the busiest hour in which an asset’s lane is held',
    limit: 1,
    source: ours('core/journal/lanes.ts'),
    load: (load) => load.laneRate() * load.meanLaneSeconds(),
    told: 'nothing at first: withdrawals wait (HELD), and end EXHAUSTED when their time is over',
    change: 'Send fewer and larger withdrawals. Give them a longer `notAfter`.',
  },
  {
    name: 'audit-list',
    what: 'movements of one hour that the audit lists',
    limit: MOST_DONE_IN_AN_HOUR,
    source: ours('functions/reconcile/reconcile.ts'),
    load: (load) => load.movementsOfHour(),
    told: AUDIT,
    change: SHARD_AUDIT,
  },
  {
    name: 'audit-movements',
    what: 'orders that one audit judges: beyond them each hour leaves more to the next',
    limit: MOST_MOVEMENTS,
    source: ours('functions/reconcile/reconcile.ts'),
    load: (load) => load.movementsOfHour() - HOUR_SECONDS * load.peakRate('withdrawals'),
    told: AUDIT,
    change: SHARD_AUDIT,
  },
  {
    name: 'audit-after-a-day',
    what: 'entries of the ledger that one audit walks after no audit has come to its end for a day',
    limit: MOST_ENTRIES,
    source: ours('functions/reconcile/judge-ledger.ts'),
    load: (load) => ENTRIES_OF_MOVEMENT * load.inADay(({ serviceSends }) => serviceSends),
    told: AUDIT,
    change: SHARD_AUDIT,
  },
  {
    name: 'audit-ledger',
    what: 'entries of the ledger that one audit walks, three for each movement',
    limit: MOST_ENTRIES,
    source: ours('functions/reconcile/judge-ledger.ts'),
    load: (load) => ENTRIES_OF_MOVEMENT * load.movementsOfHour(),
    told: AUDIT,
    change: SHARD_AUDIT,
  },
  {
    name: 'audit-seconds',
    what: 'seconds of one audit, reckoned: three reads of the journal for each movement of its hour and of two days before, and the pages of the lists',
    limit: AUDIT_SECONDS,
    source: ours('infra/workflow-stack.ts'),
    load: auditSeconds,
    told: `\`sluice-function-killed\`, then ${AUDIT}`,
    change: SHARD_AUDIT,
  },
  {
    name: 'open-intents',
    what: 'movements under way at once, which the plan of a run reads',
    limit: MOST_OPEN_INTENTS,
    source: ours('core/runs/plan/under-way.ts'),
    load: (load) =>
      load.workload.mix.rebalances === 0 ? 0 : load.atPeak(({ seconds, serviceSends }) => seconds * serviceSends),
    told: '`sluice-defect`, and `sluice-policy-late`',
    change: 'Let a plan read only what is open of its own assets.',
  },
  {
    name: 'policy-runs',
    what: 'share of the busiest hour in which a policy has a run: it has one at a time',
    limit: 1,
    source: ours('core/runs/plan/wait.ts'),
    load: (load) => (load.peakRate('rebalances') * load.counts.kinds.rebalances.seconds) / load.workload.policies,
    told: 'nothing: a run that finds another does nothing, and says so',
    change: 'More policies, or fewer runs with more legs.',
  },
  {
    name: 'deposit-starts',
    what: 'functions at once that take deposits from their queue',
    limit: DEPOSITS_AT_ONCE,
    source: ours('infra/constructs/deposit-queue.ts'),
    load: (load) => load.workload.byWebhook * load.atPeak(() => 1) * DEPOSIT_START_SECONDS,
    told: '`sluice-deposit-late`',
    change: 'Raise it in the construct. SQS itself has no limit that is near.',
  },
  {
    name: 'service-requests',
    what: 'requests a second to the service: its description names no figure, so this is a guess until it is told',
    limit: 100,
    source: { where: 'the description, section "Limits"', how: 'assumed', of: '2026-11' },
    load: (load) => load.atPeak(({ serviceReads, serviceSends }) => serviceReads + serviceSends),
    told: '`sluice-rate-limit`',
    change: 'Ask the service for more. Raise waits between looks. Take another account.',
  },
]
