// `npm run simulate`: runs seeded schedules, exhaustive small scopes and mutants, and prints their figures.

import { type Caught, hunt, namesText } from '../campaigns/hunt.ts'
import { everyTenSeconds, type Flags, findingText, nameIn, runProgram, UsageError } from '../campaigns/program.ts'
import { type Simulation, unchangedSimulation } from './bundle.ts'
import { type Campaign, type Figures, WORLDS, type WorldName } from './campaign.ts'
import type { Bounds } from './choices.ts'
import { type Explored, SCOPES, type Share } from './exploration.ts'
import type { Naive } from './naive/at-port.ts'
import { NAIVE } from './naive.ts'
import { exploredText, failureFlags, figuresText, paceText, scriptFlags } from './report.ts'
import type { Bounded } from './schedules.ts'
import type { Scope } from './scopes.ts'
import { ALL_UNTIDY, UNTIDY, type Untidy } from './untidiness.ts'

const MOST_SCHEDULES = 1_000_000_000

const HELP = `Example: npm run simulate -- --schedules 10000

Runs the product's own decisions in a simulated world, and judges every step.

  --schedules N     seeded schedules of each world, or the most in which a naive variant is hunted (default 10000)
  --seed S          the first seed (default 1)
  --world NAME      ${WORLDS.join(', ')} (default all)
  --untidy NAMES    how untidy the world is: any of those below, parted by commas, or none (default: most schedules in
                    every way, and each sixth in one way alone)
  --scope NAME      exhaustive instead of seeded: ${Object.keys(SCOPES).join(', ')}, or all
  --within BOUNDS   a scope with fewer of what goes wrong, as fault:1,crash:0 (also freeze)
  --share I/N       of a scope's schedules with two departures and more, the share I of N (default 1/1: all of them)
  --script S        one schedule of a scope again, as a failure tells it
  --naive NAME      with a fault at a port of the steps, or all: each must be caught
  --faults N, --executions N, --intents N    at most so many a schedule

Untidy:
${namesText(UNTIDY)}

Naive variants:
${namesText(NAIVE)}

Exit codes: 0 nothing broke, or every naive variant was caught; 1 otherwise; 2 wrong usage.`

const PROGRAM = {
  help: HELP,
  count: { name: 'schedules', default: 10_000, most: MOST_SCHEDULES },
  defaultSeed: 1,
  texts: ['world', 'scope', 'share', 'within', 'script', 'naive', 'untidy', 'faults', 'executions', 'intents'],
}

async function simulate(flags: Flags): Promise<boolean> {
  const { seed: firstSeed, count: schedules } = flags
  const naive = flags.oneOf('naive', ['all', ...Object.keys(NAIVE)])
  if (naive === 'all')
    return hunt(
      Object.keys(NAIVE).filter((name) => !NAIVE[name]?.isRare),
      (name) => catchNaive(name, firstSeed, schedules),
    )
  const scope = flags.oneOf('scope', [...Object.keys(SCOPES), 'all'])
  if (scope !== undefined) {
    const names = scope === 'all' ? Object.keys(SCOPES) : [scope]
    const script = flags.text('script')
    if (script !== undefined) return followScript(names, script, naive)
    const part = { share: shareOf(flags.text('share') ?? '1/1'), within: flags.text('within') ?? '' }
    return exploreScopes(names, part, naive)
  }
  const world = flags.oneOf('world', WORLDS)
  const untidy = untidyOf(flags.text('untidy'))
  return runWorlds(world === undefined ? WORLDS : [world], {
    firstSeed,
    schedules,
    bounded: boundedOf(flags),
    untidy,
    naive,
    mostFailures: 1,
  })
}

async function runWorlds(worlds: readonly WorldName[], wanted: Omit<Campaign, 'world'>): Promise<boolean> {
  const simulation = await load()
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
      const again = `simulate -- ${failureFlags(smallest)}${naiveFlag(smallest.naive)}`
      console.log(findingText(`${world}, seed ${smallest.seed}`, smallest.violations, again))
    }
  }
  return isKept
}

async function catchNaive(name: string, firstSeed: number, schedules: number): Promise<Caught> {
  const { runCampaign } = await load()
  const { world, untidy = ALL_UNTIDY } = NAIVE[name] as Naive
  const campaign = { world, untidy, naive: name, firstSeed, schedules, mostFailures: 1 }
  const [caught] = (await runCampaign(campaign)).failures
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
  naive: string | undefined,
): Promise<boolean> {
  const simulation = await load()
  let isKept = true
  for (const name of names) {
    const whole = scopeOf(simulation, name, naive)
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
      const again = `simulate -- --scope ${name} ${scriptFlags(script)}${naiveFlag(naive)}`
      console.log(findingText(name, script.violations, again))
    }
    isKept &&= explored.scripts.length === 0
  }
  return isKept
}

/** `text`: the world's index, then the departures, as a failure prints them. */
async function followScript([name = '']: readonly string[], text: string, naive: string | undefined): Promise<boolean> {
  if (!/^\d{1,3}(,\d{1,5}:\d{1,3}){0,9}$/.test(text)) throw new UsageError(`--script: got "${text}"`)
  const [corner = '', ...departures] = text.split(',')
  const script = departures.map((departure) => {
    const [point, option] = departure.split(':').map(Number)
    return { point: point ?? 0, option: option ?? 0 }
  })
  const simulation = await load()
  const violations = await simulation.followScript(scopeOf(simulation, name, naive), Number(corner), script)
  console.log(violations.length === 0 ? 'nothing broke' : violations.join('\n'))
  return violations.length === 0
}

function load(): Promise<Simulation> {
  // Schedules create many errors, and nobody reads their stacks. Without stacks they run several times faster.
  Error.stackTraceLimit = 0
  return unchangedSimulation()
}

function scopeOf({ SCOPES: scopes }: Simulation, name: string, naive: string | undefined): Scope {
  const scope = scopes[name] as Scope
  return { ...scope, worlds: scope.worlds.map((world) => ({ ...world, naive })) }
}

const naiveFlag = (naive: string | undefined) => (naive === undefined ? '' : ` --naive ${naive}`)

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
