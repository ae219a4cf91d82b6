// What a deployment of a cloud assembly is made of, as far as the next deployment may collide with it: stacks, their
// exports and imports, and the identity of each resource. Nothing is judged here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { kindOf } from './resource-kinds.ts'

export interface AssemblyFacts {
  /** In the order in which they are deployed: a stack comes after those that it needs. */
  readonly stacks: readonly StackFacts[]
}

export interface StackFacts {
  readonly name: string
  /** Values of exports by their names. */
  readonly exports: Readonly<Record<string, string>>
  /** Names of the exports of others that it uses. */
  readonly imports: readonly string[]
  /** By logical id. */
  readonly resources: Readonly<Record<string, ResourceFacts>>
}

export interface ResourceFacts {
  readonly type: string
  /** Physical name, where the template gives one. */
  readonly name?: string | undefined
  /** What CloudFormation can only change by making another resource in its place. */
  readonly createOnly: string
  /** Whether it stays in the account when it leaves the stack. */
  readonly isRetained: boolean
  /** Of a table: what each index goes by and holds, by its name. */
  readonly indexes?: Readonly<Record<string, string>>
  /** A schedule's times depend on when it was deployed, or cannot be set once they have passed. */
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

/** Throws where the folder holds no cloud assembly, or one with a type of resource that is not known here. */
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
  const { createOnly, name } = kindOf(type)
  const given = name === undefined ? undefined : Properties[name]
  return {
    type,
    ...(given !== undefined && { name: typeof given === 'string' ? given : JSON.stringify(given) }),
    createOnly: JSON.stringify(createOnly.map((property) => Properties[property] ?? null)),
    isRetained: DeletionPolicy === 'Retain' || DeletionPolicy === 'RetainExceptOnCreate',
    ...indexesOf(Properties),
    ...(goesByDeployment(type, Properties) && { goesByDeployment: true }),
  }
}

function indexesOf({
  GlobalSecondaryIndexes: given,
}: Readonly<Record<string, unknown>>): Pick<ResourceFacts, 'indexes'> {
  if (!Array.isArray(given)) return {}
  const indexes: readonly Readonly<Record<string, unknown>>[] = given
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
 * EventBridge Scheduler counts a rate without a start from when the schedule is made, refuses a start of more than five
 * minutes ago and an end that has passed, and takes one-time schedules of the future only.
 */
function goesByDeployment(type: string, properties: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'AWS::Scheduler::Schedule') return false
  const { EndDate, ScheduleExpression, StartDate } = properties
  return StartDate !== undefined || EndDate !== undefined || !String(ScheduleExpression).startsWith('cron(')
}

/** The same text as long as the value is the same: a parameter by its default, a resource by what makes it another one. */
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
