// Finds rows of a file that pay what another row was paid for in the last days: the same payee, asset, amount and reference under
// another id. A list that was exported again may have new ids. The service says what was sent, and the journal for which row.
// Two such rows of one file are two payments. A row is its own other one if it was sent, and its record says that nothing moved:
// somebody has changed the record. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { foldId, type PayoutRow } from '../../contract/payouts.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import { runOf } from '../../journal/entering.ts'
import { isSettled } from '../../journal/intent.ts'
import { formatDecimal, parseDecimal } from '../../money/decimal.ts'
import { rowKey } from '../../planning/payouts/rows.ts'
import { paymentsOf } from '../../policies/kinds.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { termsOfRow } from '../payouts/row-terms.ts'
import type { RunPorts } from '../ports.ts'
import { frozenLegs } from '../record/run-record.ts'
import { endOf } from './payments.ts'

type Ports = Pick<RunPorts, 'journal' | 'runs' | 'service' | 'treasury'>

/**
 * By the id of a row, the id for which it was paid. `rows`: the whole file. `sent`: withdrawals by settled code. Needs a measured clock.
 * @throws Transient, Defect
 */
export async function findPaidAlike(
  rows: readonly PayoutRow[],
  sent: ReadonlyMap<string, readonly WithdrawalState[]>,
  settled: (code: string) => string,
  ports: Ports,
): Promise<ReadonlyMap<string, string>> {
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
  const others = found.flatMap(({ row }) => (own.has(foldId(row.id)) ? [] : [row]))
  const byTerms = new Map(others.map((row) => [termsOfRow({ ...row, asset: settled(row.asset) }), row.id]))
  return new Map(
    rows.flatMap((row) => {
      const other = denied.get(foldId(row.id)) ?? byTerms.get(termsOfRow({ ...row, asset: settled(row.asset) }))
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
async function findRow({ id, status }: WithdrawalState, rowsOf: RowsOf, ports: Ports): Promise<PaidRow | undefined> {
  const intentId = await ports.journal.findClaim(IntentKind.Withdraw, id)
  const intent = intentId === undefined ? undefined : await ports.journal.find(intentId, IntentKind.Withdraw)
  const runId = intent && runOf(intent)
  if (intent === undefined || runId === undefined) return undefined
  if (FAILED_WITHDRAWAL_STATUSES.has(status) && (await endOf(intent, ports)) === 'zero') return undefined
  const row = (await rowsOf(runId)).get(intent.intentId)
  return row && { row, isDenied: intent.state !== IntentState.Done && isSettled(intent.state) }
}

/** By the id of its intent, each row of a run's file that a leg pays. Each run is read once. */
function createRowsOfRuns({ runs }: Pick<Ports, 'runs'>): RowsOf {
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
