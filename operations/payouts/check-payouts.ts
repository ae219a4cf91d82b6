// Checks a payout file whole, and moves nothing: its lines, its rows by the policy's own plan at the service, and its totals
// against the balances. The state machine that pays makes the plans.
import { NonLegCode, type Plan } from '../../core/contract/plan.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { type CheckedPayouts, checkLines, type PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import type { FiledRow, PayoutFile } from '../../core/runs/payouts/payout-file.ts'
import type { OperationContext } from '../context.ts'
import { outcomeWords } from '../words/outcome-words.ts'
import { type PayoutDesk, type Reporting, runFile } from './payout-runs.ts'

export type { PayoutTotal } from '../../core/runs/payouts/payout-totals.ts'
export { type CheckedPayouts, checkLines, type PayoutFinding }

/** Plans the file as a run would. @throws OperationError where the plan could not be asked for */
export async function checkPayouts(
  file: PayoutFile,
  desk: PayoutDesk,
  again: string,
  reporting: Reporting,
  context: OperationContext,
): Promise<CheckedPayouts> {
  const checked = checkLines(desk.name, file)
  if (checked.findings.length > 0) return { ...checked, toPay: 0 }
  const result = await runFile(desk, { rows: file.rows, again }, reporting, context)
  const plan = 'plan' in result ? result.plan : undefined
  if (plan === undefined || result.outcome !== RunEnd.Shadowed) {
    const says = `${result.outcome}: ${result.why ?? outcomeWords(result.outcome).says}`
    return { ...checked, findings: [{ says }], toPay: 0 }
  }
  const found = findingsOf(plan, file.rows)
  const findings = found.filter(({ isFault }) => isFault).map(({ isFault: _isFault, ...rest }) => rest)
  const notes = found.filter(({ isFault }) => !isFault).map(({ isFault: _isFault, ...rest }) => rest)
  const planned = plan.legs.filter(({ once }) => once !== undefined).length
  return { ...checked, findings, notes: [...checked.notes, ...notes], toPay: findings.length > 0 ? 0 : planned }
}

interface Found extends PayoutFinding {
  readonly isFault: boolean
}

/** The guard under which the planner reports that rows go together. */
const FILE_GUARD = 'file'

/** Codes that are about an asset, and not about a row. */
const OF_WHOLE_FILE: ReadonlySet<string> = new Set([NonLegCode.NothingSpendable, NonLegCode.CutShort])

function findingsOf({ nonLegs, guards }: Plan, rows: readonly FiledRow[]): Found[] {
  const isStopped = guards.some(({ guard }) => guard === FILE_GUARD)
  const others = guards.filter(({ guard }) => guard !== FILE_GUARD).map(({ says }) => ({ says, isFault: true }))
  const lines = new Map(rows.map(({ id, line }) => [id, line]))
  const found = nonLegs.flatMap(({ row: id, code, reason }): Found[] => {
    if (id === undefined) {
      return isStopped && OF_WHOLE_FILE.has(code) ? [{ says: reason, isFault: true }] : []
    }
    const line = lines.get(id)
    const says = reason.replace(`row ${id}: `, '')
    const isFault = isStopped && code !== NonLegCode.AlreadyPaid
    return [{ ...(line !== undefined && { line }), id, says, isFault }]
  })
  return [...found, ...others]
}
