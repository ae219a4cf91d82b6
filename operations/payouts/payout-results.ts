// Reads what became of each row of a payout file, over all runs of its policy. It reads the journal and the reports of runs.
// Where a withdrawal was under way at the end of its run, it reads its last execution too. It asks the service nothing.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryName } from '../../core/contract/fields.ts'
import { REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { hasLabel } from '../../core/contract/payee.ts'
import { IntentState } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { type WithdrawReport, withdrawReport } from '../../core/contract/withdraw.ts'
import type { WithdrawIntent } from '../../core/journal/intent.ts'
import { paymentsOf, withRows } from '../../core/policies/kinds.ts'
import type { FiledRow } from '../../core/runs/payouts/payout-file.ts'
import { differenceOf, findTries } from '../../core/runs/plan/payments.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { OperationContext } from '../../place/context.ts'
import type { Executions } from '../../place/executions/executions.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { RunAccess } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { lastReportIn } from '../movements/under-way.ts'
import { reportIn } from '../runs/operation.ts'
import { findPayoutsPolicy } from './payout-runs.ts'

/** The state of a row that no run has begun. */
export const NOT_BEGUN = 'NOT_BEGUN'
/** The state of a row whose id has paid, or may still pay, something else. The row itself is not paid. */
export const OTHER_TERMS = 'OTHER_TERMS'

export interface PayoutResult extends FiledRow {
  /** A named end of a withdrawal, NOT_BEGUN, OTHER_TERMS, or the state of an intent that has not ended. */
  readonly outcome: string
  readonly intentId?: string
  readonly run?: string
  readonly withdrawalId?: string
  readonly fee?: string
  readonly total?: string
  readonly transactionHash?: string
  readonly bankReference?: string
  readonly why?: string
}

/** In the order of the file. @throws OperationError */
export function readPayoutResults(
  rows: readonly FiledRow[],
  name: string,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<readonly PayoutResult[]> {
  return withJournalConnection(flags, context, async ({ treasury, journal, runJournal, ...executions }) => {
    const policy = findPayoutsPolicy(name, treasury)
    const runs = new Map<string, Promise<RunRecord | undefined>>()
    const findRun = (runId: string) => {
      const found = runs.get(runId) ?? runJournal.runs.find(runId)
      runs.set(runId, found)
      return found
    }
    const payments = new Map(paymentsOf(withRows(policy, rows)).map((payment) => [payment.id, payment]))
    return mapBounded(rows, READS_AT_ONCE, async (row) => {
      const tries = await findTries(row.id, journal)
      const intent = tries.at(-1)
      if (intent === undefined) return { ...row, outcome: NOT_BEGUN }
      const earlier = tries.slice(0, -1).filter(({ state }) => state === IntentState.Done)
      const before = await mapBounded(earlier, 1, (each) => resultOf(each, findRun, executions))
      const result = await resultOf(intent, findRun, executions)
      const paid = besideIntent(row, intent)
      const payment = payments.get(row.id)
      const others = otherTermsOf(result, payment && differenceOf({ ...payment, contactId: paid.contactId }, intent))
      return { ...paid, ...result, ...others, ...paidTwiceOf([...before, result]) }
    })
  })
}

/**
 * The row as it was paid. Where its label stands in the place of the id, and the contact had that label when it was paid, the
 * row has the id of that contact.
 */
function besideIntent(row: FiledRow, { frozen }: WithdrawIntent): FiledRow {
  const { payee } = frozen
  const isByLabel = row.contactId === row.contactReference
  if (!isByLabel || payee === undefined || !hasLabel(row.contactReference, payee)) return row
  return { ...row, contactId: payee.contactId }
}

/** A row with two withdrawals that did not come back needs a person. `results`: of its tries. */
export function paidTwiceOf(
  results: readonly Pick<PayoutResult, 'outcome' | 'withdrawalId'>[],
): Partial<Pick<PayoutResult, 'outcome' | 'why'>> {
  const paid = results.flatMap(({ outcome, withdrawalId }) =>
    outcome === WithdrawEnd.FailedRefunded ? [] : (withdrawalId ?? []),
  )
  if (paid.length < 2) return {}
  return { outcome: WithdrawEnd.NeedsAttention, why: `it was paid more than once: withdrawals ${paid.join(', ')}` }
}

/** A certified zero binds the row to nothing. A doubt stays one, because a person has to settle it. */
function otherTermsOf(
  { outcome }: Pick<PayoutResult, 'outcome'>,
  difference: string | undefined,
): Partial<Pick<PayoutResult, 'outcome' | 'why'>> {
  if (difference === undefined || ZEROS.has(outcome)) return {}
  return { why: `it has another ${difference}`, ...(!IN_DOUBT.has(outcome) && { outcome: OTHER_TERMS }) }
}

type FindRun = (runId: string) => ReturnType<RunAccess['runJournal']['runs']['find']>
type EndAccess = Pick<Executions, 'findExecution' | 'findHistory'>

/** Ends of a proven withdrawal. A run is settled while some of its withdrawals are still under way, or are given up for now. */
const ENDS: ReadonlySet<string> = new Set([WithdrawEnd.Completed, WithdrawEnd.FailedRefunded])

async function resultOf(
  intent: WithdrawIntent,
  findRun: FindRun,
  executions: EndAccess,
): Promise<Omit<PayoutResult, keyof FiledRow>> {
  const { intentId, state, ref, params } = intent
  const runId = typeof params.run === 'string' ? params.run : undefined
  const run = runId === undefined ? undefined : await findRun(runId)
  const settled = run?.results[intentId]?.withdrawal
  const isOpen = state === IntentState.Done && !ENDS.has(settled?.outcome ?? '')
  const last = isOpen ? await lastReport(intentId, executions) : undefined
  const reported: Partial<Reported> = { ...settled, ...last }
  const { withdrawalId = ref, fee, total, transactionHash, bankReference } = reported
  const why = last === undefined ? (run?.results[intentId]?.why ?? intent.why) : last.why
  const outcome = state === IntentState.Done ? (reported.outcome ?? WithdrawStep.Processing) : (intent.outcome ?? state)
  return {
    ...{ outcome, intentId },
    ...(runId !== undefined && { run: runId }),
    ...(withdrawalId !== undefined && { withdrawalId }),
    ...(fee !== undefined && { fee }),
    ...(total !== undefined && { total }),
    ...(transactionHash && { transactionHash }),
    ...(bankReference && { bankReference }),
    ...(why !== undefined && { why }),
  }
}

type Reported = Partial<Omit<WithdrawReport, 'outcome'>> & { readonly outcome: string }

/**
 * The report of the withdrawal's last execution, or of the last step of one under way; undefined where no execution is kept.
 */
async function lastReport(intentId: string, { findExecution, findHistory }: EndAccess): Promise<Reported | undefined> {
  const find = (name: string) => findExecution(StateMachine.Withdraw, name)
  const { kept, entry } = await findLastEntry(intentId, find, { isLeg: true })
  const ended = kept && reportIn({ name: intentId, ...kept }, withdrawReport)
  if (ended !== undefined || kept === undefined) return ended
  const { isRefundDue, why } = lastReportIn(await findHistory(StateMachine.Withdraw, entryName(intentId, entry)))
  const outcome = isRefundDue ? REFUND_DUE : WithdrawStep.Processing
  return { outcome, ...(why !== undefined && { why }) }
}

const ZEROS: ReadonlySet<string> = new Set([WithdrawEnd.Rejected, WithdrawEnd.Exhausted, WithdrawEnd.FailedRefunded])
const IN_DOUBT: ReadonlySet<string> = new Set([IntentState.Armed, IntentState.Escalated, WithdrawEnd.NeedsAttention])

/** 0 where every row is paid, 3 where a row is in doubt, otherwise 1. */
export function resultsExitCode(results: readonly PayoutResult[]): ExitCode {
  if (results.some(({ outcome }) => IN_DOUBT.has(outcome))) return ExitCode.NeedsPerson
  return results.every(({ outcome }) => outcome === WithdrawEnd.Completed) ? ExitCode.Done : ExitCode.Failed
}

/** Names the task that rows leave to a person: settle doubts, pay rows in another run, or nothing yet. */
export function whatIsLeft(results: readonly PayoutResult[]): 'nothing' | 'doubts' | 'rows' {
  if (results.some(({ outcome }) => IN_DOUBT.has(outcome))) return 'doubts'
  return results.some(({ outcome }) => outcome === NOT_BEGUN || ZEROS.has(outcome)) ? 'rows' : 'nothing'
}
