// `npm run days`: so many simulated days of a treasury in a world, a line every ten days, what came of it, and a
// line for each broken promise. Several worlds or seeds are a process each: virtual time rules the one that it is in.
import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { type CountedFlags, readCountedFlags } from '../../helpers/counted-flags.ts'
import { judge as judgeMovements, movementKey } from '../../wind-tunnel/judge.ts'
import { countBy } from '../../wind-tunnel/tunnel.ts'
import type { Evidence } from './evidence.ts'
import { observe } from './observer/observer.ts'
import { type Passed, runDays } from './run-days.ts'
import type { Variant } from './variants/variant.ts'
import { bundleVariant, VARIANTS } from './variants.ts'
import type { World } from './world.ts'
import { WORLDS } from './worlds.ts'

const [USUAL] = WORLDS as [World, ...World[]]
const LONGEST_NAME = Math.max(...WORLDS.map(({ name }) => name.length))

const LONGEST_VARIANT = Math.max(...Object.keys(VARIANTS).map((name) => name.length))

const HELP = `Example:
  npm run days -- --world all --days 4 --seed 1

A treasury run by its schedules, by deposits and by people: the synthesized assembly on the embedded AWS against the
HTTP sandbox, both on one virtual clock, in a world that gives it something to do. An observer that knows the
service's ledger and treasury.json alone judges what left the account; the journal is held against the ledger besides.

  --days N      how many, 1 to 400 (default: 100)
  --seed S      a whole number; the same gives the same days (default: by chance)
  --seeds K     so many seeds from there on, 1 to 1000 (default: 1)
  --world NAME  which one, or all of them (default: ${USUAL.name})
  --variant V   a naive variant of the guards in its own world, or all of them: each is to be caught
  --keep FILE   writes the evidence there as JSON, and what functions logged beside it, to look into a finding

Worlds:
${WORLDS.map(({ name, says }) => `  ${name.padEnd(LONGEST_NAME)}  ${says}`).join('\n')}

Variants:
${Object.entries(VARIANTS)
  .map(([name, { about, world }]) => `  ${name.padEnd(LONGEST_VARIANT)}  ${about} (${world})`)
  .join('\n')}

A finding begins with its kind: floor, price, approval, unasked, largest, daily, quiet, payee, name,
stranded; or says in a sentence what else was promised and is not so.

Threads and sockets take turns as they like: a seed gives the same prices, deposits and faults.
Exit codes: 0 no promise was broken; 1 one was; 2 wrong usage.`

const MOST_DAYS = 400
const MOST_SEEDS = 1_000
const WRONG_USAGE = 2

async function main(args: readonly string[]): Promise<number> {
  const texts = ['keep', 'world', 'seeds', 'variant']
  const given = readCountedFlags(args, { count: 'days', usual: 100, most: MOST_DAYS, help: HELP, texts })
  if (typeof given === 'number') return given
  if (given.texts.variant !== undefined) return tryVariants(given.texts.variant, given)
  const { world = USUAL.name, seeds = '1' } = given.texts
  const worlds = WORLDS.filter(({ name }) => world === 'all' || name === world)
  const seedCount = /^\d{1,4}$/.test(seeds) ? Number(seeds) : 0
  if (worlds.length === 0 || seedCount < 1 || seedCount > MOST_SEEDS) {
    const wrong = worlds.length === 0 ? '--world: expected the name of a world, or all' : '--seeds: expected 1 to 1000'
    console.error(`${wrong}; got another\n\n${HELP}`)
    return WRONG_USAGE
  }
  const [only] = worlds as [World]
  if (worlds.length === 1 && seedCount === 1) return report(only, given)
  return eachOf(worlds, seedCount, given)
}

/** Each in a process of its own, one after the other. */
function eachOf(worlds: readonly World[], seedCount: number, { count, seed }: CountedFlags): number {
  const failed: string[] = []
  for (let next = seed; next < seed + seedCount; next += 1) {
    for (const { name } of worlds) {
      const flags = ['--world', name, '--days', String(count), '--seed', String(next)]
      const { status } = spawnSync(process.execPath, [import.meta.filename, ...flags], { stdio: 'inherit' })
      if (status !== 0) failed.push(`${name} ${next}`)
    }
  }
  const all = `${worlds.length * seedCount} times ${count} days`
  console.log(failed.length === 0 ? `${all}: no promise was broken` : `${all}: broken in ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

/** 0 where each is caught by a finding of its kind. */
async function tryVariants(wanted: string, { count: days, seed }: CountedFlags): Promise<number> {
  const names = Object.keys(VARIANTS).filter((name) => wanted === 'all' || name === wanted)
  const [only] = names
  if (only === undefined) {
    console.error(`--variant: expected the name of a variant, or all; got another\n\n${HELP}`)
    return WRONG_USAGE
  }
  if (names.length === 1) return tryVariant(only, days, seed)
  const missed = names.filter((name) => {
    const flags = ['--variant', name, '--days', String(days), '--seed', String(seed)]
    return spawnSync(process.execPath, [import.meta.filename, ...flags], { stdio: 'inherit' }).status !== 0
  })
  console.log(`${names.length} variants${missed.length === 0 ? ', each caught' : `; not caught: ${missed.join(', ')}`}`)
  return missed.length === 0 ? 0 : 1
}

async function tryVariant(name: string, days: number, seed: number): Promise<number> {
  const variant = VARIANTS[name] as Variant
  const world = WORLDS.find((one) => one.name === variant.world) as World
  const passed = await runDays({ world, seed, days, onProgress: () => {}, bundle: bundleVariant(variant) })
  const findings = findingsOf(passed)
  const kinds = Object.entries(countBy(findings, (finding) => finding.split(':', 1)[0] ?? ''))
  const found = kinds.map(([kind, count]) => `${kind} ${count}`)
  const isCaught = findings.some((finding) => variant.finding.test(finding))
  console.log(
    `${isCaught ? 'caught' : 'MISSED'} ${name} in ${world.name}, days ${days}: ${found.join(', ') || 'no finding'}`,
  )
  return isCaught ? 0 : 1
}

async function report(world: World, { count: days, seed, texts: { keep } }: CountedFlags): Promise<number> {
  const startedMs = performance.now()
  const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`world ${world.name}, days ${days}, seed ${seed}`)
  if (keep !== undefined) writeFileSync(`${keep}.log`, '')
  const passed = await runDays({
    ...{ world, seed, days },
    onProgress: (day, text) => console.log(`day ${day}: ${text}; ${seconds()} s`),
    ...(keep !== undefined && {
      onFunctionLog: (name, line) => appendFileSync(`${keep}.log`, `${name} ${line}\n`),
    }),
  })
  const { evidence, refusals } = passed
  for (const refusal of refusals) console.log(`refused: ${refusal}`)
  if (keep !== undefined && evidence)
    writeFileSync(
      keep,
      JSON.stringify(evidence, (_name, value) => asJson(value), 1),
    )
  const findings = findingsOf(passed)
  for (const finding of findings) console.log(finding)
  if (evidence) tell(evidence)
  console.log(`findings ${findings.length}, in ${seconds()} s`)
  if (findings.length > 0)
    console.log(`  again: npm run days -- --world ${world.name} --days ${days} --seed ${seed} --keep FILE`)
  return findings.length === 0 ? 0 : 1
}

function asJson(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

/** Nothing can come of a treasury that is refused. */
function findingsOf({ evidence, plot }: Passed): readonly string[] {
  if (evidence === undefined) return []
  const { oracle, intents, claims } = evidence
  const moved = judgeMovements({
    ...{ movements: oracle.movements, intents },
    claims: new Map(oracle.movements.map((movement) => [movementKey(movement), claims.get(movement.id)])),
    ledgerViolations: oracle.invariants.violations,
  })
  return [...new Set([...observe(evidence), ...moved, ...(plot.expect?.(evidence) ?? [])])]
}

function tell({ runs, oracle, intents, duplicates }: Evidence): void {
  const ends = countBy(runs, ({ policy, outcome }) => `${policy} ${outcome}`)
  for (const [end, count] of Object.entries(ends).sort()) console.log(`  ${end} ${count}`)
  const starts = Object.entries(countBy(runs, ({ trigger }) => trigger?.by ?? 'nobody'))
  console.log(`runs ${runs.length}, by ${starts.map(([by, count]) => `${by} ${count}`).join(', ')}`)
  const states = Object.entries(countBy(intents, ({ state }) => state))
  console.log(`intents ${intents.length}: ${states.map(([state, count]) => `${state} ${count}`).join(', ')}`)
  console.log(`movements ${oracle.movements.length}; deliveries done twice ${duplicates}`)
  const { requests, requestsTotal } = oracle
  const faults = Object.entries(
    countBy(
      requests.flatMap((request) => request.faults ?? []),
      (kind) => kind,
    ),
  )
  const met = faults.map(([kind, count]) => `${kind} ${count}`).join(', ')
  console.log(`requests ${requestsTotal}; the last ${requests.length} met ${met || 'no fault'}`)
}

process.exitCode = await main(process.argv.slice(2))
