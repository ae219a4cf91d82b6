// Judges whether CloudFormation can carry out a deployment over what is deployed, and without losing anything: exports in
// use, names that are taken, records and keys. It knows nothing of Sluice. Pure.
import { NOTICE_QUEUE } from '../../core/contract/told-notices.ts'
import type { AssemblyFacts, ResourceFacts, StackFacts } from './assembly-facts.ts'
import { kindOf } from './resource-kinds.ts'

/** What an account has after some deployments. */
export interface Deployed {
  readonly assembly: AssemblyFacts
  /** Named resources that have left their stack and stayed in the account, as `TYPE NAME`. */
  readonly leftOver: ReadonlySet<string>
}

export type Finding =
  /** An export that a deployed stack imports goes, or would have another value. */
  | { readonly finding: 'export-in-use'; readonly stack: string; readonly name: string; readonly usedBy: string }
  /** A resource with a physical name would be replaced: CloudFormation makes the new one first, and its name is taken. */
  | Of<'named-replaced'>
  /** A resource whose name another one has, in a stack or left over from one. */
  | Of<'name-taken'>
  /** An index whose keys change, or more than one that comes or goes: DynamoDB makes or drops one an update, and changes none. */
  | Of<'indexes-changed'>
  /** Records, keys or messages would be deleted. */
  | Of<'state-deleted'>
  /** A schedule that another deployment, or a rollback, would move, fire, or fail on. */
  | Of<'goes-by-deployment'>

interface Of<Kind> {
  readonly finding: Kind
  readonly stack: string
  readonly logicalId: string
  readonly type: string
  readonly name: string | undefined
}

/** What would go wrong. `next` is deployed stack by stack, each after those that it needs. */
export function judgeUpdate({ assembly, leftOver }: Deployed, next: AssemblyFacts): Finding[] {
  return [
    ...next.stacks.flatMap((stack) => exportsInUse(stack, assembly)),
    ...next.stacks.flatMap((stack) => changed(find(assembly, stack.name), stack)),
    ...next.stacks.flatMap(goingByDeployment),
    ...next.stacks.flatMap((stack, at) => namesTaken(stack, { assembly, leftOver }, next.stacks.slice(0, at))),
  ]
}

/** What the account has when `next` is deployed. A stack that is no part of it stays as it is: nobody deletes it. */
export function afterUpdate({ assembly, leftOver }: Deployed, next: AssemblyFacts): Deployed {
  const others = assembly.stacks.filter(({ name }) => find(next, name) === undefined)
  const stacks = [...others, ...next.stacks]
  const owned = new Set(stacks.flatMap(namesIn))
  const stayed = assembly.stacks.flatMap(({ resources }) =>
    Object.values(resources).filter((resource) => resource.isRetained),
  )
  const known = [...leftOver, ...stayed.flatMap((resource) => nameOf(resource) ?? [])]
  return { assembly: { stacks }, leftOver: new Set(known.filter((name) => !owned.has(name))) }
}

/** The stack is deployed before those that use it, so what they use now is what counts. */
function exportsInUse(stack: StackFacts, deployed: AssemblyFacts): Finding[] {
  const before = find(deployed, stack.name)
  return Object.entries(before?.exports ?? {}).flatMap(([name, value]) => {
    const usedBy = deployed.stacks.find(({ imports }) => imports.includes(name))
    if (usedBy === undefined || stack.exports[name] === value) return []
    return [{ finding: 'export-in-use' as const, stack: stack.name, name, usedBy: usedBy.name }]
  })
}

function changed(before: StackFacts | undefined, after: StackFacts): Finding[] {
  return Object.entries(before?.resources ?? {}).flatMap(([logicalId, was]): Finding[] => {
    const is = after.resources[logicalId]
    const of = { stack: after.name, logicalId, type: was.type, name: was.name }
    const isReplaced = is === undefined || is.type !== was.type || is.createOnly !== was.createOnly
    if (!isReplaced) return changesIndexes(was, is) ? [{ finding: 'indexes-changed' as const, ...of }] : []
    const isLost = kindOf(was.type).isStateful === true && !was.isRetained && !isOfNobody(was, is)
    return [
      ...(isLost ? [{ finding: 'state-deleted' as const, ...of }] : []),
      ...(is?.name !== undefined && is.name === was.name ? [{ finding: 'named-replaced' as const, ...of }] : []),
    ]
  })
}

/** What waits in this queue is told to nobody any more, once treasury.json names nobody to tell. */
function isOfNobody({ name }: ResourceFacts, is: ResourceFacts | undefined): boolean {
  return is === undefined && (name === NOTICE_QUEUE || name?.endsWith(`-${NOTICE_QUEUE}`) === true)
}

/** Where it is not known which indexes there were, nothing is said. */
function changesIndexes({ indexes: was }: ResourceFacts, { indexes: is = {} }: ResourceFacts): boolean {
  if (was === undefined) return false
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  const changed = [...names].filter((name) => was[name] !== is[name])
  return changed.length > 1 || changed.some((name) => was[name] !== undefined && is[name] !== undefined)
}

function goingByDeployment({ name: stack, resources }: StackFacts): Finding[] {
  return Object.entries(resources).flatMap(([logicalId, { goesByDeployment, name, type }]) =>
    goesByDeployment === true ? [{ finding: 'goes-by-deployment' as const, stack, logicalId, type, name }] : [],
  )
}

/** `earlier`: stacks that are up to date already when this one is deployed. */
function namesTaken(stack: StackFacts, { assembly, leftOver }: Deployed, earlier: readonly StackFacts[]): Finding[] {
  const before = find(assembly, stack.name)
  const isUpToDate = (name: string) => earlier.some((each) => each.name === name)
  const elsewhere = new Set([
    ...leftOver,
    ...assembly.stacks.flatMap((each) =>
      Object.entries(each.resources).flatMap(([id, resource]) => {
        const name = nameOf(resource)
        // What left a stack that is up to date is gone, unless it is retained.
        const isGone =
          isUpToDate(each.name) &&
          !resource.isRetained &&
          find({ stacks: earlier }, each.name)?.resources[id] === undefined
        return name === undefined || isGone ? [] : [name]
      }),
    ),
  ])
  return Object.entries(stack.resources).flatMap(([logicalId, resource]) => {
    const name = nameOf(resource)
    const was = before?.resources[logicalId]
    const isOwn = was !== undefined && nameOf(was) === name
    if (name === undefined || isOwn || !elsewhere.has(name)) return []
    if (leftOver.has(name) && isImported(resource)) return []
    return [{ finding: 'name-taken' as const, stack: stack.name, logicalId, type: resource.type, name: resource.name }]
  })
}

/**
 * Whether a deployment takes over what has its name and is in no stack (`cdk deploy --import-existing-resources`): its name
 * stands in the template as a text, and it is retained.
 * Source: AWS CloudFormation User Guide, "Import AWS resources into a CloudFormation stack automatically".
 */
export function isImported({ isRetained, name, type }: ResourceFacts): boolean {
  // A name that is worked out by a function of the template is kept as JSON.
  return kindOf(type).isKnownByName === true && isRetained && name !== undefined && !name.startsWith('{')
}

function find({ stacks }: Pick<AssemblyFacts, 'stacks'>, name: string): StackFacts | undefined {
  return stacks.find((stack) => stack.name === name)
}

function namesIn({ resources }: StackFacts): string[] {
  return Object.values(resources).flatMap((resource) => nameOf(resource) ?? [])
}

function nameOf({ type, name }: ResourceFacts): string | undefined {
  return name === undefined ? undefined : `${type} ${name}`
}
