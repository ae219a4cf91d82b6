// Measures how much of a quote's life has passed when its order arrives. The service sees this time from its answer to
// POST /v2/quotes until the next POST /v2/orders. The warm case includes the state machine between the steps. In the
// cold case, the function of Order starts after the quote exists.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { synthesize } from '../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../test/helpers/running-machines.ts'
import { CONVERSION, shippedSteps, startStep } from './cold/shipped.ts'
import type { Report } from './report.ts'
import { quantile } from './spread.ts'

const QUOTE_LIFE_MS = 5_000
const WARM_RUNS = 200
const COLD_RUNS = 30
const GOALS = { warm: 0.02, cold: 0.1 }

export async function benchQuoteLife(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const machines = await startMachines(folder)
  try {
    await machines.run('first', CONVERSION)
    const warm = await usedBy(machines, WARM_RUNS, (nth) => machines.run(`warm-${nth}`, CONVERSION))
    const steps = shippedSteps(folder, machines)
    const cold = await usedBy(machines, COLD_RUNS, (nth) => startStep('order', steps, `cold-${nth}`, 1))
    for (const [name, used] of Object.entries({ warm, cold })) {
      for (const [which, share] of Object.entries({ median: 0.5, '99th percentile': 0.99 })) {
        report.figure({
          name: `from quote to order, ${name}, ${which}`,
          unit: 'ms',
          value: quantile(used, share),
          share: { of: QUOTE_LIFE_MS, name: "a quote's life" },
          goal: GOALS[name as keyof typeof GOALS],
        })
      }
    }
  } finally {
    await machines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds between the two requests of each run. */
async function usedBy(
  machines: RunningMachines,
  runs: number,
  run: (nth: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const used: number[] = []
  for (let nth = 1; nth <= runs; nth += 1) {
    await run(nth)
    const { requests } = await machines.control<{ requests: { at: string; method: string; path: string }[] }>('/oracle')
    const last = (target: string) => requests.findLast(({ method, path }) => method === 'POST' && path === target)?.at
    used.push(Date.parse(last('/v2/orders') ?? '') - Date.parse(last('/v2/quotes') ?? ''))
  }
  return used
}
