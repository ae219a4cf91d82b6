// Approval counts what a policy gives up in 24 hours, not one run alone: else a bound on one movement below it would
// switch it off by splitting. Owns the count of what went without being asked for, by the hour. Pure.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { PolicyRecord, Unasked } from '../record/policy-record.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const LONGEST_HOUR = 'YYYY-MM-DDTHH'.length

/** One sentence where a person is to decide on the plan; undefined where it may go. */
export function approvalReason(
  { approval }: Policy,
  { turnover, valuationAsset }: Plan,
  { unasked }: PolicyRecord,
  nowMs: number,
): string | undefined {
  if (approval === undefined) return undefined
  const recent = recentOf(unasked, nowMs)
  const value = parseDecimal(turnover, 'turnover')
  const before = sumOf(recent)
  const own = `its turnover of ${turnover} ${valuationAsset}`
  // What was counted in another asset cannot be added to it: a person looks.
  if (unasked !== undefined && unasked.asset !== valuationAsset && before > 0n) {
    return `${own} cannot be added to the ${formatDecimal(before)} ${unasked.asset} that went unasked in the last 24 hours`
  }
  if (plus(value, before) <= parseDecimal(approval.above, 'approval.above')) return undefined
  const with24 = before === 0n ? '' : `, with ${formatDecimal(before)} that went unasked in the last 24 hours,`
  return `${own}${with24} is more than ${approval.above}`
}

/** With what a run gave up that nobody was asked for. Hours that count no more are left out. */
export function countUnasked(
  known: Unasked | undefined,
  asset: string,
  value: Decimal,
  nowMs: number,
): Unasked | undefined {
  // In another asset than before, both are kept as the newer one's: too much asks once too often.
  const hours = recentOf(known, nowMs)
  if (value === 0n) return known === undefined ? undefined : { asset: known.asset, hours }
  const hour = hourOf(nowMs)
  const sum = plus(parseDecimal(hours[hour] ?? '0', 'unasked'), value)
  return { asset, hours: { ...hours, [hour]: formatDecimal(sum) } }
}

function recentOf(unasked: Unasked | undefined, nowMs: number): Readonly<Record<string, string>> {
  const from = nowMs - DAY_MS
  return Object.fromEntries(
    Object.entries(unasked?.hours ?? {}).filter(([hour]) => Date.parse(`${hour}:00:00.000Z`) + HOUR_MS > from),
  )
}

function sumOf(hours: Readonly<Record<string, string>>): Decimal {
  return Object.values(hours).reduce((sum, value) => plus(sum, parseDecimal(value, 'unasked')), ZERO)
}

function hourOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, LONGEST_HOUR)
}
