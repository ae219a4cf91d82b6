// A policy that was renamed takes over what the record of its old name remembers. Owns also the case of a new policy
// that may be a renamed one, although treasury.json does not say so.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import type { Policy } from '../../contract/policies.ts'
import { listing } from '../../contract/records.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, formatDecimal, greatest, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { RunPorts } from '../ports.ts'
import type { Balances, PolicyMove, PolicyRecord, Turnover, Unasked } from '../record/policy-record.ts'
import { INLINE } from '../record/request.ts'
import type { RunRecord } from '../record/run-record.ts'
import { isGone } from '../settle/abandoned-balances.ts'

/**
 * The record under the new name, with all that there is to take over. Stranded balances are handed over in two writes,
 * each under its version, so that they are in one of the two records whatever is cut off. The rest is copied once, and
 * never makes the new one's less. Again changes nothing. @throws Transient
 */
export async function takeOver(
  memory: PolicyRecord,
  { was }: Policy,
  { policies }: Pick<RunPorts, 'policies'>,
): Promise<PolicyRecord> {
  if (was === undefined) return memory
  const old = await policies.find(was)
  const taken = memory.takenOver?.[was]
  const pending = pendingOf(old, memory)
  const isNothingLeft = Object.keys(old.residues ?? {}).length === 0
  if (old.version === 0 || (taken !== undefined && pending === undefined && isNothingLeft)) return memory
  const handing =
    pending === undefined ? await policies.advance(old, { residues: {}, handed: handedOf(old, memory.policy) }) : old
  return policies.advance(memory, mergedWith(memory, handing, taken === undefined))
}

/** What that record would be: for a plan that moves nothing, and so writes nothing of it. @throws Transient */
export async function withOldName(
  memory: PolicyRecord,
  { was }: Policy,
  { policies }: Pick<RunPorts, 'policies'>,
): Promise<PolicyRecord> {
  if (was === undefined) return memory
  const old = await policies.find(was)
  const isFirst = memory.takenOver?.[was] === undefined
  const pending = pendingOf(old, memory)?.residues ?? {}
  const handed = { id: 0, to: memory.policy, residues: added(pending, old.residues ?? {}) }
  return { ...memory, ...mergedWith(memory, { ...old, handed }, isFirst) }
}

/** Taken out of the old record, and not yet put into the new one. */
function pendingOf({ policy, handed }: PolicyRecord, { policy: to, takenOver }: PolicyRecord): PolicyRecord['handed'] {
  return handed !== undefined && handed.to === to && takenOver?.[policy] !== handed.id ? handed : undefined
}

function handedOf({ version, residues = {} }: PolicyRecord, to: string): NonNullable<PolicyRecord['handed']> {
  return { id: version, to, residues }
}

function mergedWith(memory: PolicyRecord, old: PolicyRecord, isFirst: boolean): PolicyMove {
  const { handed } = old
  if (handed === undefined) throw new TypeError(`policy ${old.policy} has handed nothing over`)
  return {
    takenOver: { ...memory.takenOver, [old.policy]: handed.id },
    residues: added(memory.residues ?? {}, handed.residues),
    ...(isFirst && {
      failuresInRow: Math.max(memory.failuresInRow, old.failuresInRow),
      contacts: { ...old.contacts, ...memory.contacts },
      ...later(memory, old),
      turnover: turnoverOf(memory.turnover, old.turnover),
      unasked: unaskedOf(memory.unasked, old.unasked),
      lastValue: memory.lastValue ?? old.lastValue,
    }),
  }
}

function later({ lastTradedAt: own }: PolicyRecord, { lastTradedAt: before }: PolicyRecord): PolicyMove {
  const times = [own, before].filter((time) => time !== undefined).sort()
  const last = times.at(-1)
  return last === undefined ? {} : { lastTradedAt: last }
}

/** Of the same day both; else that of the later one. */
function turnoverOf(own: Turnover | undefined, before: Turnover | undefined): Turnover | undefined {
  if (own === undefined || before === undefined) return own ?? before
  if (own.day !== before.day || own.asset !== before.asset) return own.day < before.day ? before : own
  return { ...own, value: sum(own.value, before.value) }
}

/** Counted in different assets, the larger figure stands for both: it may ask once too often. */
function unaskedOf(own: Unasked | undefined, before: Unasked | undefined): Unasked | undefined {
  if (own === undefined || before === undefined) return own ?? before
  return { asset: own.asset, hours: added(before.hours, own.hours) }
}

function added(one: Balances, other: Balances): Balances {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(keys.map((key) => [key, sum(one[key], other[key])]))
}

function sum(one: string | undefined, other: string | undefined): string {
  const read = (text: string | undefined): Decimal => (text === undefined ? ZERO : parseDecimal(text, 'remembered'))
  return formatDecimal(greatest(ZERO, plus(read(one), read(other))))
}

const DAY_MS = 86_400_000
const MOST_LISTED = 1_000

/**
 * A new policy, under a name that has moved nothing yet, may be one that was renamed without a word: its day's budgets
 * and its turnover would begin anew. So while a policy of its kind is gone from treasury.json that moved something within
 * a day, the new one has its day used up, until the file says what it was.
 * @returns one sentence where it is not to begin yet. @throws Transient, Defect beyond 1,000 policies that moved on a day
 */
export async function findFormer(
  { policy, kind }: RunRecord,
  { lastTradedAt }: PolicyRecord,
  ports: Pick<RunPorts, 'index' | 'policies' | 'runs' | 'service' | 'treasury'>,
): Promise<string | undefined> {
  if (lastTradedAt !== undefined || policy.startsWith(INLINE)) return undefined
  const { index, policies, runs, service, treasury } = ports
  const nowMs = service.clock.nowMs()
  const days = [...new Set([dayOf(nowMs - DAY_MS), dayOf(nowMs)])]
  const lists = await mapBounded([listing.residues, ...days.map(listing.movedOn)], READS_AT_ONCE, (list) =>
    index.list(list, MOST_LISTED),
  )
  const gone = [...new Set(lists.flat())].filter((name) => !name.startsWith(INLINE) && isGone(name, treasury))
  const records = await mapBounded(gone, READS_AT_ONCE, (name) => policies.find(name))
  for (const { policy: former, lastTradedAt: at, lastRunId } of records) {
    if (at === undefined || Date.parse(at) + DAY_MS <= nowMs) continue
    const last = lastRunId === undefined ? undefined : await runs.find(intentIdOf(lastRunId))
    if (last !== undefined && last.kind !== kind) continue
    const fix = `if ${policy} is that policy, it says so by "was": "${former}"`
    return `policy ${former} is gone from treasury.json, and moved something at ${at}: ${fix}; else it begins a day later`
  }
  return undefined
}
