// A policy that was renamed: what its old name's record remembers goes over to the new one's. What lies on its way is
// handed over in two writes, each under its version, so that it is in one of the two whatever is cut off; the rest is
// copied once, and never makes the new one's less.
import type { Policy } from '../../contract/policies.ts'
import { type Decimal, formatDecimal, greatest, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyMove, PolicyRecord, Unasked } from '../record/policy-record.ts'

/** The new one's record, with all that there is to take over. Again changes nothing. @throws Transient */
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

/** What it would be: for a plan that moves nothing, and so writes nothing of it. @throws Transient */
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
function turnoverOf(own: PolicyRecord['turnover'], before: PolicyRecord['turnover']): PolicyRecord['turnover'] {
  if (own === undefined || before === undefined) return own ?? before
  if (own.day !== before.day || own.asset !== before.asset) return own.day < before.day ? before : own
  return { ...own, value: sum(own.value, before.value) }
}

/** Counted in different assets, the larger figure stands for both: it may ask once too often. */
function unaskedOf(own: Unasked | undefined, before: Unasked | undefined): Unasked | undefined {
  if (own === undefined || before === undefined) return own ?? before
  return { asset: own.asset, hours: added(before.hours, own.hours) }
}

function added(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(keys.map((key) => [key, sum(one[key], other[key])]))
}

function sum(one: string | undefined, other: string | undefined): string {
  const read = (text: string | undefined): Decimal => (text === undefined ? ZERO : parseDecimal(text, 'remembered'))
  return formatDecimal(greatest(ZERO, plus(read(one), read(other))))
}
