// Measures how long a person waits for commands, each as a whole process: alone, beside a `serve`, from the bundle and
// from the sources. Compares that with a Node process that loads the modules of the usual handler. Also times the tour
// of `npm start`, each time in a new directory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startScript, startSluice } from '../test/integration/cli/command-line.ts'
import { bundleBaseline } from './baselines/bundle-baseline.ts'
import { CONVERSION } from './cold/shipped.ts'
import { type Paired, timeInTurn, timePaired } from './paired.ts'
import type { Report } from './report.ts'

const PAIRS = 25
const TOURS = 5
/**
 * Number of consecutive processes that take about as long as a tour. A single process ends too soon for a comparison.
 */
const A_TOUR = 30

/** Commands that only read. */
const READING = [
  ['movements', 'list'],
  ['runs', 'list'],
  ['cases', 'list'],
  ['policies'],
  ['service', 'balances'],
] as const

/** By its name, the work that is timed. */
type Works = Readonly<Record<string, () => Promise<void>>>

export async function benchCommands(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-commands-'))
  const state = ['--state', path.join(folder, 'state')]
  const input = path.join(folder, 'convert.json')
  writeFileSync(input, JSON.stringify(CONVERSION))
  const usual = usualProcess(folder)
  let ids = 0
  const convert = () => run(['run', 'convert', input, '--id', `bench-${++ids}`, ...state])
  const reading = (where: string): Works =>
    Object.fromEntries(
      READING.map((words) => [`${words.join(' ')}, ${where}`, () => run([...words, '--json', ...state])]),
    )
  const addFigure = (name: string, { leftMs, ratios, rightMs }: Paired, baseline: string) =>
    report.figure({ name, unit: 'ms', value: leftMs, baseline: { name: baseline, value: rightMs }, ratio: ratios })
  const timeAll = async (works: Works) => {
    const timed = await timeInTurn(Object.values(works), usual, PAIRS)
    for (const [nth, name] of Object.keys(works).entries())
      addFigure(name, timed[nth] as Paired, 'a process of the usual way')
  }
  /** Each command of the checkout against the same from its sources. */
  const timeBundle = async () => {
    for (const words of [
      ['--help'],
      ['runs', 'list', ...state],
      ['run', 'convert', input, '--id', 'bench-1', ...state],
    ]) {
      const fromSources = async () => assertDone(words, await startScript('cli/main.ts', words).ended)
      const timed = await timePaired(() => run(words), fromSources, PAIRS)
      addFigure(`${words.slice(0, 2).join(' ')}, from the bundle`, timed, 'from the sources')
    }
  }
  try {
    await timeAll({
      '--help': () => run(['--help']),
      'npx sluice --help': npxHelp,
      'a completion': () => run(['setup', 'completion', 'words', '--', 'ru']),
      'run convert, which boots': convert,
      ...reading('with nobody there'),
    })
    const serving = startSluice(['serve', '--jsonl', ...state])
    await serving.firstLine
    try {
      await timeAll({ 'run convert, beside a serve': convert, ...reading('beside a serve') })
      if (existsSync('dist/main.mjs')) await timeBundle()
      else report.note('there is no bundle to compare: npm run build makes it')
    } finally {
      serving.child.kill('SIGINT')
      await serving.ended
    }
    let tours = 0
    const newTour = () => tour(path.join(folder, `tour-${++tours}`))
    addFigure(
      'npm start',
      await timePaired(newTour, () => inARow(usual), TOURS),
      `${A_TOUR} processes of the usual way`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(args: readonly string[]): Promise<void> {
  assertDone(args, await startSluice(args).ended)
}

/** As a person starts it in the project's folder: npm on the Node of the PATH, and then the command. */
async function npxHelp(): Promise<void> {
  const [exitCode] = await once(spawn('npx', ['sluice', '--help'], { stdio: 'ignore' }), 'close')
  if (exitCode !== 0) throw new Error(`npx sluice --help ended with ${exitCode}: npm ci links the command`)
}

async function tour(directory: string): Promise<void> {
  mkdirSync(directory, { mode: 0o700 })
  const args = ['--state', directory]
  await run(['start', ...args])
}

function assertDone(args: readonly string[], { exitCode, stderr }: { exitCode: number | null; stderr: string }): void {
  if (exitCode !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
}

async function inARow(start: () => Promise<void>): Promise<void> {
  for (let nth = 0; nth < A_TOUR; nth += 1) await start()
}

/**
 * Loads the modules of a usual handler (bench/baselines/usual.ts), and ends. An empty process ends too soon to be
 * steady.
 */
function usualProcess(folder: string): () => Promise<void> {
  const code = `import(${JSON.stringify(bundleBaseline(folder))})`
  const env = {
    ...process.env,
    AWS_REGION: 'eu-west-1',
    SLUICE_JOURNAL_TABLE: 'none',
    SLUICE_KEY_SECRET: 'none',
    SLUICE_SERVICE_URL: 'http://127.0.0.1:9',
  }
  return async () => {
    const [exitCode] = await once(spawn(process.execPath, ['-e', code], { stdio: 'ignore', env }), 'close')
    if (exitCode !== 0) throw new Error(`the process of the usual way ended with ${exitCode}`)
  }
}
