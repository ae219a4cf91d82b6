// Trims a plan, its results and a policy's contacts to the size of their record: a DynamoDB item holds 400 KB. Legs stay whole,
// because they are what moves. The most important positions and reasons stay, and the plan notes what was left out. The plan of
// a long file keeps a leg or a reason for each row, because the journal keeps long lists in pages. Pure.
import { MOST_ROWS_IN_REQUEST } from '../../contract/payouts.ts'
import { MOST_LEGS, type Plan, type PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { PolicyRecord } from './policy-record.ts'
import { assetsOf, type LegResult } from './run-record.ts'

/** Bytes of the plan and of the results. With the other fields they stay below the item's limit. */
const PLAN_LIMIT_BYTES = 190_000
const RESULTS_LIMIT_BYTES = 50_000
/** Bytes of the contacts in a policy's record, which is one item too. */
const CONTACTS_LIMIT_BYTES = 200_000
const LONGEST_REASON = 200
/** Characters of the reason of a leg that was planned again: the planned leg is stored too. */
const LONGEST_REASON_ANEW = 100
/** Maximum messages. A longer list is only useful to programs, and they can plan again. */
const MOST_GUARD_MESSAGES = 100
/** Entries of a list that are tried first. While the record is too long, half as many are tried. */
const KEPT_AT_FIRST = 1_000

/** Fills of each conversion in a run with more legs than an item holds. */
const FILLS_OF_LONG_RUN = 20

/** Bytes of all legs. Beyond that reasons are cut, so that amounts and destinations stay whole. */
const LEGS_LIMIT_BYTES = 120_000
const LONGEST_REASON_OF_MANY = 16

/** Bytes of the ways that trades do not take. A plan with many legs has no room for them. */
const OTHER_WAYS_LIMIT_BYTES = 12_000
const MANY_LEGS = 150

/** Bytes of the mark at the end of a cut text, counted as characters. */
const MARK_BYTES = 3

/** Trims the legs of a phase that was planned again. */
export function trimLegs(legs: readonly PlanLeg[], longest = LONGEST_REASON_ANEW): PlanLeg[] {
  const trimmed = legs.map((leg) => ({ ...leg, reason: cut(leg.reason, longest) }))
  if (bytesOf(trimmed) <= LEGS_LIMIT_BYTES) return trimmed
  const named = new Set<string>()
  return trimmed.map((leg) => {
    const reason = cut(leg.reason, LONGEST_REASON_OF_MANY)
    if (leg.kind === IntentKind.Convert || leg.payee === undefined) return { ...leg, reason }
    const isNamed = named.has(leg.contactId)
    named.add(leg.contactId)
    // The first leg to a contact shows its labels for all legs.
    const { paidAs: _paidAs, ...unnamed } = { ...leg.payee, alias: null, reference: null }
    return { ...leg, reason, payee: isNamed ? unnamed : leg.payee }
  })
}

/** Cuts a long text at the end of a word, if one is near, and adds a mark. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const kept = text.slice(0, longest - MARK_BYTES)
  const space = kept.lastIndexOf(' ')
  return `${space > longest / 2 ? kept.slice(0, space) : kept}…`
}

const shortReason = <Reasoned extends { readonly reason: string }>(each: Reasoned): Reasoned => ({
  ...each,
  reason: cut(each.reason, LONGEST_REASON),
})

export function trimPlan(plan: Plan): Plan {
  if (isOfLongFile(plan)) {
    const { legs, nonLegs, guards } = plan
    const short = { legs: legs.map(shortReason), nonLegs: nonLegs.map(shortReason) }
    return { ...plan, ...short, guards: guards.slice(0, MOST_GUARD_MESSAGES) }
  }
  const legs = trimLegs(plan.legs, LONGEST_REASON)
  const short = withShortTrades({ ...plan, legs, guards: plan.guards.slice(0, MOST_GUARD_MESSAGES) })
  for (let kept = KEPT_AT_FIRST; ; kept = Math.floor(kept / 2)) {
    const trimmed = keeping(short, kept)
    if (kept === 0 || bytesOf(trimmed) <= PLAN_LIMIT_BYTES) return trimmed
  }
}

/** Whether the plan has more rows of a file than a request holds: its record is then kept in several items. */
function isOfLongFile({ legs, nonLegs }: Plan): boolean {
  const rows =
    legs.filter(({ once }) => once !== undefined).length + nonLegs.filter(({ row }) => row !== undefined).length
  return rows > MOST_ROWS_IN_REQUEST
}

/** Keeps the taken ways, because they are approved. Of the other ways, keeps the ways of the most valuable trades. */
function withShortTrades(plan: Plan): Plan {
  const { trades = [], guards } = plan
  let bytes = plan.legs.length > MANY_LEGS ? OTHER_WAYS_LIMIT_BYTES : 0
  const kept = trades.findIndex(({ others }) => {
    bytes += bytesOf(others)
    return bytes > OTHER_WAYS_LIMIT_BYTES
  })
  if (kept < 0) return plan
  const says = `of ${trades.length} trades the record keeps the other ways of ${kept}`
  return {
    ...plan,
    trades: trades.map((trade, index) => (index < kept ? trade : { ...trade, others: [] })),
    guards: [...guards, { guard: 'record', says }],
  }
}

function keeping(plan: Plan, kept: number): Plan {
  const { positions, nonLegs, guards } = plan
  if (positions.length <= kept && nonLegs.length <= kept) return plan
  const message =
    `of ${positions.length} positions and ${nonLegs.length} reasons not to move, the record keeps ` +
    `${Math.min(kept, positions.length)} and ${Math.min(kept, nonLegs.length)}`
  return {
    ...plan,
    positions: mostWorth(positions, plan.legs).slice(0, kept),
    nonLegs: nonLegs.slice(0, kept),
    guards: [...guards, { guard: 'record', says: message }],
  }
}

/** Positions that legs touch come first, then the others by value. */
function mostWorth(positions: Plan['positions'], legs: Plan['legs']): Plan['positions'] {
  const touched = new Set(assetsOf(legs))
  const rank = positions.map((position) => ({
    position,
    isTouched: touched.has(position.asset),
    value: parseDecimal(position.value, 'value'),
  }))
  rank.sort((left, right) => {
    if (left.isTouched !== right.isTouched) return left.isTouched ? -1 : 1
    return left.value > right.value ? -1 : left.value < right.value ? 1 : 0
  })
  return rank.map(({ position }) => position)
}

/**
 * Leaves out the contacts that a policy's record has no room for. Only a file names so many, and it needs no proof of a
 * contact.
 */
export function trimContacts(reached: PolicyRecord['contacts']): PolicyRecord['contacts'] {
  let bytes = 0
  const fits = (entry: readonly unknown[]) => {
    bytes += bytesOf(entry)
    return bytes <= CONTACTS_LIMIT_BYTES
  }
  return Object.fromEntries(Object.entries(reached).filter(fits))
}

/** Where all fills together are too long, the longest lists are cut first: the service still has the fills. */
export function trimResults(results: Readonly<Record<string, LegResult>>): Readonly<Record<string, LegResult>> {
  if (Object.keys(results).length > MOST_LEGS) return trimmedOfLongRun(results)
  for (let kept = KEPT_AT_FIRST; ; kept = Math.floor(kept / 2)) {
    const trimmed = Object.fromEntries(Object.entries(results).map(([id, result]) => [id, withFills(result, kept)]))
    if (kept === 0 || bytesOf(trimmed) <= RESULTS_LIMIT_BYTES) return trimmed
  }
}

/** The results of a long file are kept in pages, and its few conversions have few fills. */
export function trimmedOfLongRun(results: Readonly<Record<string, LegResult>>): Readonly<Record<string, LegResult>> {
  return Object.fromEntries(Object.entries(results).map(([id, result]) => [id, withFills(result, FILLS_OF_LONG_RUN)]))
}

function withFills(result: LegResult, kept: number): LegResult {
  const fills = result.conversion?.fills
  if (result.conversion === undefined || fills === undefined || fills.length <= kept) return result
  const conversion = { ...result.conversion, fills: fills.slice(0, kept) }
  const why = [result.why, `${kept} of its ${fills.length} fills are kept here`].filter(Boolean).join('; ')
  return { ...result, conversion, why }
}

/** Bytes of UTF-8 of the value as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
