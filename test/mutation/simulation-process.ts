// Runs schedules of the simulation with one changed module, in a process of its own: a mutant may never end, and is
// then killed with this process.
import { PARTS, type Simulation } from '../simulation/bundle.ts'
import { readModules } from './module-graph.ts'

export interface SimulationTry {
  /** Path from the repository root. */
  readonly file: string
  readonly source: string
  readonly firstSeed: number
  /** Number of schedules in each world. */
  readonly schedules: number
}

export interface SimulationAnswer {
  /** The first violation. Absent also where the simulation does not load the file. */
  readonly broken?: string
}

// Nobody reads the stacks of the many errors that schedules create.
Error.stackTraceLimit = 0
const modules = await readModules<Simulation>(PARTS.map((part) => `test/simulation/${part}.ts`))

async function findBroken({ file, source, firstSeed, schedules }: SimulationTry): Promise<string | undefined> {
  try {
    const { runCampaign, WORLDS } = await modules.load(new Map([[file, source]]))
    for (const world of WORLDS) {
      const { failures } = await runCampaign({ world, firstSeed, schedules, mostFailures: 1 })
      const [failure] = failures
      if (failure) return `${world}, seed ${failure.seed}: ${failure.violations[0]}`
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

process.on('message', async (wanted: SimulationTry) => {
  const broken = modules.has(wanted.file) ? await findBroken(wanted) : undefined
  const answer: SimulationAnswer = broken === undefined ? {} : { broken }
  process.send?.(answer)
})
process.send?.({})
