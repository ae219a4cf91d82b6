// Compares a warm step as shipped with a bare script that makes the same calls. The difference is the step's own work.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../infra/synthesize.ts'
import { startMachines } from '../test/helpers/running-machines.ts'
import { bundleBaseline } from './baselines/bundle-baseline.ts'
import { CONVERSION, inPlaceOf, type Steps, shippedSteps, startStep } from './cold/shipped.ts'
import { paired } from './paired.ts'
import type { Report } from './report.ts'
import { quantile } from './spread.ts'

const ROUNDS = 15
const CALLS = 60
/** Number of the first warm call. Before this call the process compiles frequently called code. */
const FIRST_WARM = 30
const MOST_OF_BARE = 1.2

export async function benchWarm(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const machines = await startMachines(folder)
  try {
    await machines.run('first', CONVERSION)
    const ours = shippedSteps(folder, machines)
    const bare = inPlaceOf(ours, bundleBaseline('bare', folder))
    for (const step of ['quote', 'order'] as const) {
      const times = { ours: [] as number[], bare: [] as number[] }
      for (let round = 0; round < ROUNDS; round += 1) {
        times.ours.push(await warmCall(step, ours, `ours-${step}-${round}`))
        times.bare.push(await warmCall(step, bare, `bare-${step}-${round}`))
      }
      const { leftMs, ratios, rightMs } = paired(times.ours, times.bare)
      const baseline = { name: 'a bare script', value: rightMs }
      report.figure({ name: `${step}, warm`, unit: 'ms', value: leftMs, baseline, ratio: ratios, goal: MOST_OF_BARE })
      report.note(`${step}, warm: ${(leftMs - rightMs).toFixed(1)} ms more than the bare script`)
    }
  } finally {
    await machines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Median milliseconds of a call in a process that has made many. */
async function warmCall(step: keyof Steps, steps: Steps, name: string): Promise<number> {
  const { callsMs } = await startStep(step, steps, name, CALLS)
  return quantile(callsMs.slice(FIRST_WARM), 0.5)
}
