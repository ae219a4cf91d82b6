// Counts seeded schedules of each simulated world a second, on one core.

import { loadSimulation } from '../test/simulation/bundle.ts'
import { WORLDS } from '../test/simulation/campaign.ts'
import { paceText } from '../test/simulation/report.ts'
import type { Report } from './report.ts'

const SCHEDULES = 10_000

export async function benchSimulation(report: Report): Promise<void> {
  const { runCampaign } = await loadSimulation()
  Error.stackTraceLimit = 0
  for (const world of WORLDS) {
    const figures = await runCampaign({ world, firstSeed: 1, schedules: SCHEDULES, mostFailures: 1 })
    report.note(`${world}: ${paceText(figures)}; ${figures.failures.length} violations`)
  }
}
