// Judges whether a policy that limits others, such as a permissions boundary, lets a permission through. It reads the
// grammar of IAM and the few condition keys that are known before a deployment. Every other condition stays open. Pure.
// Source: IAM User Guide, "Policy evaluation logic" and "IAM JSON policy elements".
import * as z from 'zod/mini'
import type { Permission } from './needed-permissions.ts'

const texts = z.union([z.string(), z.array(z.string())])
const values = z.union([z.string(), z.boolean(), z.number(), z.array(z.union([z.string(), z.boolean(), z.number()]))])
const statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.optional(texts),
  NotAction: z.optional(texts),
  Resource: z.optional(texts),
  NotResource: z.optional(texts),
  /** Only in the policy of an endpoint. */
  Principal: z.optional(z.union([z.string(), z.record(z.string(), texts)])),
  NotPrincipal: z.optional(z.unknown()),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), values))),
})
const document = z.object({ Statement: z.union([statement, z.array(statement)]) })
type Statement = z.infer<typeof statement>

export type LimitingPolicy = readonly Statement[]

/** Values of condition keys, by their names in lower case. */
export type KnownValues = Readonly<Record<string, string>>

/** `open`: a condition decides, on these keys. */
export type Verdict = { readonly is: 'allowed' | 'refused' } | { readonly is: 'open'; readonly keys: readonly string[] }

/** Undefined: the text is no policy. */
export function parseLimitingPolicy(text: string): LimitingPolicy | undefined {
  try {
    return [document.parse(JSON.parse(text)).Statement].flat()
  } catch {
    return undefined
  }
}

export function judge(policy: LimitingPolicy, permission: Permission, known: KnownValues): Verdict {
  const fitting = policy.flatMap(({ Effect, ...each }) => {
    const part = partOf(each, permission, known)
    if (part === 'none') return []
    const met = isMet(each, known)
    // A condition that is not met counts whatever the resources are.
    if (part === 'all' || met === false) return [{ Effect, met }]
    return [{ Effect, met: [SOME_RESOURCES, ...(met === true ? [] : met)] }]
  })
  const of = (effect: Statement['Effect']) => fitting.filter(({ Effect }) => Effect === effect).map(({ met }) => met)
  if (of('Deny').includes(true) || of('Allow').every((met) => met === false)) return { is: 'refused' }
  const denials = of('Deny').filter((met) => met !== false)
  const isAllowed = of('Allow').includes(true)
  if (isAllowed && denials.length === 0) return { is: 'allowed' }
  const open = [...denials, ...(isAllowed ? [] : of('Allow'))].filter((met) => typeof met !== 'boolean')
  return { is: 'open', keys: [...new Set(open.flat())] }
}

/** Named beside condition keys: whether the statement is about the very resource shows only on AWS. */
const SOME_RESOURCES = 'Resource'

/** How much of the permission the statement is about. An action is one, and a resource may be many. */
function partOf(
  { Action, NotAction, NotResource, Resource }: Omit<Statement, 'Effect'>,
  { action, resource }: Permission,
  known: KnownValues,
): 'all' | 'some' | 'none' {
  const isAmong = (patterns: string | readonly string[]) =>
    [patterns].flat().some((pattern) => glob(pattern, 'i').test(action))
  if (Action === undefined ? isAmong(NotAction ?? []) : !isAmong(Action)) return 'none'
  const patterns = [Resource ?? NotResource ?? []].flat().map((pattern) => withKnown(pattern, known))
  const isWhole = patterns.some((pattern) => !pattern.includes(VARIABLE) && glob(pattern, '').test(resource))
  if (isWhole) return Resource === undefined ? 'none' : 'all'
  if (patterns.some((pattern) => haveCommon(pattern.replaceAll(VARIABLE, '*'), resource))) return 'some'
  return Resource === undefined ? 'all' : 'none'
}

/** Stands for a policy variable that nobody knows before. No policy has this character. */
const VARIABLE = '\0'

/** Puts what is known in place of policy variables such as ${aws:PrincipalAccount}. */
function withKnown(text: string, known: KnownValues): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => known[name.toLowerCase()] ?? VARIABLE)
}

/** In a policy * is any text, and ? any letter. A * of the permission counts as a letter, so * alone covers it. */
function glob(pattern: string, flags: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '[^*]')}$`, flags)
}

/** Whether some text fits both patterns. `ends`: where in the second one may be after each letter of the first. */
function haveCommon(first: string, second: string): boolean {
  const pastStars = (places: ReadonlySet<number>) => {
    const all = new Set(places)
    for (const place of all) if (second[place] === '*') all.add(place + 1)
    return all
  }
  let ends: ReadonlySet<number> = pastStars(new Set([0]))
  for (const letter of first) {
    const next = [...ends].flatMap((place) => {
      if (letter === '*') return Array.from({ length: second.length - place + 1 }, (_, more) => place + more)
      if (second[place] === '*') return [place]
      const isFit = place < second.length && (letter === '?' || second[place] === '?' || second[place] === letter)
      return isFit ? [place + 1] : []
    })
    ends = pastStars(new Set(next))
  }
  return ends.has(second.length)
}

/** True or false where it is known, and otherwise the names of the keys that decide. */
function isMet(
  { Condition = {}, NotPrincipal, Principal }: Omit<Statement, 'Effect'>,
  known: KnownValues,
): boolean | readonly string[] {
  const isAnybody = Principal === undefined || Principal === '*' || JSON.stringify(Principal) === '{"AWS":"*"}'
  const callers = isAnybody && NotPrincipal === undefined ? [] : [['Principal']]
  const met = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => holds(operator, key, { wanted: [wanted].flat().map(String), known })),
  )
  if (met.includes(false)) return false
  const open = [...callers, ...met.filter((each) => typeof each !== 'boolean')].flat()
  return open.length === 0 ? true : open
}

/** Operators on texts, and on true and false in any case. A pattern without * and ? is the text itself. */
const OPERATOR = /^(?:Bool|String(Not)?(Equals|EqualsIgnoreCase|Like))(?:IfExists)?$/

function holds(
  operator: string,
  key: string,
  { known, wanted }: { readonly wanted: readonly string[]; readonly known: KnownValues },
): boolean | readonly string[] {
  const read = OPERATOR.exec(operator)
  const value = known[key.toLowerCase()]
  if (read === null || value === undefined) return [key]
  const [, not, comparison] = read
  const texts = wanted.map((each) => withKnown(each, known))
  if (texts.some((each) => each.includes(VARIABLE))) return [key]
  const isAmong = texts.some((each) => {
    if (comparison === 'Like') return glob(each, '').test(value)
    return comparison === 'Equals' ? each === value : each.toLowerCase() === value.toLowerCase()
  })
  return isAmong !== (not !== undefined)
}
