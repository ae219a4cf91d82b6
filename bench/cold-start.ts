// Times the cold start of a conversion's steps as they are shipped. The time runs from the start of a process to its
// first answer, with the key, the journal and the service on this machine. It also times the usual way to write the
// steps, and an empty process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../infra/synthesize.ts'
import { startMachines } from '../test/helpers/running-machines.ts'
import { bundleBaseline } from './baselines/bundle-baseline.ts'
import { startEmpty } from './cold/cold-process.ts'
import { CONVERSION, inPlaceOf, type Steps, shippedSteps, startStep } from './cold/shipped.ts'
import { paired, quantile } from './paired.ts'
import type { Report } from './report.ts'

const ROUNDS = 31
/** Per round: the median of five. */
const EMPTY_ONES = 5
/** The first is cold, and the last is compared with it. */
const CALLS = 4
const MOST_OF_USUAL = 0.5
const MOST_OF_EMPTY = 2.2

export async function benchColdStart(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const machines = await startMachines(folder)
  try {
    // The account is pinned, and the endpoints are compiled, before the measurement starts.
    await machines.run('first', CONVERSION)
    const ours = shippedSteps(folder, machines)
    const usual = inPlaceOf(ours, bundleBaseline(folder))
    for (const step of ['quote', 'order'] as const) await benchStep(report, step, ours, usual)
  } finally {
    await machines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchStep(report: Report, step: keyof Steps, ours: Steps, usual: Steps): Promise<void> {
  const times = { ours: [] as number[], usual: [] as number[], empty: [] as number[] }
  const calls = { first: [] as number[], warm: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const cold = await startStep(step, ours, `ours-${step}-${round}`, CALLS)
    const compared = await startStep(step, usual, `usual-${step}-${round}`, CALLS)
    const emptyMs: number[] = []
    for (let nth = 0; nth < EMPTY_ONES; nth += 1) emptyMs.push(await startEmpty())
    if (round === 0) continue
    times.ours.push(cold.coldMs)
    times.usual.push(compared.coldMs)
    times.empty.push(quantile(emptyMs, 0.5))
    calls.first.push(cold.callsMs[0] ?? Number.NaN)
    calls.warm.push(cold.callsMs.at(-1) ?? Number.NaN)
  }
  const addFigure = (
    name: string,
    of: string,
    value: readonly number[],
    baseline: readonly number[],
    goal?: number,
  ) => {
    const { leftMs, rightMs, ratios } = paired(value, baseline)
    const figure = { name, unit: 'ms', value: leftMs, baseline: { name: of, value: rightMs }, ratio: ratios } as const
    report.figure({ ...figure, ...(goal !== undefined && { goal }) })
  }
  addFigure(`${step}, process to first answer`, 'the usual way', times.ours, times.usual, MOST_OF_USUAL)
  addFigure(
    `${step}, process to first answer, by an empty one`,
    'an empty process',
    times.ours,
    times.empty,
    MOST_OF_EMPTY,
  )
  addFigure(`${step}, first call`, 'a warm call', calls.first, calls.warm)
}
