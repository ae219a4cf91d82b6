// `npm run wind-tunnel`: flies a number of runs from a seed on. It prints a line for each that breaks a promise, and a
// summary of all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../../infra/synthesize.ts'

import { countsText, type Flags, findingText, runProgram } from '../campaigns/program.ts'
import { profileOf } from '../campaigns/service-profile.ts'
import { flyRuns, GUARDS, type RunVerdict } from './tunnel.ts'

const HELP = `Example:
  npm run wind-tunnel -- --runs 200 --seed 1

Conversions, withdrawals and runs of policies, several at once on one asset, through the very bundles and state machines that are
deployed, on the embedded AWS and against the HTTP sandbox. Workers are killed and frozen at random, the service drops,
delays and refuses. Each run is judged by the sandbox's oracle against the journal, and audited by the deployed audit.

  --runs N   how many (default: 200)
  --seed S   the first run's seed, a whole number; the next have the next ones (default: by chance)
  --profile NAME  how untidy the sandbox is, such as hostile (default: not at all); the faults stay the plan's
  --crowd N  N withdrawals of one asset at once in each run, each twentieth answer lost (default: a mix)
  --world TEXT    seed of the sandbox, with a profile (default: another for each machine)

Waits pass in virtual time. A seed gives the same intents and faults; threads take turns as they like.
Exit codes: 0 no promise was broken; 1 one was, and its line says how to run it again, or too little happened; 2 wrong usage.`

/** One for each of the two cores in CI. */
const TUNNELS = 2
const MOST_RUNS = 100_000
const MOST_CROWD = 1_000
/** From this number of runs on, too few movements or mishaps count as a fault of the campaign. */
const ENOUGH_RUNS = 10
/** At least one in this many intents moves, whatever the faults. */
const LEAST_MOVED = 3

const PROGRAM = {
  help: HELP,
  count: { name: 'runs', default: 200, most: MOST_RUNS },
  texts: ['profile', 'world', 'crowd'],
}

async function flyAll(flags: Flags): Promise<boolean> {
  const { count: runs, seed } = flags
  const profile = profileOf(flags)
  const world = flags.text('world')
  const startedMs = performance.now()
  const totals: Totals = { intents: 0, movements: 0, mishaps: {}, ends: {}, runEnds: {} }
  let broken = 0
  await withAssembly((assemblyDir) => {
    const flight = { assemblyDir, seed, runs, tunnels: Math.min(TUNNELS, runs), isGuarded: true }
    const crowd = flags.whole('crowd', 1, MOST_CROWD)
    const service = {
      ...(crowd !== undefined && { crowd }),
      ...(profile && { profile }),
      ...(world !== undefined && { world }),
    }
    return flyRuns({ ...flight, ...service }, (verdict) => {
      add(totals, verdict)
      if (verdict.violations.length === 0) return
      broken += 1
      const more = profile === undefined ? '' : ` --profile ${profile} --world '${verdict.world}'`
      const again = `wind-tunnel -- --runs 1 --seed ${verdict.seed}${more}`
      console.log(findingText(`seed ${verdict.seed}`, verdict.violations, again))
    })
  })
  const seconds = (performance.now() - startedMs) / 1000
  console.log(`runs ${runs}, from seed ${seed}, in ${seconds.toFixed(1)} s; violations in ${broken}`)
  console.log(`intents ${totals.intents}: ${countsText(totals.ends)}; movements ${totals.movements}`)
  console.log(`runs of policies: ${countsText(totals.runEnds)}`)
  console.log(`functions met ${countsText(totals.mishaps)}`)
  const lacks = runs >= ENOUGH_RUNS ? lackOf(totals) : []
  for (const lack of lacks) console.log(`in all these runs ${lack}`)
  return broken === 0 && lacks.length === 0
}

/** A campaign in which little happens proves little, because a product that moves nothing keeps its promises easily. */
function lackOf({ intents, mishaps, movements, runEnds }: Totals): string[] {
  const met = (name: string) => Object.keys(mishaps).some((mishap) => mishap.startsWith(name))
  return [
    ...(movements * LEAST_MOVED < intents ? ['too little moved'] : []),
    ...(met('kill') ? [] : ['no function was killed']),
    ...(met('freeze') ? [] : ['no function was frozen']),
    ...('SETTLED' in runEnds ? [] : ['no run of a policy settled']),
  ]
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

/**
 * The assembly of the repository's treasury.json for an unshared account, with guards that allow and count everything.
 * Polls read once, because the time inside a function is real.
 */
async function withAssembly(work: (assemblyDir: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-wind-tunnel-'))
  try {
    const configFile = path.join(folder, 'treasury.json')
    const outDir = path.join(folder, 'cdk.out')
    const treasury = JSON.parse(readFileSync('treasury.json', 'utf8'))
    const service = { ...treasury.service, shared: false }
    const timing = { ...treasury.timing, pollInsideSeconds: 0 }
    writeFileSync(configFile, JSON.stringify({ ...treasury, service, timing, guards: GUARDS }))
    synthesize({ configFile, outDir })
    await work(outDir)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await runProgram(PROGRAM, flyAll)
