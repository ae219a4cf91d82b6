// `npm run simulate`: seeded schedules, exhaustive small scopes, and mutants, with their figures.
// Exit codes: 0 nothing broke (or every mutant was caught), 1 otherwise, 2 bad usage.
import { parseArgs } from 'node:util'
import { loadSimulation, type Simulation } from './bundle.ts'
import { type Campaign, type Figures, WORLDS, type WorldName } from './campaign.ts'
import type { Bounds } from './choices.ts'
import { type Explored, SCOPES, type Share } from './exploration.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'
import { exploredText, failureText, figuresText, paceText, scriptText } from './report.ts'
import type { Bounded } from './schedules.ts'
import type { Scope } from './scopes.ts'
import { ALL_UNTIDY, UNTIDY, type Untidy } from './untidiness.ts'

/** Every mutant is caught within so many schedules, from any seed on. */
const CAUGHT_WITHIN = 5_000
/** Long work says how far it is, on stderr. */
const PROGRESS_EVERY_MS = 10_000

const HELP = `Example: npm run simulate -- --schedules 10000

Runs the product's own decisions in a simulated world, and judges every step.

  --schedules N     seeded schedules of each world (default 10000)
  --seed S          the first seed (default 1)
  --world NAME      ${WORLDS.join(', ')} (default all)
  --untidy NAMES    how untidy the world is: any of those below, parted by commas, or none (default all)
  --scope NAME      exhaustive instead of seeded: ${Object.keys(SCOPES).join(', ')}, or all
  --within BOUNDS   a scope with fewer of what goes wrong, as fault:1,crash:0 (also freeze)
  --share I/N       of a scope's schedules with two departures and more, the share I of N (default 1/1: all of them)
  --script S        one schedule of a scope again, as a failure tells it
  --mutant NAME     with a naive variant of the product, or all: each must be caught
  --faults N, --executions N, --intents N    at most so many a schedule

Untidy:
${ALL_UNTIDY.map((name) => `  ${name.padEnd(29)} ${UNTIDY[name].about}`).join('\n')}

Mutants:
${Object.entries(MUTANTS)
  .map(([name, { about }]) => `  ${name.padEnd(29)} ${about}`)
  .join('\n')}

Variants that break nothing, as another rule stands in, or too rarely (no part of all):
${Object.entries(HARMLESS)
  .map(([name, { about }]) => `  ${name.padEnd(29)} ${about}`)
  .join('\n')}`

class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ schedules: { type: 'string' }, seed: { type: 'string' }, world: { type: 'string' } },
      ...{
        scope: { type: 'string' },
        share: { type: 'string' },
        within: { type: 'string' },
        script: { type: 'string' },
        mutant: { type: 'string' },
        untidy: { type: 'string' },
      },
      ...{ faults: { type: 'string' }, executions: { type: 'string' }, intents: { type: 'string' } },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const bounded: Bounded = {
    ...(values.faults !== undefined && { faults: whole('faults', values.faults) }),
    ...(values.executions !== undefined && { executions: whole('executions', values.executions) }),
    ...(values.intents !== undefined && { intents: whole('intents', values.intents) }),
  }
  const firstSeed = whole('seed', values.seed ?? '1')
  const schedules = values.schedules === undefined ? undefined : whole('schedules', values.schedules)
  const untidy = values.untidy === undefined ? undefined : untidyOf(values.untidy)
  if (values.mutant === 'all') return catchMutants(Object.keys(MUTANTS), firstSeed, schedules ?? CAUGHT_WITHIN)
  if (values.scope !== undefined) {
    const names = values.scope === 'all' ? Object.keys(SCOPES) : [oneOf('scope', values.scope, Object.keys(SCOPES))]
    if (values.script !== undefined) return followScript(names, values.script, values.mutant)
    return exploreScopes(names, { share: shareOf(values.share ?? '1/1'), within: values.within ?? '' }, values.mutant)
  }
  const worlds = values.world === undefined ? WORLDS : [oneOf('world', values.world, WORLDS)]
  const wanted = { firstSeed, schedules: schedules ?? 10_000, bounded, untidy, mostFailures: 1 }
  return runWorlds(worlds, wanted, values.mutant)
}

async function runWorlds(
  worlds: readonly WorldName[],
  wanted: Omit<Campaign, 'world'>,
  mutant: string | undefined,
): Promise<number> {
  const simulation = await load(mutant)
  let broken = false
  for (const world of worlds) {
    const onProgress = nowAndThen(({ schedules }: Figures) => `${world}: ${schedules} of ${wanted.schedules} schedules`)
    const figures = await simulation.runCampaign({ ...wanted, world, onProgress })
    console.log(figuresText(world, figures))
    for (const failure of figures.failures) {
      broken = true
      console.log(failureText(await simulation.shrink(failure), mutant))
    }
  }
  return broken ? 1 : 0
}

async function catchMutants(names: readonly string[], firstSeed: number, schedules: number): Promise<number> {
  let caught = 0
  for (const name of names) {
    const { world, untidy } = mutantNamed(name)
    const simulation = await load(name)
    const { failures, schedules: ran } = await simulation.runCampaign({
      world,
      untidy,
      firstSeed,
      schedules,
      mostFailures: 1,
    })
    const [failure] = failures
    if (failure) caught += 1
    const found = failure ? `caught after ${ran}: ${failure.violations[0]}` : `NOT CAUGHT in ${ran} schedules`
    console.log(`${name.padEnd(29)} ${found}`)
  }
  console.log(`${caught} of ${names.length} mutants caught`)
  return caught === names.length ? 0 : 1
}

interface Part {
  readonly share: Share
  /** As `--within` has it; empty for the scope's own bounds. */
  readonly within: string
}

async function exploreScopes(names: readonly string[], { share, within }: Part, mutant: string | undefined) {
  const simulation = await load(mutant)
  let broken = false
  for (const name of names) {
    const whole = simulation.SCOPES[name] as Scope
    const scope = { ...whole, bounds: lowered(whole.bounds, within) }
    const onProgress = nowAndThen(
      ({ schedules, merged }: Explored, worldsDone: number, open: number) =>
        `${name}: world ${worldsDone + 1} of ${scope.worlds.length}, ${schedules} schedules, ${merged} of them left at a known state, ${open} to follow`,
    )
    const explored = await simulation.explore(scope, share, { onProgress })
    const all = within === '' ? 'all of it' : `all within ${within}`
    const part = share.of === 1 ? all : `share ${share.index + 1} of ${share.of}`
    console.log(`${name} (${scope.about}), ${part}: ${paceText(explored)}; ${explored.scripts.length} with violations`)
    console.log(exploredText(explored, share.of === 1))
    for (const script of explored.scripts) console.log(scriptText(name, script, mutant))
    broken ||= explored.scripts.length > 0
  }
  return broken ? 1 : 0
}

/** `text`: the corner, then the departures, as a failure tells them. */
async function followScript([name = '']: readonly string[], text: string, mutant: string | undefined): Promise<number> {
  if (!/^\d{1,3}(,\d{1,5}:\d{1,3}){0,9}$/.test(text)) throw new UsageError(`--script: got "${text}"`)
  const [corner = '', ...departures] = text.split(',')
  const script = departures.map((departure) => {
    const [point, option] = departure.split(':').map(Number)
    return { point: point ?? 0, option: option ?? 0 }
  })
  const simulation = await load(mutant)
  const scope = simulation.SCOPES[name] as (typeof SCOPES)[string]
  const violations = await simulation.followScript(scope, Number(corner), script)
  console.log(violations.length === 0 ? 'nothing broke' : violations.join('\n'))
  return violations.length === 0 ? 0 : 1
}

/** Tells on stderr what `textOf` makes of its arguments, but not too often. */
function nowAndThen<Args extends readonly unknown[]>(textOf: (...args: Args) => string): (...args: Args) => void {
  const startMs = performance.now()
  let toldMs = startMs
  return (...args) => {
    const nowMs = performance.now()
    if (nowMs - toldMs < PROGRESS_EVERY_MS) return
    toldMs = nowMs
    console.error(`${textOf(...args)}, ${Math.round((nowMs - startMs) / 1000)} s`)
  }
}

function load(mutant: string | undefined): Promise<Simulation> {
  return loadSimulation(mutant === undefined ? [] : mutantNamed(mutant).edits)
}

function mutantNamed(name: string) {
  const known = { ...MUTANTS, ...HARMLESS }
  return known[oneOf('mutant', name, Object.keys(known))] as (typeof MUTANTS)[string]
}

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${name}: expected a whole number, got "${text}"`)
}

function shareOf(text: string): Share {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (index === undefined || of === undefined || Number(index) < 1 || Number(index) > Number(of))
    throw new UsageError(`--share: expected I/N with I from 1 to N, got "${text}"`)
  return { index: Number(index) - 1, of: Number(of) }
}

const LOWERED = /^(fault|crash|freeze):(\d)$/

function lowered(bounds: Bounds, within: string): Bounds {
  const fewer = within === '' ? [] : within.split(',')
  const lower = fewer.map((text) => {
    const [, name, most] = LOWERED.exec(text) ?? []
    const known = name as 'fault' | 'crash' | 'freeze' | undefined
    if (known === undefined || Number(most) > bounds[known])
      throw new UsageError(`--within: expected such as fault:1,crash:0, no more than the scope has; got "${text}"`)
    return [known, Number(most)]
  })
  return { ...bounds, ...Object.fromEntries(lower) }
}

function untidyOf(text: string): readonly Untidy[] {
  return text === 'none' ? [] : text.split(',').map((name) => oneOf('untidy', name, ALL_UNTIDY))
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new UsageError(`--${option}: unknown "${text}"; there are: ${names.join(', ')}`)
  return name
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  if (!isUsage) throw error
  console.error(`${(error as Error).message}\nnpm run simulate -- --help shows what there is.`)
  process.exitCode = 2
}
