// `sluice runs`: lists the runs of policies that a journal knows, latest first. Reads only.
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { shown } from '../report/figures.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { assertKnownPolicy, assertPolicyName } from '../target/named-policy.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { type Column, printableJson } from '../terminal/table.ts'

export interface RunsFlags extends TargetFlags, ListFlags {
  readonly policy?: string
  readonly limit?: string
}

const DEFAULT_RUNS = 50
const MOST_RUNS = 10_000

const columns: readonly Column<RunRecord>[] = [
  { title: 'started', text: ({ startedAt }) => startedAt, isTime: true },
  { title: 'policy', text: ({ policy }) => policy, cutTo: 12 },
  { title: 'kind', text: ({ kind }) => kind, isDetail: true },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'turnover', text: ({ plan }) => shown(plan?.turnover ?? ''), isAmount: true },
  { title: 'in', text: ({ plan }) => plan?.valuationAsset ?? '' },
  { title: 'started by', text: ({ trigger }) => trigger?.by ?? '', isDetail: true },
  { title: 'run', text: ({ runId }) => runId, isId: true },
]

/** @throws CommandError (exit 2) for a policy or a limit that cannot be one */
export async function showRuns(flags: RunsFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  const { policy } = flags
  assertListFlags(flags, output, columns)
  if (policy !== undefined) assertPolicyName(policy)
  const limit = readLimit(flags.limit)
  const wanted = await withJournalTarget(flags, context, async (target) => {
    const { runJournal } = target
    if (policy === undefined) return runJournal.list()
    // One more than is shown is asked for, to know whether there are more.
    const found = await runJournal.listOf(policy, limit + 1, clock.nowMs())
    if (found.length === 0) await assertKnownPolicy(policy, target, clock.nowMs())
    return found
  })
  const shown = wanted.slice(0, limit)
  if (output.json) output.data(printableJson({ runs: shown.map(summaryOf), hasMore: wanted.length > shown.length }))
  else if (shown.length > 0 || flags.csv === true) printList(columns, shown, flags, context)
  if (shown.length === 0) output.note('no runs')
  if (wanted.length > shown.length) output.note(`the latest ${shown.length}; there are more: --limit N shows N of them`)
  output.next(
    shown.length === 0
      ? [commandIn('policies', flags)]
      : [commandIn(`show ${shown[0]?.runId}`, flags), `${commandIn(`report ${shown[0]?.runId}`, flags)}   # as a page`],
  )
  return ExitCode.Done
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RUNS
  const limit = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_RUNS) return limit
  throw usageError('usage', `--limit: expected a whole number from 1 to ${MOST_RUNS}; got another`, 'correct --limit')
}

/** A run without its plan and its legs, which `sluice show` prints. */
function summaryOf({ runId, policy, kind, outcome, startedAt, endedAt, trigger, plan, tiesOut, why }: RunRecord) {
  const turnover = plan && { amount: plan.turnover, asset: plan.valuationAsset }
  return { runId, policy, kind, outcome, startedAt, endedAt, trigger, turnover, tiesOut, why }
}
