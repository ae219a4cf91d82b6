// Seeded schedules of the conversion's simulation a second, on one core.
import { runSchedule } from '../test/simulation/convert-world.ts'
import type { Report } from './main.ts'

const SCHEDULES = 4_000
const TRUTH = {
  leewayMs: 5_000,
  visibilityMs: 3_000,
  quoteLifeMs: 5_000,
  saysExpiry: true,
  nonceSpentOnRefusal: true,
  usedQuoteMovesAgain: false,
  skewMs: 0,
  toldAheadMs: 0,
  settleMs: 0,
  endsAs: 'FILLED',
  fillsLagMs: 0,
  rotatesKey: false,
  outageMs: 0,
} as const

export async function benchSimulation(report: Report): Promise<void> {
  const startMs = performance.now()
  let violations = 0
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    violations += (await runSchedule({ seed, executions: 2, faults: 4, truth: TRUTH })).violations.length
  }
  const seconds = (performance.now() - startMs) / 1000
  report(
    `${SCHEDULES} schedules in ${seconds.toFixed(2)} s, ${Math.round(SCHEDULES / seconds)} a second; ${violations} violations`,
  )
}
