// `npm run bench -- [NAME ...]`: measures speed as a ratio of two things in one run, so that the
// figures hold on a slow or busy machine. Prints; never judges. One file a benchmark.
import { benchBundle } from './bundle.ts'
import { benchClient } from './client.ts'
import { benchConsole } from './console.ts'
import { benchDurability } from './durability.ts'
import { benchJournal } from './journal.ts'
import { benchMoney } from './money.ts'
import { benchMovement } from './movement.ts'
import { benchPlanner } from './planner.ts'
import type { Report } from './report.ts'
import { benchSandbox } from './sandbox.ts'
import { benchSimulation } from './simulation.ts'

const BENCHMARKS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  bundle: benchBundle,
  client: benchClient,
  console: benchConsole,
  durability: benchDurability,
  journal: benchJournal,
  money: benchMoney,
  movement: benchMovement,
  planner: benchPlanner,
  sandbox: benchSandbox,
  simulation: benchSimulation,
}

async function main(names: readonly string[]): Promise<number> {
  if (names.includes('--help') || names.includes('-h')) {
    console.log(`Example: npm run bench -- money\n\nMeasures: ${Object.keys(BENCHMARKS).join(', ')} (default: all).`)
    return 0
  }
  const unknown = names.find((name) => !(name in BENCHMARKS))
  if (unknown !== undefined) {
    console.error(`unknown benchmark "${unknown}"; there are: ${Object.keys(BENCHMARKS).join(', ')}`)
    return 2
  }
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue
    await run((line) => console.log(`${name}: ${line}`))
  }
  return 0
}

process.exitCode = await main(process.argv.slice(2))
