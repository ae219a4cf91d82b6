// `npm run bench -- [NAME ...]`: measures speed as a ratio of two things in one run, so that the figures hold on a slow
// or busy machine. It prints, and judges only when compared with an earlier run. One file a benchmark.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Before, compare, readBefore } from './against.ts'
import { benchColdStart } from './cold-start.ts'
import { benchCommands } from './commands.ts'
import { benchJournal } from './journal.ts'
import type { Measured, Report } from './report.ts'

import { benchThroughput } from './throughput.ts'

const HEAD = ['', 'median', 'baseline', '', 'ratio', 'quartiles', 'goal']

const BENCHMARKS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  'cold-start': benchColdStart,
  commands: benchCommands,
  journal: benchJournal,
  throughput: benchThroughput,
}

const HELP = `Usage: npm run bench -- [NAME ...] [--json] [--against FILE]

Measures each thing in turn with a baseline, and prints medians, ratios and quartiles.

  NAME            one of: ${Object.keys(BENCHMARKS).join(', ')}
                  (default: all)
  --json          print the figures as JSON, and everything else on the standard error
  --against FILE  an earlier run, as --json printed it: report each ratio that is worse by more than the noise, and exit with 1

A benchmark that fails is reported, and the others continue. Exit codes: 0 measured; 1 one failed, or is worse; 2 wrong usage.

Example: npm run -s bench -- commands --json > bench-before.json
         npm run bench -- commands --against bench-before.json`

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
  const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name))
  if (unknown !== undefined) {
    console.error(`unknown benchmark "${unknown}"; there are: ${Object.keys(BENCHMARKS).join(', ')}`)
    return 2
  }
  // An unreadable file is reported before the measurement, which takes minutes.
  const before = values.against === undefined ? undefined : readBefore(values.against)
  useOneFolder()
  const { failed, figures } = await measure(names, values.json ? console.error : console.log)
  if (values.json) console.log(JSON.stringify({ machine: machine(), figures }, null, 2))
  else if (figures.length > 0) console.log(`\n${machine()}\n${tableOf(figures)}`)
  for (const line of failed) console.error(line)
  const judged = before === undefined ? 0 : judge(before, figures, names)
  return failed.length > 0 ? 1 : judged
}

function tableOf(figures: readonly Measured[]): string {
  const rows = [HEAD, ...figures.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

function rowOf({ benchmark, name, unit, value, baseline, ratio, share, goal }: Measured): string[] {
  const held = ratio?.median ?? (share === undefined ? undefined : value / share.of)
  const beside = baseline ?? (share && { name: share.name, value: share.of })
  return [
    `${benchmark}: ${name}`,
    `${figureText(value)} ${unit}`,
    beside === undefined ? '' : `${figureText(beside.value)} ${unit}`,
    beside?.name ?? '',
    held === undefined ? '' : ratioText(held),
    ratio === undefined ? '' : `${ratioText(ratio.low)} to ${ratioText(ratio.high)}`,
    goal === undefined ? '' : `${held !== undefined && held > goal ? 'MISSED: ' : ''}at most ${goal}`,
  ]
}

/** Three significant digits, and never an exponent. */
function figureText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
  return value.toFixed(digits)
}

function ratioText(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2)
}

/** All files made during the run are in one folder, which is removed with the process, however it ends. */
function useOneFolder(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  process.env.TMPDIR = folder
  // A started process may still write there when a person interrupts.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code))
}

interface Run {
  readonly figures: readonly Measured[]
  /** A line for each benchmark that did not finish. Its measurements up to then are among the figures. */
  readonly failed: readonly string[]
}

async function measure(names: readonly string[], say: (line: string) => void): Promise<Run> {
  const figures: Measured[] = []
  const failed: string[] = []
  for (const [benchmark, run] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(benchmark)) continue
    const report: Report = {
      note: (line) => say(`${benchmark}: ${line}`),
      figure: (figure) => {
        figures.push({ benchmark, ...figure })
        say(`${benchmark}: ${figure.name} measured`)
      },
    }
    try {
      await run(report)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failed.push(`${benchmark}: failed: ${error.message}`)
      say(failed.at(-1) ?? '')
    }
  }
  return { figures, failed }
}

function judge(before: Before, figures: readonly Measured[], names: readonly string[]): number {
  const wanted = before.filter(({ benchmark }) => names.length === 0 || names.includes(benchmark))
  const { alone, compared, worse } = compare(wanted, figures)
  for (const line of worse) console.error(line)
  for (const name of alone) console.error(`${name}: not compared: only one of the two runs has it`)
  if (compared === 0) console.error('nothing was compared: the two runs have no ratio of the same name')
  else if (worse.length === 0) console.error(`${compared} ratios compared; nothing is worse by more than the noise`)
  return worse.length === 0 && compared > 0 ? 0 : 1
}

/** The machine that the times belong to. Ratios hold elsewhere too. */
function machine(): string {
  const processors = cpus()
  return `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model ?? 'a processor without a name'}`
}

let exitCode: number
try {
  exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  exitCode = 2
}
// A failed benchmark may have left a server that listens, and the process would wait for it.
process.exit(exitCode)
