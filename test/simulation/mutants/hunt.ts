// Hunts one mutant of the simulation: first at the seed that caught it last, then from the first seed on. The seeds are
// stored, because a mutant that only the thousandth schedule catches takes seconds to hunt and 50 ms to catch again. A
// seed that no longer catches its mutant costs only that time. Note the seeds again after a change of what schedules
// draw: `node bin/run.cjs test/simulation/mutants/note-seeds.ts`.
import { readFileSync } from 'node:fs'
import { loadMutant } from '../bundle.ts'
import type { Failure } from '../campaign.ts'
import { MUTANTS } from '../mutants.ts'
import { ALL_UNTIDY } from '../untidiness.ts'

export const SEEDS_FILE = new URL('./seeds.json', import.meta.url)

export interface Seeds {
  readonly firstSeed: number
  readonly schedules: number
}

/** Returns the failure that caught the mutant, or undefined if no schedule did. `name`: a mutant in MUTANTS. */
export async function huntMutant(name: string, { firstSeed, schedules }: Seeds): Promise<Failure | undefined> {
  const { world, edits, untidy = ALL_UNTIDY } = mutantOf(name)
  const { runCampaign } = await loadMutant(edits)
  const tries = [{ firstSeed, schedules }]
  const noted = notedSeeds()[name]
  if (noted !== undefined) tries.unshift({ firstSeed: noted, schedules: 1 })
  for (const seeds of tries) {
    const { failures } = await runCampaign({ world, untidy, ...seeds, mostFailures: 1 })
    if (failures[0] !== undefined) return failures[0]
  }
  return undefined
}

function mutantOf(name: string) {
  const mutant = MUTANTS[name]
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
  return mutant
}

const notedSeeds = (): Readonly<Record<string, number>> => JSON.parse(readFileSync(SEEDS_FILE, 'utf8'))
