// Compares two configurations, field by field: what loosens a bound, what tightens one, and what does neither. Both are
// parsed, so a default that is written out is no change. Pure.
import { AMOUNT_PATTERN } from '../contract/amount.ts'
import { unitsOf } from '../policies/policy-fault.ts'
import { type BoundRule, type ListRule, ruleOf, type WordRule } from './change-rules.ts'

type ChangeKind = 'loosened' | 'changed' | 'tightened'

export interface Change {
  readonly kind: ChangeKind
  /** From the root of treasury.json: `policies.core.guards.worstSlippageBps`. */
  readonly path: string
  /** In words. */
  readonly text: string
}

const ORDER: readonly ChangeKind[] = ['loosened', 'changed', 'tightened']
/** Maximum depth that is compared. A configuration has some six levels. */
const MOST_LEVELS = 20

/** Loosened bounds first. */
export function changesOf(was: unknown, is: unknown): readonly Change[] {
  const changes = walk([], was, is)
  return ORDER.flatMap((kind) => changes.filter((change) => change.kind === kind))
}

type Path = readonly string[]

function walk(path: Path, was: unknown, is: unknown): Change[] {
  if (path.length > MOST_LEVELS || JSON.stringify(was) === JSON.stringify(is)) return []
  if (path.length === 2 && path[0] === 'policies' && (was === undefined || is === undefined))
    return [ofPolicy(path, is)]
  const rule = ruleOf(path)
  if (rule?.kind === 'bound') return [ofBound(path, rule, was, is)]
  if (rule?.kind === 'list') return ofList(path, rule, was, is)
  if (rule?.kind === 'word') return [ofWord(path, rule, was, is)]
  const [before, after] = [fieldsOf(was), fieldsOf(is)]
  if (before === undefined || after === undefined) return [ofField(path, was, is)]
  const renamed = path.length === 1 && path[0] === 'policies' ? renamedIn(before, after) : new Map<string, string>()
  const taken = new Set(renamed.values())
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !taken.has(name))
  return names.flatMap((name) => walk([...path, name], before[renamed.get(name) ?? name], after[name]))
}

/** The old names of renamed policies, by their new names. Such a policy is compared with itself. */
function renamedIn(before: Fields, after: Fields): ReadonlyMap<string, string> {
  const isGone = (name: unknown): name is string =>
    typeof name === 'string' && Object.hasOwn(before, name) && !Object.hasOwn(after, name)
  return new Map(
    Object.entries(after).flatMap(([name, policy]) => {
      const was = fieldsOf(policy)?.was
      return isGone(was) && !Object.hasOwn(before, name) ? [[name, was] as const] : []
    }),
  )
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of an object or a list; empty for an absent value. Undefined for a plain value. */
function fieldsOf(value: unknown): Fields | undefined {
  if (value === undefined) return {}
  if (value === null || typeof value !== 'object') return undefined
  return Object.fromEntries(Object.entries(value))
}

function ofPolicy(path: Path, is: unknown): Change {
  const { mode } = fieldsOf(is) ?? {}
  if (is === undefined) return change('tightened', path, 'the policy is gone')
  const isLive = mode === 'live'
  return change(
    isLive ? 'loosened' : 'changed',
    path,
    isLive ? 'a new policy moves money' : 'a new policy, in shadow mode',
  )
}

function ofBound(path: Path, { isOptional, looser, name, unit }: BoundRule, was: unknown, is: unknown): Change {
  const shown = (value: unknown) => (value === undefined ? 'no bound' : withUnit(value, unit))
  const text = `${name}: from ${was === undefined || is === undefined ? shown(was) : valueText(was)} to ${shown(is)}`
  if (was === undefined || is === undefined) {
    if (isOptional !== true) return change('changed', path, text)
    return change(is === undefined ? 'loosened' : 'tightened', path, text)
  }
  const [before, after] = [amountOf(was), amountOf(is)]
  if (before === undefined || after === undefined || before === after) return change('changed', path, text)
  return change(after > before === (looser === 'higher') ? 'loosened' : 'tightened', path, text)
}

function ofList(path: Path, rule: ListRule, was: unknown, is: unknown): Change[] {
  const { added, isOptional, looser, name, removed, shown = unchanged } = rule
  if (isOptional === true && was === undefined)
    return [change('tightened', path, `only the listed ${name}s: ${listText(is)}`)]
  if (isOptional === true && is === undefined)
    return [change('loosened', path, `any ${name} is allowed, listed or not`)]
  const [before, after] = [textsOf(was), textsOf(is)]
  const [more, fewer] = looser === 'more' ? (['loosened', 'tightened'] as const) : (['tightened', 'loosened'] as const)
  return [
    ...after
      .filter((entry) => !before.includes(entry))
      .map((entry) => change(more, path, `${name} ${shown(entry)}: ${added}`)),
    ...before
      .filter((entry) => !after.includes(entry))
      .map((entry) => change(fewer, path, `${name} ${shown(entry)}: ${removed}`)),
  ]
}

const unchanged = (entry: string) => entry

function ofWord(path: Path, { looser, name }: WordRule, was: unknown, is: unknown): Change {
  const isLooser = looser(was, is)
  const kind = isLooser === undefined ? 'changed' : isLooser ? 'loosened' : 'tightened'
  return change(kind, path, `${name}: from ${valueText(was)} to ${valueText(is)}`)
}

function ofField(path: Path, was: unknown, is: unknown): Change {
  return change('changed', path, `from ${valueText(was)} to ${valueText(is)}`)
}

function change(kind: ChangeKind, path: Path, text: string): Change {
  return { kind, path: path.join('.'), text }
}

function withUnit(value: unknown, unit: string | undefined): string {
  return unit === undefined ? valueText(value) : `${valueText(value)} ${unit}`
}

function valueText(value: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(valueText) : []
}

function listText(value: unknown): string {
  const texts = textsOf(value)
  return texts.length === 0 ? 'none' : texts.join(', ')
}

function amountOf(value: unknown): bigint | undefined {
  const text = String(value)
  return AMOUNT_PATTERN.test(text) ? unitsOf(text) : undefined
}
