// Counts conversions a second of an embedded run, by the number of concurrent starts. Measures how its memory grows.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StateMachine } from '../core/contract/states.ts'
import { synthesize } from '../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../test/helpers/running-machines.ts'
import { CONVERSION } from './cold/shipped.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

/** At once, and how often: slow rounds are repeated less often. */
const ROUNDS: readonly (readonly [atOnce: number, pairs: number])[] = [
  [10, 9],
  [100, 5],
  [1_000, 3],
]
/** In sequence: one alone is too short to be timed well. */
const ALONE = 30
const BYTES_A_MB = 1_048_576

export async function benchThroughput(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const machines = await startMachines(folder)
  try {
    const convert = runner(machines)
    const oneByOne = async () => {
      for (let nth = 0; nth < ALONE; nth += 1) await convert(1)
    }
    for (const [atOnce, pairs] of ROUNDS) {
      const beforeBytes = process.memoryUsage().rss
      const { leftMs, ratios, rightMs } = await timePaired(() => convert(atOnce), oneByOne, pairs)
      const grownMb = (process.memoryUsage().rss - beforeBytes) / BYTES_A_MB
      const byRun = ALONE / atOnce
      report.figure({
        name: `${atOnce} at once, each`,
        unit: 'ms',
        value: leftMs / atOnce,
        baseline: { name: 'one alone', value: rightMs / ALONE },
        ratio: { low: ratios.low * byRun, median: ratios.median * byRun, high: ratios.high * byRun },
      })
      report.figure({ name: `${atOnce} at once, rate`, unit: 'a second', value: atOnce / (leftMs / 1_000) })
      const runs = (pairs + 1) * (atOnce + ALONE)
      report.note(`${atOnce} at once: the process grew by ${grownMb.toFixed(0)} MB over ${runs} runs`)
      report.note(`${atOnce} at once: ended ${endsText(convert.ends)}`)
    }
  } finally {
    await machines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Runner {
  (atOnce: number): Promise<void>
  /** How often each outcome has occurred since the runner was made. */
  readonly ends: ReadonlyMap<string, number>
}

/** @returns a runner of this many at once, each under its own id, until all have ended */
function runner({ aws }: RunningMachines): Runner {
  const ends = new Map<string, number>()
  let ids = 0
  const runOne = async () => {
    const request = { stateMachine: StateMachine.Convert, name: `run-${++ids}`, input: JSON.stringify(CONVERSION) }
    const { executionArn } = await aws.startExecution(request)
    const { output, status } = await aws.untilFinished(executionArn)
    const end = String(JSON.parse(output ?? '{}').outcome ?? status)
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  const runAll = async (atOnce: number) => {
    await Promise.all(Array.from({ length: atOnce }, runOne))
  }
  return Object.assign(runAll, { ends })
}

const endsText = (ends: ReadonlyMap<string, number>) => [...ends].map(([end, times]) => `${end} ${times}`).join(', ')
