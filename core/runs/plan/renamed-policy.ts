// Lets a renamed policy take over what the record of its old name remembers. It also handles a new policy that may be a renamed
// policy, although treasury.json does not say so.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { INLINE } from '../../contract/policies.ts'
import { listing } from '../../contract/records.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, formatDecimal, greatest, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { RunPorts } from '../ports.ts'
import type { Balances, PolicyMove, PolicyRecord, Turnover, Unapproved } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'
import { trimContacts } from '../record/trimming.ts'
import { readGone } from '../settle/abandoned-balances.ts'

/**
 * The names before this one, oldest first, also where treasury.json does not say them any more. A policy that has one of them now
 * is another policy: it keeps its own runs and balances. @throws Transient, Defect
 */
export async function namesBefore(
  policy: string,
  { namesOf, treasury: { policies } }: RunPorts,
): Promise<readonly string[]> {
  const names = await namesOf(policy)
  return names.slice(0, Math.max(0, names.indexOf(policy))).filter((name) => !Object.hasOwn(policies, name))
}

/**
 * Returns the record under the new name, with everything taken over. Stranded balances move in two writes. Each write requires
 * the version that was read, so a crash leaves the balances in one of the two records. The other fields are copied once, and
 * never lower a value of the new record. A second call changes nothing.
 * @throws Transient
 */
export async function takeOver(memory: PolicyRecord, ports: RunPorts): Promise<PolicyRecord> {
  const { policies } = ports
  const was = (await namesBefore(memory.policy, ports)).at(-1)
  if (was === undefined) return memory
  // A policy may be renamed again before a run of the name between.
  const old = await takeOver(await policies.find(was), ports)
  const taken = memory.takenOver?.[was]
  const pending = pendingOf(old, memory)
  const isNothingLeft = Object.keys(old.residues ?? {}).length === 0
  if (old.version === 0 || (taken !== undefined && pending === undefined && isNothingLeft)) return memory
  const handing =
    pending === undefined ? await policies.advance(old, { residues: {}, handed: handedOf(old, memory.policy) }) : old
  return policies.advance(memory, mergedWith(memory, handing, taken === undefined))
}

/** The same record without writing it, for a plan that moves nothing. @throws Transient */
export async function withOldName(memory: PolicyRecord, ports: RunPorts): Promise<PolicyRecord> {
  const was = (await namesBefore(memory.policy, ports)).at(-1)
  if (was === undefined) return memory
  const old = await withOldName(await ports.policies.find(was), ports)
  const isFirst = memory.takenOver?.[was] === undefined
  const pending = pendingOf(old, memory)?.residues ?? {}
  const handed = { id: 0, to: memory.policy, residues: added(pending, old.residues ?? {}) }
  return { ...memory, ...mergedWith(memory, { ...old, handed }, isFirst) }
}

/** Balances taken out of the old record, and not yet put into the new one. */
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
      // A run of the old name is settled in the old record, so the larger of two rows takes nothing off.
      failedInDoubt: memory.failuresInRow < old.failuresInRow ? undefined : memory.failedInDoubt,
      // The contacts of the present name come first: they stay where the record has no room for all.
      contacts: trimContacts({ ...memory.contacts, ...old.contacts, ...memory.contacts }),
      ...later(memory, old),
      turnover: turnoverOf(memory.turnover, old.turnover),
      unasked: unaskedOf(memory.unasked, old.unasked),
      lastValue: memory.lastValue ?? old.lastValue,
    }),
  }
}

/** The sum for the same day and asset; otherwise the turnover of the later day. */
function turnoverOf(own: Turnover | undefined, former: Turnover | undefined): Turnover | undefined {
  if (own === undefined || former === undefined) return own ?? former
  if (own.day !== former.day || own.asset !== former.asset) return own.day < former.day ? former : own
  return { ...own, value: sum(own.value, former.value) }
}

function later({ lastTradedAt: own }: PolicyRecord, { lastTradedAt: before }: PolicyRecord): PolicyMove {
  const times = [own, before].filter((time) => time !== undefined).sort()
  const last = times.at(-1)
  return last === undefined ? {} : { lastTradedAt: last }
}

/** Values in different assets are added up as if they were in one asset. So a person may be asked once too often. */
function unaskedOf(own: Unapproved | undefined, former: Unapproved | undefined): Unapproved | undefined {
  if (own === undefined || former === undefined) return own ?? former
  return { asset: own.asset, hours: added(former.hours, own.hours) }
}

function added(left: Balances, right: Balances): Balances {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return Object.fromEntries(keys.map((key) => [key, sum(left[key], right[key])]))
}

function sum(left: string | undefined, right: string | undefined): string {
  const read = (text: string | undefined): Decimal => (text === undefined ? ZERO : parseDecimal(text, 'remembered'))
  return formatDecimal(greatest(ZERO, plus(read(left), read(right))))
}

const DAY_MS = 86_400_000
const MOST_LISTED = 1_000

/**
 * A new policy that has moved nothing may be a renamed one, although its file does not say so. Its day's budgets and its
 * turnover would then start anew. So the new policy waits while a removed policy of its kind has moved something within a day.
 * The wait ends when the file says what the policy was. More than 1,000 policies that moved something on one day are a Defect.
 * @returns one sentence on why the policy waits.
 * @throws Transient, Defect
 */
export async function findFormer(
  { policy, kind }: RunRecord,
  { lastTradedAt }: PolicyRecord,
  ports: RunPorts,
): Promise<string | undefined> {
  if (lastTradedAt !== undefined || policy.startsWith(INLINE)) return undefined
  const { index, runs, service } = ports
  const nowMs = service.clock.nowMs()
  const days = [...new Set([dayOf(nowMs - DAY_MS), dayOf(nowMs)])]
  const lists = await mapBounded([listing.residues, ...days.map(listing.movedOn)], READS_AT_ONCE, (list) =>
    index.list(list, MOST_LISTED),
  )
  const named = [...new Set(lists.flat())].filter((name) => !name.startsWith(INLINE))
  for (const { policy: former, lastTradedAt: at, lastRunId } of await readGone(named, ports)) {
    if (at === undefined || Date.parse(at) + DAY_MS <= nowMs) continue
    const last = lastRunId === undefined ? undefined : await runs.find(intentIdOf(lastRunId))
    if (last !== undefined && last.kind !== kind) continue
    const fix = `if ${policy} is that policy, it says so by "was": "${former}"`
    return `policy ${former} is gone from treasury.json, and moved something at ${at}: ${fix}; else it begins a day later`
  }
  return undefined
}
