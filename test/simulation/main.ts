// `npm run simulate`: runs seeded schedules, exhaustive small scopes and mutants, and prints their figures.
import { everyTenSeconds, type Flags, findingText, nameIn, runProgram, UsageError } from '../campaigns/program.ts'
import { type Caught, huntMutants, mutantsText } from '../mutants/hunt.ts'
import { loadSimulation, type Simulation } from './bundle.ts'
import { type Campaign, type Figures, WORLDS, type WorldName } from './campaign.ts'
import type { Bounds } from './choices.ts'
import { type Explored, SCOPES, type Share } from './exploration.ts'
import { huntMutant } from './mutants/hunt.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'
import { exploredText, failureFlags, figuresText, paceText, scriptFlags } from './report.ts'
import type { Bounded } from './schedules.ts'
import type { Scope } from './scopes.ts'
import { ALL_UNTIDY, UNTIDY, type Untidy } from './untidiness.ts'

const MOST_SCHEDULES = 1_000_000_000
const KNOWN_MUTANTS = { ...MUTANTS, ...HARMLESS }

const HELP = `Example: npm run simulate -- --schedules 10000

Runs the product's own decisions in a simulated world, and judges every step.

  --schedules N     seeded schedules of each world, or the most that a mutant is hunted in (default 10000)
  --seed S          the first seed (default 1)
  --world NAME      ${WORLDS.join(', ')} (default all)
  --untidy NAMES    how untidy the world is: any of those below, parted by commas, or none (default: most schedules in
                    every way, and each sixth in one way alone)
  --scope NAME      exhaustive instead of seeded: ${Object.keys(SCOPES).join(', ')}, or all
  --within BOUNDS   a scope with fewer of what goes wrong, as fault:1,crash:0 (also freeze)
  --share I/N       of a scope's schedules with two departures and more, the share I of N (default 1/1: all of them)
  --script S        one schedule of a scope again, as a failure tells it
  --mutant NAME     with a naive variant of the product, or all: each must be caught
  --faults N, --executions N, --intents N    at most so many a schedule

Untidy:
${mutantsText(UNTIDY)}

Mutants:
${mutantsText(MUTANTS)}

Variants that break nothing, as another rule stands in, or too rarely (no part of all):
${mutantsText(HARMLESS)}

Exit codes: 0 nothing broke, or every mutant was caught; 1 otherwise; 2 wrong usage.`

const PROGRAM = {
  help: HELP,
  count: { name: 'schedules', default: 10_000, most: MOST_SCHEDULES },
  defaultSeed: 1,
  texts: ['world', 'scope', 'share', 'within', 'script', 'mutant', 'untidy', 'faults', 'executions', 'intents'],
}

async function simulate(flags: Flags): Promise<boolean> {
  const { seed: firstSeed, count: schedules } = flags
  const mutant = flags.oneOf('mutant', ['all', ...Object.keys(KNOWN_MUTANTS)])
  if (mutant === 'all') return huntMutants(Object.keys(MUTANTS), (name) => catchMutant(name, firstSeed, schedules))
  const scope = flags.oneOf('scope', [...Object.keys(SCOPES), 'all'])
  if (scope !== undefined) {
    const names = scope === 'all' ? Object.keys(SCOPES) : [scope]
    const script = flags.text('script')
    if (script !== undefined) return followScript(names, script, mutant)
    const part = { share: shareOf(flags.text('share') ?? '1/1'), within: flags.text('within') ?? '' }
    return exploreScopes(names, part, mutant)
  }
  const world = flags.oneOf('world', WORLDS)
  const untidy = untidyOf(flags.text('untidy'))
  return runWorlds(
    world === undefined ? WORLDS : [world],
    { firstSeed, schedules, bounded: boundedOf(flags), untidy, mostFailures: 1 },
    mutant,
  )
}

async function runWorlds(
  worlds: readonly WorldName[],
  wanted: Omit<Campaign, 'world'>,
  mutant: string | undefined,
): Promise<boolean> {
  const simulation = await load(mutant)
  let isKept = true
  for (const world of worlds) {
    const onProgress = everyTenSeconds(
      ({ schedules }: Figures) => `${world}: ${schedules} of ${wanted.schedules} schedules`,
    )
    const figures = await simulation.runCampaign({ ...wanted, world, onProgress })
    console.log(figuresText(world, figures))
    for (const failure of figures.failures) {
      isKept = false
      const smallest = await simulation.shrink(failure)
      const again = `simulate -- ${failureFlags(smallest)}${mutantFlag(mutant)}`
      console.log(findingText(`${world}, seed ${smallest.seed}`, smallest.violations, again))
    }
  }
  return isKept
}

async function catchMutant(name: string, firstSeed: number, schedules: number): Promise<Caught> {
  Error.stackTraceLimit = 0
  const caught = await huntMutant(name, { firstSeed, schedules })
  return caught && { by: caught.violations[0] ?? '', after: `${caught.seed - firstSeed + 1} schedules` }
}

interface Part {
  readonly share: Share
  /** The value of `--within`; empty for the scope's own bounds. */
  readonly within: string
}

async function exploreScopes(
  names: readonly string[],
  { share, within }: Part,
  mutant: string | undefined,
): Promise<boolean> {
  const simulation = await load(mutant)
  let isKept = true
  for (const name of names) {
    const whole = simulation.SCOPES[name] as Scope
    const scope = { ...whole, bounds: lowered(whole.bounds, within) }
    const onProgress = everyTenSeconds(
      ({ schedules, merged }: Explored, worldsDone: number, open: number) =>
        `${name}: world ${worldsDone + 1} of ${scope.worlds.length}, ${schedules} schedules, ${merged} of them left at a known state, ${open} to follow`,
    )
    const explored = await simulation.explore(scope, share, { onProgress })
    const all = within === '' ? 'all of it' : `all within ${within}`
    const part = share.of === 1 ? all : `share ${share.index + 1} of ${share.of}`
    console.log(`${name} (${scope.about}), ${part}: ${paceText(explored)}; ${explored.scripts.length} with violations`)
    console.log(exploredText(explored, share.of === 1))
    for (const script of explored.scripts) {
      const again = `simulate -- --scope ${name} ${scriptFlags(script)}${mutantFlag(mutant)}`
      console.log(findingText(name, script.violations, again))
    }
    isKept &&= explored.scripts.length === 0
  }
  return isKept
}

/** `text`: the world's index, then the departures, as a failure prints them. */
async function followScript(
  [name = '']: readonly string[],
  text: string,
  mutant: string | undefined,
): Promise<boolean> {
  if (!/^\d{1,3}(,\d{1,5}:\d{1,3}){0,9}$/.test(text)) throw new UsageError(`--script: got "${text}"`)
  const [corner = '', ...departures] = text.split(',')
  const script = departures.map((departure) => {
    const [point, option] = departure.split(':').map(Number)
    return { point: point ?? 0, option: option ?? 0 }
  })
  const simulation = await load(mutant)
  const violations = await simulation.followScript(simulation.SCOPES[name] as Scope, Number(corner), script)
  console.log(violations.length === 0 ? 'nothing broke' : violations.join('\n'))
  return violations.length === 0
}

function load(mutant: string | undefined): Promise<Simulation> {
  // Schedules create many errors, and nobody reads their stacks. Without stacks they run several times faster.
  Error.stackTraceLimit = 0
  return loadSimulation(mutant === undefined ? [] : KNOWN_MUTANTS[mutant]?.edits)
}

const mutantFlag = (mutant: string | undefined) => (mutant === undefined ? '' : ` --mutant ${mutant}`)

function boundedOf(flags: Flags): Bounded {
  const names = ['faults', 'executions', 'intents'] as const
  const given = names.map((name) => [name, flags.whole(name, 0, MOST_SCHEDULES)] as const)
  return Object.fromEntries(given.filter(([, most]) => most !== undefined))
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

function untidyOf(text: string | undefined): readonly Untidy[] | undefined {
  if (text === undefined) return undefined
  return text === 'none' ? [] : text.split(',').map((name) => nameIn('untidy', name, ALL_UNTIDY))
}

process.exitCode = await runProgram(PROGRAM, simulate)
