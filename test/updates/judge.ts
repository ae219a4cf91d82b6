// Judges whether CloudFormation can carry out a deployment over the deployed stacks without losing anything. Checks
// used exports, taken names, records and keys. Knows only two resources of Sluice, the queues of notices and of payout files. Pure.
import { FILE_QUEUE } from '../../core/contract/events.ts'
import { NOTICE_QUEUE } from '../../core/contract/sent-notices.ts'
import type { AssemblyFacts, ResourceFacts, StackFacts } from './assembly-facts.ts'
import { kindOf } from './resource-kinds.ts'

/** State of an account after some deployments. */
export interface Deployed {
  readonly assembly: AssemblyFacts
  /** Named resources that left their stack and stayed in the account, as `TYPE NAME`. */
  readonly leftOver: ReadonlySet<string>
}

export type Finding =
  /** A deployed stack imports an export that disappears or changes its value. */
  | { readonly finding: 'export-in-use'; readonly stack: string; readonly name: string; readonly usedBy: string }
  /**
   * A resource with a physical name would be replaced. CloudFormation creates the new one first, while the name is
   * taken.
   */
  | Of<'named-replaced'>
  /** Another resource has the name, in a stack or left over. */
  | Of<'name-taken'>
  /**
   * An index changes its keys, or several indexes are added or removed. DynamoDB adds or removes one index an update,
   * and changes none.
   */
  | Of<'indexes-changed'>
  /** Records, keys or messages would be deleted. */
  | Of<'state-deleted'>
  /** Another deployment or a rollback would move or fire a schedule, or fail on it. */
  | Of<'goes-by-deployment'>

interface Of<Kind> {
  readonly finding: Kind
  readonly stack: string
  readonly logicalId: string
  readonly type: string
  readonly name: string | undefined
}

/** `next` is deployed stack by stack, each after those that it needs. */
export function judgeUpdate({ assembly, leftOver }: Deployed, next: AssemblyFacts): Finding[] {
  return [
    ...next.stacks.flatMap((stack) => exportsInUse(stack, assembly)),
    ...next.stacks.flatMap((stack) => changed(find(assembly, stack.name), stack)),
    ...next.stacks.flatMap(goingByDeployment),
    ...next.stacks.flatMap((stack, at) => namesTaken(stack, { assembly, leftOver }, next.stacks.slice(0, at))),
  ]
}

/** State of the account after all stacks are deleted. Only retained resources stay. */
export function afterTakingDown({ assembly, leftOver }: Deployed): Deployed {
  const stayed = assembly.stacks.flatMap(({ resources }) =>
    Object.values(resources).flatMap((resource) => (resource.isRetained ? (nameOf(resource) ?? []) : [])),
  )
  return { assembly: { stacks: [] }, leftOver: new Set([...leftOver, ...stayed]) }
}

/** State of the account after `next` is deployed. A stack outside it stays, because nobody deletes it. */
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

/** Exports of the stack that the deployed stacks still use, because it is deployed before they are updated. */
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
    const about = { stack: after.name, logicalId, type: was.type, name: was.name }
    const isReplaced = is === undefined || is.type !== was.type || is.createOnly !== was.createOnly
    if (!isReplaced) return changesIndexes(was, is) ? [{ finding: 'indexes-changed' as const, ...about }] : []
    const isLost = kindOf(was.type).isStateful === true && !was.isRetained && !isOfNobody(was, is)
    return [
      ...(isLost ? [{ finding: 'state-deleted' as const, ...about }] : []),
      ...(is?.name !== undefined && is.name === was.name ? [{ finding: 'named-replaced' as const, ...about }] : []),
    ]
  })
}

/** Queues that treasury.json brings and takes away. Without its notices and its places of files, their messages are for nobody. */
const OF_THE_FILE = [NOTICE_QUEUE, FILE_QUEUE]

function isOfNobody({ name }: ResourceFacts, is: ResourceFacts | undefined): boolean {
  return is === undefined && OF_THE_FILE.some((queue) => name === queue || name?.endsWith(`-${queue}`))
}

/** Reports no change where the earlier indexes are unknown. */
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

/** `earlier`: stacks that are already updated when this stack is deployed. */
function namesTaken(stack: StackFacts, { assembly, leftOver }: Deployed, earlier: readonly StackFacts[]): Finding[] {
  const before = find(assembly, stack.name)
  const isUpToDate = (name: string) => earlier.some((each) => each.name === name)
  const elsewhere = new Set([
    ...leftOver,
    ...assembly.stacks.flatMap((each) =>
      Object.entries(each.resources).flatMap(([id, resource]) => {
        const name = nameOf(resource)
        // A resource that left an updated stack is gone, unless it is retained.
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
 * Whether a deployment takes over an existing resource that is in no stack (`cdk deploy --import-existing-resources`).
 * The template must contain its name as a text, and retain it.
 * Source: AWS CloudFormation User Guide, "Import AWS resources into a CloudFormation stack automatically".
 */
export function isImported({ isRetained, name, type }: ResourceFacts): boolean {
  // A name that the template computes is kept as JSON.
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
