// Checks a payout file whole, and moves nothing: its lines, its rows by the policy's own plan at the service, and its totals
// against the balances. The state machine that pays makes the plans. A faulty line hides no finding of another row.

import { foldId, MOST_ROWS_OF_FILE } from '../../core/contract/payouts.ts'
import { LEGS_AT_ONCE, NonLegCode, type Plan } from '../../core/contract/plan.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { rowKey } from '../../core/planning/payouts/rows.ts'
import { type CheckedPayouts, checkLines, type PayoutFinding, totalsOf } from '../../core/runs/payouts/check-lines.ts'
import type { FiledRow, PayoutFile } from '../../core/runs/payouts/payout-file.ts'
import type { Step } from '../../place/next-step.ts'
import { OperationError } from '../../place/operation-error.ts'
import { outcomeWords } from '../words/outcome-words.ts'
import { payeeText } from '../words/request-words.ts'
import { type PayingPolicy, type Reporting, runFile } from './payout-runs.ts'

export type { PayoutTotal } from '../../core/runs/payouts/check-lines.ts'
export { type CheckedPayouts, checkLines, type PayoutFinding }

/** Plans the rows, or those without a fault of their own, as a run would. @throws OperationError without a plan of sound rows */
export async function checkPayouts(
  file: PayoutFile,
  payingPolicy: PayingPolicy,
  again: Step,
  reporting: Reporting,
): Promise<CheckedPayouts> {
  const checked = checkLines(payingPolicy.name, file)
  const rows = plannable(file.rows)
  if (rows.length === 0) return { ...checked, ...NOTHING }
  const planned = await planRows(rows, payingPolicy, again, reporting).catch((error: unknown): PlannedRows => {
    // The faults of the lines are known without the service.
    if (checked.findings.length === 0 || !(error instanceof OperationError)) throw error
    return { findings: [{ says: `the other rows could not be checked: ${error.message}` }], notes: [], ...NOTHING }
  })
  const findings = [...checked.findings, ...planned.findings].sort(
    (one, other) => (one.line ?? Number.POSITIVE_INFINITY) - (other.line ?? Number.POSITIVE_INFINITY),
  )
  return {
    ...checked,
    findings,
    notes: [...checked.notes, ...planned.notes],
    ...(findings.length > 0 ? NOTHING : { toPay: planned.toPay, totalsToPay: planned.totalsToPay }),
    payees: { ...payeesAsWritten(rows), ...planned.payees },
  }
}

const NOTHING = { toPay: 0, totalsToPay: totalsOf([]), payees: {} } as const

/** The rows that a run would take: each id once, and nothing of a file that is too long. */
function plannable(rows: readonly FiledRow[]): readonly FiledRow[] {
  if (rows.length > MOST_ROWS_OF_FILE) return []
  const ids = new Set<string>()
  return rows.filter(({ id }) => !ids.has(foldId(id)) && ids.add(foldId(id)))
}

type PlannedRows = Pick<CheckedPayouts, 'findings' | 'notes' | 'toPay' | 'totalsToPay' | 'payees'>

/** A contact has two labels in the file where a row is wrong. */
function payeesAsWritten(rows: readonly FiledRow[]): CheckedPayouts['payees'] {
  const named = rows.filter(({ contactReference }) => contactReference !== undefined)
  return Object.fromEntries(
    [...Map.groupBy(named, ({ contactId }) => contactId)].map(([contactId, rowsOfContact]) => {
      const labels = new Set(rowsOfContact.map(({ contactReference }) => `"${contactReference}"`))
      return [contactId, `${[...labels].join(' or ')} (id ${contactId})`]
    }),
  )
}

async function planRows(
  rows: readonly FiledRow[],
  payingPolicy: PayingPolicy,
  again: Step,
  reporting: Reporting,
): Promise<PlannedRows> {
  const result = await runFile(payingPolicy, { rows, again }, reporting)
  const plan = 'plan' in result ? result.plan : undefined
  if (plan === undefined || result.outcome !== RunEnd.Shadowed) {
    const says = `${result.outcome}: ${result.why ?? outcomeWords(result.outcome).says}`
    return { findings: [{ says }], notes: [], ...NOTHING }
  }
  const found = findingsOf(plan, rows)
  const findings = found.filter(({ isFault }) => isFault).map(({ isFault: _isFault, ...rest }) => rest)
  const notes = found.filter(({ isFault }) => !isFault).map(({ isFault: _isFault, ...rest }) => rest)
  const planned = plan.legs.filter(({ once }) => once !== undefined).length
  const left = new Set(plan.nonLegs.map(({ row }) => row))
  const totalsToPay = totalsOf(rows.filter(({ id }) => !left.has(id)))
  const repeats = repeatNotes(plan, rows)
  const told = [...notes, ...repeats, ...bankNote(plan, payingPolicy)]
  return { findings, notes: told, toPay: planned, totalsToPay, payees: payeesOf(plan) }
}

/** In a run of very many legs a contact may be without its labels: then the file's own stay. */
function payeesOf({ legs }: Plan): CheckedPayouts['payees'] {
  const payees = legs.flatMap((leg) => ('payee' in leg && leg.payee && leg.payee.alias !== null ? [leg.payee] : []))
  return Object.fromEntries(payees.map((payee) => [payee.contactId, payeeText(payee.contactId, payee)]))
}

/** Rows that may have been paid already, under their id or another. The run waits for a person. */
function repeatNotes({ legs }: Plan, rows: readonly FiledRow[]): PayoutFinding[] {
  const withdrawals = new Map(
    legs.flatMap((leg) => (leg.kind === IntentKind.Withdraw ? [[leg.key, leg] as const] : [])),
  )
  return rows.flatMap(({ id, line }) => {
    const { backByBalance, paidAs } = withdrawals.get(rowKey(id)) ?? {}
    const says = [
      backByBalance !== undefined && `only the balance shows that its failed withdrawal ${backByBalance} came back`,
      paidAs !== undefined &&
        `row ${paidAs} is paid the same, now or in the last four days, to the same contact with the same reference`,
    ]
    return says.flatMap((each) => (each === false ? [] : [{ line, id, says: `${each}: the run waits for a person` }]))
  })
}

/** A row to a bank is under way until the bank's end shows: with more such rows than go at once, others may not be sent in time. */
function bankNote({ legs }: Plan, { policy, treasury }: PayingPolicy): PayoutFinding[] {
  const toBanks = legs.filter((leg) => 'payee' in leg && leg.payee?.type === BANK_ACCOUNT).length
  if (toBanks <= LEGS_AT_ONCE || treasury.timing.bankPayoutHours === 0) return []
  const says =
    `${toBanks} rows go to banks, ${LEGS_AT_ONCE} at a time, and each is under way until its bank's end shows, which may take ` +
    `${treasury.timing.bankPayoutHours} h. The run sends rows for ${policy.runLifeSeconds} s. Rows that it has not sent ` +
    'by then are certainly not paid: run the same file again under another id, which pays only those'
  return [{ says }]
}

interface Found extends PayoutFinding {
  readonly isFault: boolean
}

const BANK_ACCOUNT = 'BANK_ACCOUNT'

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
