// `npm run cost`: the cost of runs on AWS, counted on the embedded AWS and priced by a table.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { type Costs, measureCosts, type ScenarioCost } from './measure.ts'
import { costsOf, KINDS, METRIC_MONTH, MONTHLY, OWN_KEY_REQUESTS, PRICES_OF } from './prices.ts'

const HELP = `Usage: npm run cost -- [--runs N] [--json | --check | --write]

Runs conversions, withdrawals and rebalances on this machine, and says what AWS would charge for a thousand of each.

  --runs N  runs of each that are counted, 1 to 1000 (default: 3)
  --json    print everything as JSON
  --check   exit with 1 where a figure is more than it was (bench/cost/figures.json), in each of up to 4 rounds
  --write   keep the figures there, for a change that is worth what it costs`

const KEPT = fileURLToPath(new URL('figures.json', import.meta.url))
/** Polls inside a function follow real time, so one more or less is noise. */
const MORE = 1.02
/** A busy machine adds polls and never removes any, so the smallest of several rounds is the figure. */
const MOST_ROUNDS = 4

/** USD: for a thousand runs by the scenario's name, and for a month without a run. */
const kept = z.record(z.string(), z.number())
type Figures = z.infer<typeof kept>

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      runs: { type: 'string', default: '3' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1 || runs > 1_000) {
    console.error('--runs: expected a whole number from 1 to 1000')
    return 2
  }
  if (values.check && values.write) {
    console.error(
      '--check and --write: give only one of them: --check would compare the figures of --write with themselves',
    )
    return 2
  }
  // An unreadable file is reported before the measurement, which takes minutes.
  const before = values.check ? readKept() : undefined
  const costs = await measureCosts(runs, console.error)
  console.log(values.json ? JSON.stringify(costs, null, 2) : textOf(costs))
  if (values.write) writeFileSync(KEPT, `${JSON.stringify(figuresOf(costs), null, 2)}\n`)
  return before === undefined ? 0 : check(before, await leastOf(before, figuresOf(costs), runs))
}

/** Measures again while a figure is larger than before: a real increase shows every time. */
async function leastOf(before: Figures, first: Figures, runs: number): Promise<Figures> {
  let least = first
  for (let round = 2; round <= MOST_ROUNDS && raisedIn(before, least).length > 0; round += 1) {
    console.error(`more than before: measured again, ${round} of ${MOST_ROUNDS}`)
    const again = figuresOf(await measureCosts(runs, console.error))
    least = Object.fromEntries(Object.entries(again).map(([name, now]) => [name, Math.min(now, least[name] ?? now)]))
  }
  return least
}

function raisedIn(before: Figures, figures: Figures): readonly [name: string, now: number][] {
  return Object.entries(figures).filter(([name, now]) => now > (before[name] ?? 0) * MORE)
}

function figuresOf({ idleMonth, scenarios }: Costs): Figures {
  const figures = scenarios.map(({ name, thousand }) => [name, Number(thousand.toFixed(4))])
  const month = idleMonth.metrics + idleMonth.schedules + idleMonth.standing
  return { ...Object.fromEntries(figures), 'a month in which nothing runs': Number(month.toFixed(2)) }
}

function readKept(): Figures {
  try {
    return kept.parse(JSON.parse(readFileSync(KEPT, 'utf8')))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${KEPT}: expected USD by name (${reason}); write it again with \`npm run cost -- --write\``)
  }
}

function check(before: Figures, figures: Figures): number {
  const raised = raisedIn(before, figures)
  const gone = Object.keys(before).filter((name) => figures[name] === undefined)
  for (const [name, now] of raised)
    console.error(
      `${name}: ${now} USD, was ${before[name] ?? 'not measured'}; if that is intended: npm run cost -- --write`,
    )
  for (const name of gone) console.error(`${name}: no longer measured; if that is intended: npm run cost -- --write`)
  if (raised.length + gone.length > 0) return 1
  console.error('nothing costs more than before')
  return 0
}

function textOf({ idleMonth, metrics, scenarios }: Costs): string {
  const lines = scenarios.flatMap((scenario) => {
    const { goal, name, thousand, usage } = scenario
    const verdict = goal === undefined ? '' : ` (${isTooDear(scenario) ? 'MISSED: ' : ''}at most ${goal})`
    const costs = costsOf(usage)
    const kinds = KINDS.filter((kind) => usage[kind] > 0).toSorted((left, right) => costs[right] - costs[left])
    const parts = kinds.map(
      (kind) => `  ${kind.padEnd(12)} ${figure(usage[kind]).padStart(9)} each  ${usd(1_000 * costs[kind])}`,
    )
    return [`1,000 times a ${name}: ${usd(thousand)}${verdict}`, ...parts, '']
  })
  const { schedules, standing } = idleMonth
  const month = standing + schedules + idleMonth.metrics
  return [
    `In us-east-1, without any free tier; prices of ${PRICES_OF}.`,
    '',
    ...lines,
    `Besides: ${metrics} custom metrics, each ${usd(METRIC_MONTH)} a month, or less by each hour without a value`,
    '',
    `A month in which nothing runs: ${usd(month)}`,
    `  standing resources (alarms, dashboard, keys, secrets) ${usd(standing)}`,
    `  schedules ${usd(schedules)}`,
    `  custom metrics of the schedules ${usd(idleMonth.metrics)}`,
    '',
    `Each KMS key of "encryption" besides: ${usd(MONTHLY['AWS::KMS::Key'])} a month, and ${usd(10_000 * OWN_KEY_REQUESTS)} for 10,000 requests`,
  ].join('\n')
}

function isTooDear({ goal, thousand }: ScenarioCost): boolean {
  return goal !== undefined && thousand > goal
}

function figure(count: number): string {
  return count < 10 ? count.toFixed(3).replace(/\.?0+$/, '') : count.toFixed(0)
}

function usd(amount: number): string {
  return `${amount.toFixed(4)} USD`
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 2
}
