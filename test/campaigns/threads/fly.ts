// Plays the worlds `threads` and `crowd`: flies plans from a seed on, and adds up what they met.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../../../infra/synthesize.ts'
import type { Given, Played } from '../campaign.ts'
import { countsText, everyTenSeconds } from '../program.ts'
import { flyRuns, GUARDS, type RunVerdict } from './tunnel.ts'

export const MOST_CROWD = 1_000
/** One for each of the two cores in CI. */
const TUNNELS = 2
/** From this number of runs on, too few movements or mishaps count as a fault of the campaign. */
const ENOUGH_RUNS = 10
/** At least one in this many intents moves, whatever the faults. */
const LEAST_MOVED = 3

/** `crowd`: so many withdrawals of one asset at once in each run, instead of a mix. */
export async function flyThreads({
  size: runs,
  seed,
  profile,
  crowd,
}: Omit<Given, 'keep'> & { readonly crowd?: number }): Promise<Played> {
  const totals: Totals = { intents: 0, movements: 0, mishaps: {}, ends: {}, runEnds: {} }
  const violations: string[] = []
  let flown = 0
  const onProgress = everyTenSeconds(() => `${flown} of ${runs} plans`)
  await withAssembly((assemblyDir) => {
    const flight = { assemblyDir, seed, runs, tunnels: Math.min(TUNNELS, runs), isGuarded: true }
    return flyRuns({ ...flight, ...(crowd !== undefined && { crowd }), ...(profile && { profile }) }, (verdict) => {
      flown += 1
      add(totals, verdict)
      violations.push(...verdict.violations.map((violation) => `plan ${verdict.seed}: ${violation}`))
      onProgress()
    })
  })
  const lacks = runs >= ENOUGH_RUNS ? lackOf(totals) : []
  return {
    violations: [...violations, ...lacks.map((lack) => `in all these plans ${lack}`)],
    facts: [
      `intents ${totals.intents}: ${countsText(totals.ends)}; movements ${totals.movements}`,
      `runs of policies: ${countsText(totals.runEnds)}`,
      `functions met ${countsText(totals.mishaps)}`,
    ],
  }
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
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-threads-'))
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
