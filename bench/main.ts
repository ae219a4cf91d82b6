// `npm run bench -- [NAME ...]`: measures speed as a ratio of two things in one run, so that the
// figures hold on a slow or busy machine. Prints; never judges, unless it is held against a run before. One file a
// benchmark.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type Before, readBefore, worseThan } from './against.ts'
import { benchBundle } from './bundle.ts'
import { benchClient } from './client.ts'
import { benchColdStart } from './cold-start.ts'
import { benchCommands } from './commands.ts'
import { benchConsole } from './console.ts'
import { benchDurability } from './durability.ts'
import { benchGrowth } from './growth.ts'
import { benchJournal } from './journal.ts'
import { benchMoney } from './money.ts'
import { benchMovement } from './movement.ts'
import { benchPlanner } from './planner.ts'
import { benchQuoteLife } from './quote-life.ts'
import { benchRateLimit } from './rate-limit.ts'
import type { Measured, Report } from './report.ts'
import { benchSandbox } from './sandbox.ts'
import { benchSimulation } from './simulation.ts'
import { tableOf } from './table.ts'
import { benchThroughput } from './throughput.ts'
import { benchWarm } from './warm.ts'

const BENCHMARKS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  bundle: benchBundle,
  client: benchClient,
  'cold-start': benchColdStart,
  commands: benchCommands,
  console: benchConsole,
  durability: benchDurability,
  growth: benchGrowth,
  journal: benchJournal,
  money: benchMoney,
  movement: benchMovement,
  planner: benchPlanner,
  'quote-life': benchQuoteLife,
  sandbox: benchSandbox,
  simulation: benchSimulation,
  'rate-limit': benchRateLimit,
  throughput: benchThroughput,
  warm: benchWarm,
}

/** These take many minutes, and are measured only by name. */
const BY_NAME: readonly string[] = ['growth']

const HELP = `Usage: npm run bench -- [NAME ...] [--json] [--against FILE]

Measures each thing in turn with a baseline, and prints medians, ratios and quartiles.

  NAME            one of: ${Object.keys(BENCHMARKS).join(', ')}
                  (default: all but ${BY_NAME.join(', ')}, of SLUICE_BENCH_RUNS runs, by itself 100000)
  --json          print the figures as JSON, and what else is told on the standard error
  --against FILE  a run before, as --json printed it: say which ratio is worse by more than the noise, and exit with 1

Example: npm run -s bench -- money --json > bench-before.json
         npm run bench -- money --against bench-before.json`

async function main(args: readonly string[]): Promise<number> {
  const { positionals: names, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'boolean', default: false },
      against: { type: 'string' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const unknown = names.find((name) => !(name in BENCHMARKS))
  if (unknown !== undefined) {
    console.error(`unknown benchmark "${unknown}"; there are: ${Object.keys(BENCHMARKS).join(', ')}`)
    return 2
  }
  // A file that cannot be read is told before minutes of measuring.
  const before = values.against === undefined ? undefined : readBefore(values.against)
  const figures = await measure(names, values.json ? console.error : console.log)
  if (values.json) console.log(JSON.stringify({ machine: machine(), figures }, null, 2))
  else if (figures.length > 0) console.log(`\n${machine()}\n${tableOf(figures)}`)
  return before === undefined ? 0 : judge(before, figures)
}

async function measure(names: readonly string[], say: (line: string) => void): Promise<Measured[]> {
  const figures: Measured[] = []
  for (const [benchmark, run] of Object.entries(BENCHMARKS)) {
    if (names.length === 0 ? BY_NAME.includes(benchmark) : !names.includes(benchmark)) continue
    await run({
      note: (line) => say(`${benchmark}: ${line}`),
      figure: (figure) => {
        figures.push({ benchmark, ...figure })
        say(`${benchmark}: ${figure.name} measured`)
      },
    })
  }
  return figures
}

function judge(before: Before, figures: readonly Measured[]): number {
  const worse = worseThan(before, figures)
  for (const line of worse) console.error(line)
  if (worse.length === 0) console.error('nothing is worse by more than the noise')
  return worse.length === 0 ? 0 : 1
}

/** What the times are of; ratios hold elsewhere too. */
function machine(): string {
  const processors = cpus()
  return `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model ?? 'a processor without a name'}`
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 2
}
