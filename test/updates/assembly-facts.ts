// Reads the facts of a cloud assembly with which the next deployment may collide: stacks, their exports and imports,
// and the identity of each resource. Judges nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { kindOf } from './resource-kinds.ts'

export interface AssemblyFacts {
  /** Stacks in the order of their deployment: a stack comes after those that it needs. */
  readonly stacks: readonly StackFacts[]
}

export interface StackFacts {
  readonly name: string
  /** Values of its exports by name. */
  readonly exports: Readonly<Record<string, string>>
  /** Names of other stacks' exports that it uses. */
  readonly imports: readonly string[]
  /** By logical id. */
  readonly resources: Readonly<Record<string, ResourceFacts>>
}

export interface ResourceFacts {
  readonly type: string
  /** Physical name, if the template sets one. */
  readonly name?: string | undefined
  /** The properties whose change replaces the resource, as text. */
  readonly createOnly: string
  /** Whether it stays in the account after it leaves the stack. */
  readonly isRetained: boolean
  /** Keys and projection of a table's indexes, by name. */
  readonly indexes?: Readonly<Record<string, string>>
  /** True for a schedule whose times depend on its deployment, or cannot be set once they have passed. */
  readonly goesByDeployment?: true
}

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      dependencies: z.optional(z.array(z.string())),
      properties: z.optional(z.object({ templateFile: z.optional(z.string()) })),
    }),
  ),
})

const template = z.object({
  Parameters: z.optional(z.record(z.string(), z.object({ Default: z.optional(z.unknown()) }))),
  Outputs: z.optional(
    z.record(z.string(), z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.string() })) })),
  ),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(z.record(z.string(), z.unknown())),
      DeletionPolicy: z.optional(z.string()),
    }),
  ),
})
type Template = z.infer<typeof template>

/** Throws when the folder holds no cloud assembly, or a resource of an unknown type. */
export function readAssemblyFacts(folder: string): AssemblyFacts {
  const { artifacts } = manifest.parse(readJson(folder, 'manifest.json'))
  const stacks = new Map<string, StackFacts>()
  const visit = (id: string) => {
    const { dependencies = [], properties, type } = artifacts[id] ?? { type: 'none' }
    if (type !== 'aws:cloudformation:stack' || stacks.has(id)) return
    for (const needed of dependencies) visit(needed)
    stacks.set(id, stackFacts(id, template.parse(readJson(folder, properties?.templateFile ?? `${id}.template.json`))))
  }
  for (const id of Object.keys(artifacts)) visit(id)
  return { stacks: [...stacks.values()] }
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

function stackFacts(name: string, read: Template): StackFacts {
  const resources = Object.fromEntries(
    Object.entries(read.Resources).map(([id, resource]) => [id, resourceFacts(resource)]),
  )
  const exports = Object.values(read.Outputs ?? {}).flatMap(({ Export, Value }) =>
    Export === undefined ? [] : [[Export.Name, valueText(Value, read, resources)] as const],
  )
  return { name, resources, exports: Object.fromEntries(exports), imports: importsIn(read.Resources) }
}

function resourceFacts({ Type: type, Properties = {}, DeletionPolicy }: Template['Resources'][string]): ResourceFacts {
  const { createOnly, name, within } = kindOf(type)
  const value = name === undefined ? undefined : Properties[name]
  const place = within === undefined ? undefined : Properties[within]
  return {
    type,
    ...(value !== undefined && { name: `${textOf(place, '|')}${textOf(value)}` }),
    createOnly: JSON.stringify(createOnly.map((property) => Properties[property] ?? null)),
    isRetained: DeletionPolicy === 'Retain' || DeletionPolicy === 'RetainExceptOnCreate',
    ...indexesOf(Properties),
    ...(goesByDeployment(type, Properties) && { goesByDeployment: true }),
  }
}

function textOf(value: unknown, end = ''): string {
  if (value === undefined) return ''
  return `${typeof value === 'string' ? value : JSON.stringify(value)}${end}`
}

function indexesOf({
  GlobalSecondaryIndexes: value,
}: Readonly<Record<string, unknown>>): Pick<ResourceFacts, 'indexes'> {
  if (!Array.isArray(value)) return {}
  const indexes: readonly Readonly<Record<string, unknown>>[] = value
  return {
    indexes: Object.fromEntries(
      indexes.map(({ IndexName, KeySchema, Projection }) => [
        String(IndexName),
        JSON.stringify([KeySchema, Projection]),
      ]),
    ),
  }
}

/**
 * Whether a schedule depends on its deployment. EventBridge Scheduler counts a rate without a start from the schedule's
 * creation. It refuses a start over five minutes ago, an end in the past, and a one-time schedule in the past.
 */
function goesByDeployment(type: string, properties: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'AWS::Scheduler::Schedule') return false
  const { EndDate, ScheduleExpression, StartDate } = properties
  return StartDate !== undefined || EndDate !== undefined || !String(ScheduleExpression).startsWith('cron(')
}

/**
 * Gives the same text for the same value: a parameter by its default, a resource by the properties whose change
 * replaces it.
 */
function valueText(value: unknown, { Parameters = {} }: Template, resources: StackFacts['resources']): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (typeof part !== 'string' && !(key === 'Fn::GetAtt' && Array.isArray(part))) return part
    if (key !== 'Ref' && key !== 'Fn::GetAtt') return part
    const [id = '', ...attribute] = Array.isArray(part) ? part.map(String) : [part]
    const parameter = Parameters[id]
    if (parameter !== undefined) return `parameter ${JSON.stringify(parameter.Default)}`
    const { createOnly, type } = resources[id] ?? {}
    return [id, ...attribute, type, createOnly].join(' ')
  })
}

function importsIn(resources: unknown): string[] {
  const names = new Set<string>()
  JSON.stringify(resources, (key, part: unknown) => {
    if (key === 'Fn::ImportValue' && typeof part === 'string') names.add(part)
    return part
  })
  return [...names].sort()
}
