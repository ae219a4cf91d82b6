// Conversions a second of an embedded run, by how many are started at once, and what its memory grows by.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StateMachine } from '../core/contract/states.ts'
import { synthesize } from '../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../test/helpers/running-machines.ts'
import { CONVERSION } from './cold/shipped.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

/** At once, and how often: what takes long is done less often. */
const ROUNDS: readonly (readonly [atOnce: number, pairs: number])[] = [
  [1, 15],
  [10, 9],
  [100, 3],
  [1_000, 1],
]
const BYTES_A_MB = 1_048_576

export async function benchThroughput(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const machines = await startMachines(folder)
  try {
    const convert = runner(machines)
    // Alone it is the baseline of all.
    const one = () => convert(1)
    for (const [atOnce, pairs] of ROUNDS) {
      const beforeBytes = process.memoryUsage().rss
      const { leftMs, ratios, rightMs } = await timePaired(() => convert(atOnce), one, pairs)
      const grownMb = (process.memoryUsage().rss - beforeBytes) / BYTES_A_MB
      report.figure({
        name: `${atOnce} conversions at once`,
        unit: 'ms',
        value: leftMs,
        baseline: { name: 'one', value: rightMs },
        ratio: ratios,
      })
      report.figure({ name: `${atOnce} at once, rate`, unit: 'a second', value: atOnce / (leftMs / 1_000) })
      report.note(`${atOnce} at once: the process grew by ${grownMb.toFixed(0)} MB over ${(pairs + 1) * atOnce} runs`)
      report.note(`${atOnce} at once: ended ${told(convert.ends)}`)
    }
  } finally {
    await machines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Runner {
  (atOnce: number): Promise<void>
  /** How often each outcome was met since this was made. */
  readonly ends: ReadonlyMap<string, number>
}

/** @returns what runs so many at once, each under an id of its own, until all have ended */
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

const told = (ends: ReadonlyMap<string, number>) => [...ends].map(([end, times]) => `${end} ${times}`).join(', ')
