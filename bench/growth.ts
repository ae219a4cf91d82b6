// Measures how Sluice grows with its past. Measures the memory of a process that has carried out 10,000 conversions.
// Compares commands on a state directory of 100,000 runs with commands on a hundredth of that. Each command is a
// separate process, as in a shell. SLUICE_BENCH_RUNS makes it shorter. The memory is measured with a tenth as many
// runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { StateMachine } from '../core/contract/states.ts'
import { synthesize } from '../infra/synthesize.ts'
import { builtInFolder } from '../place/state/state-layout.ts'
import { startMachines } from '../test/helpers/running-machines.ts'
import { startSluice } from '../test/integration/cli/command-line.ts'
import { CONVERSION } from './cold/shipped.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'
import { seedExecutions } from './seed-executions.ts'
import { seedJournal, settledRun } from './seed-journal.ts'

const RUNS = 100_000
/** The baseline of all times has this many times fewer. */
const SMALLER = 100
/** With this step a hundredth is a whole number, and the memory is measured ten times. */
const STEP = SMALLER * 10
const AT_ONCE = 100
const MEASURED_TIMES = 10
const PAIRS = 5
const BYTES_A_MB = 1_048_576
/** Done, or a person is asked about intents that were seeded as sent and not settled. */
const GOOD_ENDS: readonly (number | null)[] = [0, 3]

export async function benchGrowth(report: Report): Promise<void> {
  const runs = Number(process.env.SLUICE_BENCH_RUNS ?? RUNS)
  if (runs < STEP || runs % STEP !== 0) throw new TypeError(`SLUICE_BENCH_RUNS must be a multiple of ${STEP}`)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-growth-'))
  try {
    await measureMemory(report, path.join(folder, 'cdk.out'), runs / 10)
    const small = await seedState(report, path.join(folder, 'small'), runs / SMALLER)
    const large = await seedState(report, path.join(folder, 'large'), runs)
    await timeCommands(report, large, small, runs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Measures with the sandbox in the process. The sandbox keeps its movements here, while a real service keeps them
 * elsewhere.
 */
async function measureMemory(report: Report, assemblyDir: string, runs: number): Promise<void> {
  synthesize({ configFile: 'treasury.json', outDir: assemblyDir })
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { aws, stop } = await startMachines(assemblyDir)
  let begun = 0
  const convertUntil = async (most: number) => {
    while (begun < most) {
      const name = `run-${begun++}`
      const request = { stateMachine: StateMachine.Convert, name, input: JSON.stringify(CONVERSION) }
      const { executionArn } = await aws.startExecution(request)
      const { status } = await aws.untilFinished(executionArn)
      if (status !== 'SUCCEEDED') throw new Error(`${name} ended ${status}`)
    }
  }
  try {
    const sizes: number[] = []
    for (let part = 1; part <= MEASURED_TIMES; part += 1) {
      const most = (part * runs) / MEASURED_TIMES
      await Promise.all(Array.from({ length: AT_ONCE }, () => convertUntil(most)))
      collect()
      const { heapUsed, rss } = process.memoryUsage()
      sizes.push(heapUsed / BYTES_A_MB)
      report.note(`${begun} conversions: ${mb(heapUsed)} MB of heap in use, ${mb(rss)} MB in all`)
    }
    // Code that loads late, and bounded caches, are in memory at the first measurement.
    const [first = Number.NaN, last = Number.NaN] = [sizes.at(0), sizes.at(-1)]
    const thousands = (runs - runs / MEASURED_TIMES) / 1_000
    report.figure({ name: 'heap, for each thousand conversions', unit: 'MB', value: (last - first) / thousands })
  } finally {
    await stop()
  }
}

const mb = (bytes: number) => (bytes / BYTES_A_MB).toFixed(0)

interface State {
  readonly directory: string
  readonly input: string
}

/** This many conversions, each with its intent and its execution, and a policy's run for every fifth. */
async function seedState(report: Report, directory: string, conversions: number): Promise<State> {
  mkdirSync(directory, { mode: 0o700 })
  const state = { directory: path.join(directory, 'state'), input: path.join(directory, 'convert.json') }
  writeFileSync(state.input, JSON.stringify(CONVERSION))
  const startedMs = performance.now()
  const { awsDir } = builtInFolder(state.directory)
  await seedJournal(awsDir, conversions, Date.now(), settledRun())
  // The executions are copies of one that was really carried out.
  await run(state, ['run', 'convert', state.input, '--id', 'model'])
  seedExecutions(path.join(awsDir, 'executions'), conversions)
  report.note(`${conversions} conversions seeded in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
  return state
}

let ids = 0

async function timeCommands(report: Report, large: State, small: State, runs: number): Promise<void> {
  const both = async (name: string, work: (state: State) => Promise<void>) => {
    const { leftMs, ratios, rightMs } = await timePaired(
      () => work(large),
      () => work(small),
      PAIRS,
    )
    const baseline = { name: `of ${runs / SMALLER}`, value: rightMs }
    report.figure({ name: `${name}, of ${runs} runs`, unit: 'ms', value: leftMs, baseline, ratio: ratios })
  }
  const convert = (state: State) => run(state, ['run', 'convert', state.input, '--id', `bench-${++ids}`])
  await both('boot: serve until it is ready', async (state) => {
    const serving = await serve(state)
    await serving.stop()
  })
  await both('run convert, which boots', convert)
  const servings = [await serve(large), await serve(small)]
  try {
    await both('run convert, beside a serve', convert)
    for (const noun of ['runs', 'movements', 'cases']) {
      await both(`${noun} list`, (state) => run(state, [noun, 'list', '--json']))
    }
  } finally {
    for (const { stop } of servings) await stop()
  }
}

async function serve({ directory }: State) {
  const { child, ended, firstLine } = startSluice(['serve', '--jsonl', '--state', directory])
  await firstLine
  return {
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function run({ directory }: State, args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await startSluice([...args, '--state', directory]).ended
  if (!GOOD_ENDS.includes(exitCode)) throw new Error(`sluice ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
}
