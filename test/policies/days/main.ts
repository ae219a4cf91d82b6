// `npm run days`: simulates days of a treasury in a world. It prints a line every ten days, the results, and a line for
// each broken promise. Each of several worlds or seeds has its own process, because virtual time rules a whole process.
import { appendFileSync, writeFileSync } from 'node:fs'
import { countBy, type Flags, findingText, runInOwnProcess, runProgram } from '../../campaigns/program.ts'
import { judge as judgeMovements, movementKey } from '../../wind-tunnel/judge.ts'
import type { Evidence } from './evidence.ts'
import { observe } from './observer/observer.ts'
import { type Passed, runDays } from './run-days.ts'
import type { TreasuryFile } from './treasury-file.ts'
import type { World } from './world.ts'
import { WORLDS } from './worlds.ts'

const [USUAL] = WORLDS as [World, ...World[]]
const LONGEST_NAME = Math.max(...WORLDS.map(({ name }) => name.length))

const HELP = `Example:
  npm run days -- --world all --days 4 --seed 1

A treasury run by its schedules, by deposits and by people: the synthesized assembly on the embedded AWS against the
HTTP sandbox, both on one virtual clock, in a world that gives it something to do. An observer that knows the
service's ledger and treasury.json alone judges what left the account; the journal is held against the ledger besides.

  --days N      how many, 1 to 400 (default: 100)
  --seed S      a whole number; the same gives the same days (default: by chance)
  --seeds K     so many seeds from there on, 1 to 1000 (default: 1)
  --world NAME  which one, or all of them (default: ${USUAL.name})
  --keepless    deploys a file that keeps nothing, and judges by the one that keeps: must be found
  --keep FILE   writes the evidence there as JSON, and what functions logged beside it, to look into a finding

Worlds:
${WORLDS.map(({ name, says }) => `  ${name.padEnd(LONGEST_NAME)}  ${says}`).join('\n')}

A finding begins with its kind: floor, price, approval, unasked, alone, word, largest, daily, quiet, halted, payee, payout,
name, stranded, target, said; or says in a sentence what else was promised and is not so.

Threads and sockets take turns as they like: a seed gives the same prices, deposits and faults.
Exit codes: 0 no promise was broken; 1 one was; 2 wrong usage.`

const PROGRAM = {
  help: HELP,
  count: { name: 'days', default: 100, most: 400 },
  texts: ['keep', 'world', 'seeds'],
  switches: ['keepless'],
}
const MOST_SEEDS = 1_000
const WORLD_NAMES = WORLDS.map(({ name }) => name)

async function live(flags: Flags): Promise<boolean> {
  const { count: days, seed } = flags
  const named = flags.oneOf('world', ['all', ...WORLD_NAMES]) ?? USUAL.name
  const worlds = WORLDS.filter(({ name }) => named === 'all' || name === named)
  const seedCount = flags.whole('seeds', 1, MOST_SEEDS) ?? 1
  const [only] = worlds as [World]
  if (worlds.length === 1 && seedCount === 1)
    return report(only, { days, seed, isKeepless: flags.has('keepless') }, flags.text('keep'))
  return eachOf(worlds, seedCount, days, seed)
}

const flagsOf = (days: number, seed: number) => ['--days', String(days), '--seed', String(seed)]

/** Runs each in its own process, one after the other. */
async function eachOf(worlds: readonly World[], seedCount: number, days: number, seed: number): Promise<boolean> {
  const failed: string[] = []
  for (let next = seed; next < seed + seedCount; next += 1) {
    for (const { name } of worlds) {
      const { code, text } = await runInOwnProcess(import.meta.filename, ['--world', name, ...flagsOf(days, next)])
      console.log(text.trimEnd())
      if (code !== 0) failed.push(`${name} ${next}`)
    }
  }
  const all = `${worlds.length * seedCount} times ${days} days`
  console.log(failed.length === 0 ? `${all}: no promise was broken` : `${all}: broken in ${failed.join(', ')}`)
  return failed.length === 0
}

interface Wanted {
  readonly days: number
  readonly seed: number
  readonly isKeepless: boolean
}

async function report(world: World, { days, seed, isKeepless }: Wanted, keep: string | undefined): Promise<boolean> {
  const startedMs = performance.now()
  const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`world ${world.name}, days ${days}, seed ${seed}`)
  if (keep !== undefined) writeFileSync(`${keep}.log`, '')
  const passed = await runDays({
    ...{ world, seed, days },
    ...(isKeepless && { deployed: withoutKeeps }),
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
  if (evidence) printEvidence(evidence)
  console.log(`findings ${findings.length}, in ${seconds()} s`)
  const again = `days -- --world ${world.name} --days ${days} --seed ${seed} --keep FILE`
  if (findings.length > 0) console.log(findingText(`${world.name}, seed ${seed}`, findings, again))
  return findings.length === 0
}

/** Every policy keeps next to nothing. */
function withoutKeeps(file: TreasuryFile): TreasuryFile {
  return JSON.parse(JSON.stringify(file).replaceAll(/"keep":\{"target":"[^"]+"\}/g, '"keep":{"target":"0.01"}'))
}

function asJson(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

/** A refused treasury has no findings. */
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

function printEvidence({ runs, oracle, intents, duplicates }: Evidence): void {
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

process.exitCode = await runProgram(PROGRAM, live)
