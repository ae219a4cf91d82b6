// Writes seeds.json: for each mutant the seed that catches it. The tests try that seed first.
import { writeFileSync } from 'node:fs'
import { MUTANTS } from '../mutants.ts'
import { huntMutant, SEEDS_FILE } from './hunt.ts'

/** Equal to the number of schedules that the tests hunt in. */
const SCHEDULES = 6_000

// Nobody reads the stacks of the many errors that schedules create.
Error.stackTraceLimit = 0
const seeds: Record<string, number> = {}
for (const name of Object.keys(MUTANTS)) {
  const caught = await huntMutant(name, { firstSeed: 1, schedules: SCHEDULES })
  if (caught === undefined) console.log(`${name} NOT CAUGHT`)
  else seeds[name] = caught.seed
}
writeFileSync(SEEDS_FILE, `${JSON.stringify(seeds, undefined, 2)}\n`)
