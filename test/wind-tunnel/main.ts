// `npm run wind-tunnel`: so many runs from a seed on, a line for each that breaks a promise, and what
// they met in all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../../infra/synthesize.ts'
import { isProfile, PROFILES } from '../../sandbox/service/profiles.ts'
import { readCountedFlags } from '../helpers/counted-flags.ts'
import { type Flight, flyRuns, GUARDS, type RunVerdict } from './tunnel.ts'

const HELP = `Example:
  npm run wind-tunnel -- --runs 200 --seed 1

Conversions, withdrawals and runs of policies, several at once on one asset, through the very bundles and state machines that are
deployed, on the embedded AWS and against the HTTP sandbox. Workers are killed and frozen at random, the service drops,
delays and refuses. Each run is judged by the sandbox's oracle against the journal, and audited by the deployed audit.

  --runs N   how many (default: 200)
  --seed S   the first run's seed, a whole number; the next have the next ones (default: by chance)
  --profile NAME  how untidy the sandbox is, such as hostile (default: not at all); the faults stay the plan's
  --world TEXT    seed of the sandbox, with a profile (default: another for each machine)

Waits pass in virtual time. A seed gives the same intents and faults; threads take turns as they like.
Exit codes: 0 no promise was broken; 1 one was, and its line says how to run it again, or too little moved; 2 wrong usage.`

/** One for each of the two cores that CI has. */
const TUNNELS = 2
const MOST_RUNS = 100_000
/** So many runs move one of three intents, whatever their faults. */
const ENOUGH_RUNS = 3
const LEAST_MOVED = 3

async function main(args: readonly string[]): Promise<number> {
  const flags = { count: 'runs', usual: 200, most: MOST_RUNS, help: HELP, texts: ['profile', 'world'] }
  const given = readCountedFlags(args, flags)
  if (typeof given === 'number') return given
  const { profile, world } = given.texts
  if (!isProfile(profile)) {
    console.error(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}\n\n${HELP}`)
    return 2
  }
  return report(given.count, given.seed, { ...(profile && { profile }), ...(world !== undefined && { world }) })
}

async function report(runs: number, seed: number, service: Pick<Flight, 'profile' | 'world'>): Promise<number> {
  const startedMs = performance.now()
  const totals: Totals = { intents: 0, movements: 0, mishaps: {}, ends: {}, runEnds: {} }
  let broken = 0
  await withAssembly((assemblyDir) =>
    flyRuns({ assemblyDir, seed, runs, tunnels: Math.min(TUNNELS, runs), isGuarded: true, ...service }, (verdict) => {
      add(totals, verdict)
      if (verdict.violations.length === 0) return
      broken += 1
      for (const violation of verdict.violations) console.log(`seed ${verdict.seed}: ${violation}`)
      const more = service.profile === undefined ? '' : ` --profile ${service.profile} --world '${verdict.world}'`
      console.log(`  again: npm run wind-tunnel -- --runs 1 --seed ${verdict.seed}${more}`)
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  console.log(`runs ${runs}, from seed ${seed}, in ${seconds.toFixed(1)} s; violations in ${broken}`)
  console.log(`intents ${totals.intents}: ${listed(totals.ends)}; movements ${totals.movements}`)
  console.log(`runs of policies: ${listed(totals.runEnds)}`)
  console.log(`functions met ${listed(totals.mishaps)}`)
  // Promises are easily kept by a product that gets nothing through.
  const isIdle = runs >= ENOUGH_RUNS && totals.movements * LEAST_MOVED < totals.intents
  if (isIdle) console.log('too little moved in all these runs')
  return broken === 0 && !isIdle ? 0 : 1
}

interface Totals {
  intents: number
  movements: number
  readonly mishaps: Record<string, number>
  readonly ends: Record<string, number>
  readonly runEnds: Record<string, number>
}

function add(totals: Totals, { intents, movements, mishaps, ends, runEnds }: RunVerdict): void {
  totals.intents += intents
  totals.movements += movements
  for (const [sums, counts] of [
    [totals.mishaps, mishaps],
    [totals.ends, ends],
    [totals.runEnds, runEnds],
  ] as const) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([left], [right]) => (left < right ? -1 : 1))
  return entries.map(([name, count]) => `${name} ${count}`).join(', ') || 'nothing'
}

/**
 * The assembly of the repo's treasury.json, with guards that let everything pass and count it, and but that polls
 * look once: the time inside a function is real.
 */
async function withAssembly(work: (assemblyDir: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-wind-tunnel-'))
  try {
    const configFile = path.join(folder, 'treasury.json')
    const outDir = path.join(folder, 'cdk.out')
    const treasury = JSON.parse(readFileSync('treasury.json', 'utf8'))
    const timing = { ...treasury.timing, pollInsideSeconds: 0 }
    writeFileSync(configFile, JSON.stringify({ ...treasury, timing, guards: GUARDS }))
    synthesize({ configFile, outDir })
    await work(outDir)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
