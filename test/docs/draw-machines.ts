// Draws docs/state-machines.md: a picture and a table of each state machine, from the synthesized definitions. `npm run
// docs:machines` writes the page; a test keeps it current. Adds nothing that the definitions
// do not contain.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StateMachine } from '../../core/contract/states.ts'
import { DEFAULT_TREASURY_FILE } from '../../core/treasury/config.ts'

export const STATE_MACHINES_PAGE = fileURLToPath(new URL('../../docs/state-machines.md', import.meta.url))

interface State {
  readonly Type: string
  readonly Next?: string
  readonly Default?: string
  readonly End?: boolean
  readonly Resource?: string
  readonly Parameters?: Readonly<Record<string, unknown>>
  readonly SecondsPath?: string
  readonly MaxConcurrency?: number
  readonly ItemProcessor?: Definition
  readonly Choices?: readonly { readonly StringEquals: string; readonly Next: string }[]
  readonly Catch?: readonly { readonly Next: string }[]
}

interface Definition {
  readonly Comment?: string
  readonly StartAt: string
  readonly States: Readonly<Record<string, State>>
}

interface Resource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** Label of the arrow for a success. Shown only where another arrow leads to the same state. */
const NEXT = 'done'

/** A transition, and the outcome or fault that takes it. */
interface Edge {
  readonly to: string
  readonly label: string
}

const HEAD = `# The state machines

\`npm run docs:machines\` draws this page from the synthesized definitions. Do not edit it by hand: a test compares it with them.

A box is a state. A diamond branches on the \`outcome\` of the step before it. \`Ends\` stands for all ends of a machine, each
named after its outcome. An arrow with \`fault\` is taken when the retries of a step are used up. A state runs the
function of its name, unless the list says otherwise; waits and retries are in \`infra/retry-policies.ts\` and in [the movement protocol](movement-protocol.md).
`

/** Draws the page from the templates of a cloud assembly. */
export function drawMachines(assemblyDir: string): string {
  const templates = readdirSync(assemblyDir).filter((file) => file.endsWith('.template.json'))
  const resources = templates.flatMap((file) => Object.entries(resourcesOf(join(assemblyDir, file))))
  const named = new Map(resources.map(([id, { Properties }]) => [id, nameOf(Properties) ?? id]))
  // A version has the name of its function.
  const names = new Map(
    resources.map(([id, { Properties }]) => [id, named.get(refOf(Properties.FunctionName)) ?? named.get(id) ?? id]),
  )
  const machines = resources.filter(([, { Type }]) => Type === 'AWS::StepFunctions::StateMachine')
  const sections = Object.entries(StateMachine).map(([title, deployedAs]) => {
    const machine = machines.find(([, { Properties }]) => Properties.StateMachineName === deployedAs)
    if (machine === undefined) throw new Error(`${assemblyDir}: no state machine ${deployedAs}`)
    return section(title, deployedAs, definitionOf(machine[1], names))
  })
  return [HEAD, ...sections].join('\n')
}

function resourcesOf(file: string): Readonly<Record<string, Resource>> {
  return JSON.parse(readFileSync(file, 'utf8')).Resources ?? {}
}

function nameOf({ FunctionName, StateMachineName }: Resource['Properties']): string | undefined {
  return [FunctionName, StateMachineName].find((name) => typeof name === 'string')
}

/** The logical id that a value refers to; empty for a text or no value. */
function refOf(value: unknown): string {
  const { Ref = '' }: { readonly Ref?: string } = typeof value === 'object' && value !== null ? value : {}
  return Ref
}

/** The definition, with each ARN replaced by the name of its resource. */
function definitionOf({ Properties }: Resource, names: ReadonlyMap<string, string>): Definition {
  // Each of our definitions names functions, so the CDK writes it as joined texts and references.
  const { 'Fn::Join': join } = Properties.DefinitionString as { readonly 'Fn::Join': [string, unknown[]] }
  const text = join[1].map((part) => (typeof part === 'string' ? part : nameOfReference(part, names)))
  return JSON.parse(text.join(''))
}

function nameOfReference(reference: unknown, names: ReadonlyMap<string, string>): string {
  // The parts between the texts have one of these two forms.
  const { Ref, 'Fn::GetAtt': attribute } = reference as { readonly Ref?: string; readonly 'Fn::GetAtt'?: [string] }
  const id = Ref ?? attribute?.[0] ?? ''
  return names.get(id) ?? id
}

function section(title: string, deployedAs: string, definition: Definition): string {
  return `## ${title}

\`${deployedAs}\`. ${definition.Comment ?? ''}

\`\`\`mermaid
stateDiagram-v2
${picture(definition).join('\n')}
\`\`\`

${rows(definition).join('\n')}

${endings(definition)}
`
}

function picture(definition: Definition): string[] {
  const ends = isWithManyEnds(definition) ? endsOf(definition) : []
  const drawnAs = (name: string) => (ends.includes(name) ? 'Ends' : name)
  const lines = [`  [*] --> ${definition.StartAt}`]
  for (const [name, state] of inOrder(definition)) {
    if (ends.includes(name)) continue
    if (state.Type === 'Choice') lines.push(`  state ${name} <<choice>>`)
    if (state.ItemProcessor !== undefined) {
      lines.push(`  state ${name} {`, ...picture(state.ItemProcessor).map((line) => `  ${line}`), '  }')
    }
    for (const [to, labels] of labelsByTarget(edgesOf(state), drawnAs)) {
      const label = to === 'Ends' && labels.length > 1 ? 'any end' : labels.join(' or ')
      lines.push(`  ${name} --> ${to}${label === '' ? '' : `: ${label}`}`)
    }
    if (isEnd(state)) lines.push(`  ${name} --> [*]`)
  }
  if (ends.length > 0) lines.push('  Ends --> [*]')
  return lines
}

/** Merges the arrows to one place into one, in the order of the edges. */
function labelsByTarget(
  edges: readonly Edge[],
  drawnAs: (name: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const labelsOf = new Map<string, string[]>()
  for (const { to, label } of edges) {
    labelsOf.set(drawnAs(to), [...(labelsOf.get(drawnAs(to)) ?? []), label])
  }
  for (const [to, labels] of labelsOf) labelsOf.set(to, labels.length === 1 && labels[0] === NEXT ? [] : labels)
  return labelsOf
}

/** States in the order in which they are reached from the start, level by level. */
function inOrder({ StartAt, States }: Definition): [name: string, state: State][] {
  const met = new Set([StartAt])
  // A Set may grow during its walk: added items come last.
  for (const name of met) for (const { to } of edgesOf(stateOf(States, name))) met.add(to)
  return [...met].map((name) => [name, stateOf(States, name)])
}

function stateOf(states: Definition['States'], name: string): State {
  const state = states[name]
  if (state === undefined) throw new Error(`no state ${name}`)
  return state
}

function edgesOf(state: State): Edge[] {
  const chosen = (state.Choices ?? []).map(({ StringEquals, Next }) => ({ to: Next, label: StringEquals }))
  const otherwise = state.Default === undefined ? [] : [{ to: state.Default, label: 'otherwise' }]
  const next = state.Next === undefined ? [] : [{ to: state.Next, label: NEXT }]
  const caught = (state.Catch ?? []).map(({ Next }) => ({ to: Next, label: 'fault' }))
  return [...next, ...chosen, ...otherwise, ...caught]
}

function isEnd({ Type, End }: State): boolean {
  return End === true || Type === 'Succeed' || Type === 'Fail'
}

function endsOf({ States }: Definition): string[] {
  return Object.keys(States).filter((name) => ['Succeed', 'Fail'].includes(States[name]?.Type ?? ''))
}

/** Whether there are so many ends that arrows to each would hide the rest. */
function isWithManyEnds(definition: Definition): boolean {
  return endsOf(definition).length > 3
}

/** A state that runs the function of its own name. */
function isOfItsName(name: string, { Resource }: State): boolean {
  return Resource?.split(':').at(-1) === `sluice${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Ends and Choices say everything in the picture, and so does a state that runs the function of its name. */
function rows(definition: Definition): string[] {
  return inOrder(definition).flatMap(([name, state]) => [
    ...(['Choice', 'Succeed', 'Fail'].includes(state.Type) || isOfItsName(name, state)
      ? []
      : [`- \`${name}\` ${doingOf(state)}`]),
    ...(state.ItemProcessor === undefined ? [] : rows(state.ItemProcessor)),
  ])
}

function endings({ States }: Definition): string {
  const ofType = (type: string) => Object.keys(States).filter((name) => States[name]?.Type === type)
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const [succeeded, failed] = [ofType('Succeed'), ofType('Fail')]
  return [
    ...(succeeded.length === 0 ? [] : [`Ends that succeed: ${listed(succeeded)}.`]),
    ...(failed.length === 0 ? [] : [`Ends that fail, and ring an alarm: ${listed(failed)}.`]),
  ].join(' ')
}

function doingOf(state: State): string {
  const { StateMachineArn: child } = state.Parameters ?? {}
  switch (state.Type) {
    case 'Task':
      if (typeof child === 'string') return `waits for a child execution of \`${child}\``
      // A function of another stack appears by its ARN.
      return `runs \`${state.Resource?.split(':').at(-1)}\``
    case 'Wait':
      return `waits for the seconds in \`${state.SecondsPath}\``
    case 'Map':
      return `runs the states below for each leg, at most ${state.MaxConcurrency} at once`
    default:
      return state.Parameters === undefined ? 'passes its input on' : 'makes a result where no step has made one'
  }
}

if (import.meta.main) {
  process.env.CDK_VALIDATION ??= 'false'
  const { synthesize } = await import('../../infra/synthesize.ts')
  const outDir = mkdtempSync(join(tmpdir(), 'sluice-machines-'))
  try {
    synthesize({ configFile: DEFAULT_TREASURY_FILE, outDir })
    writeFileSync(STATE_MACHINES_PAGE, drawMachines(outDir))
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}
