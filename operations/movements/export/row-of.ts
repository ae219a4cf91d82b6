// Makes the row of one intent: reads its movement and the prices of its plan, and says what it could not read. Reads only.
import { findOtherMovement } from '../../../core/audit/judge-movement.ts'
import type { Timing } from '../../../core/contract/timing.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../../core/contract/withdraw.ts'
import { Defect } from '../../../core/errors.ts'
import { type ConvertIntent, type Intent, isConversion, type WithdrawIntent } from '../../../core/journal/intent.ts'
import { reportWithdrawal } from '../../../core/movements/withdrawal/report.ts'
import { bookingReads } from '../../../core/service/booking-reads.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import type { RebasedWithdrawal } from '../../../core/service/withdrawals.ts'
import { movementIdOf } from '../record-kind.ts'
import { type MovementRow, RowState, rowWith } from './movement-row.ts'
import type { FindPlanPrices, PlanPrices } from './plan-prices.ts'
import { rowOfConversion } from './row-of-conversion.ts'
import { intentColumns } from './row-of-intent.ts'
import { type ReportedWithdrawal, rowOfWithdrawal } from './row-of-withdrawal.ts'
import type { ShownMovements } from './shown-movements.ts'

export interface RowSources {
  readonly shown: ShownMovements
  readonly findPrices: FindPlanPrices
  readonly service: Pick<ServiceClient, 'clock'> & Parameters<typeof bookingReads>[0]
  readonly timing: Timing
}

export interface FoundRow {
  readonly row: MovementRow
  /** One sentence for each fact that the row cannot show as it should. */
  readonly faults: readonly string[]
}

/** @throws Transient, Refused */
export async function rowOf(intent: Intent, sources: RowSources): Promise<FoundRow> {
  const faults: string[] = []
  const prices = await pricesOf(intent, sources).catch(
    orNote((why) => faults.push(`the prices of its plan cannot be read: ${why}`)),
  )
  try {
    const row = isConversion(intent)
      ? await conversionRow(intent, prices, sources, faults)
      : await withdrawalRow(intent, prices, sources, faults)
    if (row.state === RowState.Missing) faults.push(`the service does not show its movement ${row.movementId}`)
    return { row: { ...row, why: row.why ?? (faults.length === 0 ? null : faults.join('; ')) }, faults }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    const row = rowWith({ ...intentColumns(intent, undefined), state: RowState.Unreadable, why: error.message })
    return { row, faults: [...faults, error.message] }
  }
}

/** The prices of the plan that a movement was a leg of. @throws Defect, Transient */
async function pricesOf(intent: Intent, { findPrices }: RowSources): Promise<PlanPrices | undefined> {
  const { run } = intent.params
  return movementIdOf(intent) === undefined || typeof run !== 'string' ? undefined : findPrices(run)
}

async function conversionRow(
  intent: ConvertIntent,
  prices: PlanPrices | undefined,
  { shown }: RowSources,
  faults: string[],
): Promise<MovementRow> {
  const id = movementIdOf(intent)
  const order = id === undefined ? undefined : await shown.order(id)
  const other = order && findOtherMovement(order, intent)
  if (other !== undefined) faults.push(`its order at the service is another one: ${other}`)
  return rowOfConversion(intent, order, prices)
}

async function withdrawalRow(
  intent: WithdrawIntent,
  prices: PlanPrices | undefined,
  { shown, ...reads }: RowSources,
  faults: string[],
): Promise<MovementRow> {
  const id = movementIdOf(intent)
  const found = id === undefined ? undefined : await shown.withdrawal(id)
  if (found === undefined) return rowOfWithdrawal(intent, undefined, prices)
  const other = findOtherMovement(found, intent)
  if (other !== undefined) faults.push(`its withdrawal at the service is another one: ${other}`)
  return rowOfWithdrawal(intent, await reportOf(found, intent, reads), prices)
}

/** A failed withdrawal came back only if the ledger shows it, by the rules of the steps. @throws Defect, Transient, Refused */
async function reportOf(
  shown: RebasedWithdrawal,
  intent: WithdrawIntent,
  { service, timing }: Pick<RowSources, 'service' | 'timing'>,
): Promise<ReportedWithdrawal> {
  const { status } = shown
  if (status === 'COMPLETED') return { shown, outcome: status, why: undefined }
  if (!FAILED_WITHDRAWAL_STATUSES.has(status))
    return { shown, outcome: RowState.Processing, why: `the withdrawal is ${status}` }
  const reads = { clock: service.clock, findWithdrawal: async () => shown, ...bookingReads(service) }
  const { outcome, why } = await reportWithdrawal(intent, reads, timing)
  return { shown, outcome, why }
}

/** Notes a Defect, and throws every other error. */
function orNote(note: (why: string) => void): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Defect)) throw error
    note(error.message)
    return undefined
  }
}
