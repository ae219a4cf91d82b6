// Finds rows of a run that would pay a second time. Under another id the same payee got the same asset, amount and
// reference in the last days, or a run of another policy is paying it. The service shows what was sent; the journal
// shows for which row, and what is under way. Two such rows of one file are two payments. A row that was sent itself,
// although its record says that nothing moved, is found too: somebody has changed the record. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { foldId, type PayoutRow } from '../../contract/payouts.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import { runOf } from '../../journal/entering.ts'
import { isSettled } from '../../journal/intent.ts'
import { formatDecimal, parseDecimal } from '../../money/decimal.ts'
import { rowKey } from '../../planning/payouts/rows.ts'
import { paymentsOf, takesRows } from '../../policies/kinds.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { withDecisions } from '../approval/decision.ts'
import { termsOfRow } from '../payouts/row-terms.ts'
import type { RunPorts } from '../ports.ts'
import { frozenLegs, isAtEnd, legIntentId, type RunRecord } from '../record/run-record.ts'
import { endOf } from './payments.ts'

/**
 * By the id of a row of the run, the id of the other row. `sent`: withdrawals by settled code. Needs a measured clock.
 * @throws Transient, Defect
 */
export async function findPaidAlike(
  run: RunRecord,
  sent: ReadonlyMap<string, readonly WithdrawalState[]>,
  settled: (code: string) => string,
  ports: RunPorts,
): Promise<ReadonlyMap<string, string>> {
  const rows = paymentsOf(run.asPlanned)
  const termsOf = (row: PayoutRow) => termsOfRow({ ...row, asset: settled(row.asset) })
  const amountKey = (asset: string, amount: string) => `${asset} ${formatDecimal(parseDecimal(amount, 'amount'))}`
  const amounts = new Set(rows.map(({ asset, amount }) => amountKey(settled(asset), amount)))
  // A row of the service has the amount without its fee, and the total with it. Which of them was asked for, it does not say.
  const candidates = [...sent].flatMap(([asset, withdrawals]) =>
    withdrawals.filter(
      ({ amount, total }) => amounts.has(amountKey(asset, amount)) || amounts.has(amountKey(asset, total)),
    ),
  )
  const rowsOf = createRowsOfRuns(ports)
  const paid = await mapBounded(candidates, READS_AT_ONCE, (withdrawal) => findRow(withdrawal, rowsOf, ports))
  const own = new Set(rows.map(({ id }) => foldId(id)))
  const found = paid.filter((each) => each !== undefined)
  const denied = new Map(found.filter(({ isDenied }) => isDenied).map(({ row }) => [foldId(row.id), row.id]))
  const terms = new Set(rows.map(termsOf))
  const moving = await findMoving(run, (row) => terms.has(termsOf(row)), ports)
  const others = [...found.map(({ row }) => row), ...moving].filter(({ id }) => !own.has(foldId(id)))
  const byTerms = new Map(others.map((row) => [termsOf(row), row.id]))
  return new Map(
    rows.flatMap((row) => {
      const other = denied.get(foldId(row.id)) ?? byTerms.get(termsOf(row))
      return other === undefined ? [] : [[row.id, other] as const]
    }),
  )
}

type RowsOf = (runId: string) => Promise<ReadonlyMap<string, PayoutRow>>

interface PaidRow {
  readonly row: PayoutRow
  /** Whether the record of its intent says that nothing moved. */
  readonly isDenied: boolean
}

/** The row of a file that a withdrawal pays; undefined for others, and for one that has come back. */
async function findRow({ id, status }: WithdrawalState, rowsOf: RowsOf, ports: RunPorts): Promise<PaidRow | undefined> {
  const intentId = await ports.journal.findClaim(IntentKind.Withdraw, id)
  const intent = intentId === undefined ? undefined : await ports.journal.find(intentId, IntentKind.Withdraw)
  const runId = intent && runOf(intent)
  if (intent === undefined || runId === undefined) return undefined
  if (FAILED_WITHDRAWAL_STATUSES.has(status) && (await endOf(intent, ports)) === 'zero') return undefined
  const row = (await rowsOf(runId)).get(intent.intentId)
  return row && { row, isDenied: intent.state !== IntentState.Done && isSettled(intent.state) }
}

/** By the id of its intent, each row of a run's file that a leg pays. Each run is read once. */
function createRowsOfRuns({ runs }: RunPorts): RowsOf {
  const read = new Map<string, ReturnType<RowsOf>>()
  const readRun: RowsOf = async (runId) => {
    const run = await runs.find(runId)
    if (run === undefined) return new Map()
    const rows = new Map(paymentsOf(run.asPlanned).map((row) => [rowKey(row.id), row]))
    return new Map(
      frozenLegs(run).flatMap(({ key, intentId }) => {
        const row = rows.get(key)
        return row === undefined ? [] : [[intentId, row] as const]
      }),
    )
  }
  return (runId) => {
    const known = read.get(runId) ?? readRun(runId)
    read.set(runId, known)
    return known
  }
}

/**
 * The rows that runs of other policies may still pay. A run is in its policy's record before it reads this. So of two runs that
 * plan at once, at least one finds the other. A run that waits is checked again before it continues: it counts from its
 * approval.
 */
async function findMoving(run: RunRecord, isAlike: (row: PayoutRow) => boolean, ports: RunPorts): Promise<PayoutRow[]> {
  const others = (await readRunsOfRows(ports)).filter(({ policy }) => policy !== run.policy)
  const found = await mapBounded(others, READS_AT_ONCE, async (other) => {
    const legs = other.plan && new Map(other.plan.legs.map((leg) => [leg.key, legIntentId(other.runId, leg)]))
    const alike = paymentsOf(other.asPlanned).filter((row) => isAlike(row) && legs?.has(rowKey(row.id)) !== false)
    if (alike.length === 0 || (isWaiting(other) && !(await goesFirst(other, run, ports)))) return []
    const moving = await mapBounded(alike, READS_AT_ONCE, async (row) =>
      (await mayMove(other, legs?.get(rowKey(row.id)), ports)) ? [row] : [],
    )
    return moving.flat()
  })
  return found.flat()
}

function isWaiting({ outcome }: RunRecord): boolean {
  return outcome === RunEnd.AwaitingApproval
}

/** Whether people have approved the waiting run. Of two that they have approved, the one that was planned first. */
async function goesFirst(waiting: RunRecord, run: RunRecord, ports: RunPorts): Promise<boolean> {
  const { approval } = await withDecisions(waiting, ports)
  return approval?.decision === 'approved' && !(isWaiting(run) && placeOf(run) < placeOf(waiting))
}

function placeOf({ plan, runId }: RunRecord): string {
  return `${plan?.takenAt} ${runId}`
}

/** `intentId`: of the row's leg; undefined for a run without a plan. */
async function mayMove(run: RunRecord, intentId: string | undefined, ports: RunPorts): Promise<boolean> {
  if (intentId === undefined) return !isAtEnd(run)
  // Another run had begun the row before this one, and pays it.
  if (run.results[intentId]?.begunBy !== undefined) return false
  const intent = await ports.journal.find(intentId, IntentKind.Withdraw)
  if (intent === undefined) return !isAtEnd(run)
  // The service's rows of the last days say what an ended run has paid.
  return (await endOf(intent, ports)) === 'open' || (intent.state === IntentState.Done && !isAtEnd(run))
}

/** Includes runs that have ended, where no other run has taken their policy since. @throws Transient, Defect */
export async function readRunsOfRows({
  namesOf,
  policies,
  runs,
  treasury,
}: Pick<RunPorts, 'namesOf' | 'policies' | 'runs' | 'treasury'>): Promise<readonly RunRecord[]> {
  const paying = Object.entries(treasury.policies).filter(([, policy]) => takesRows(policy))
  const names = await mapBounded(paying, READS_AT_ONCE, ([name]) => namesOf(name))
  const memories = await mapBounded([...new Set(names.flat())], READS_AT_ONCE, policies.find)
  const holders = memories.flatMap(({ holder }) => (holder === undefined ? [] : [intentIdOf(holder)]))
  const found = await mapBounded([...new Set(holders)], READS_AT_ONCE, runs.find)
  return found.filter((run) => run !== undefined)
}
