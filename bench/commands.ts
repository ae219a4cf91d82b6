// How long a person waits for a command: its whole process, from the shell's start to its end, beside an empty process of
// Node. The tour is that of `npm start` in a directory that is new each time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startScript, startSluice } from '../test/integration/cli/command-line.ts'
import { CONVERSION } from './cold/shipped.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

const PAIRS = 25
const TOURS = 5

export async function benchCommands(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-commands-'))
  const state = ['--state', path.join(folder, 'state')]
  const input = path.join(folder, 'convert.json')
  writeFileSync(input, JSON.stringify(CONVERSION))
  let ids = 0
  const convert = () => run(['run', 'convert', input, '--id', `bench-${++ids}`, ...state])
  const beside = async (name: string, work: () => Promise<void>, pairs = PAIRS) => {
    const { leftMs, ratios, rightMs } = await timePaired(work, empty, pairs)
    report.figure({
      name,
      unit: 'ms',
      value: leftMs,
      baseline: { name: 'empty process', value: rightMs },
      ratio: ratios,
    })
  }
  try {
    await beside('--help', () => run(['--help']))
    await beside('run convert, which boots', convert)
    for (const name of READING) await beside(`${name}, with nobody there`, () => run([name, '--json', ...state]))
    const serving = startSluice(['serve', '--jsonl', ...state])
    await serving.firstLine
    try {
      await beside('run convert, beside a serve', convert)
      for (const name of READING) await beside(`${name}, beside a serve`, () => run([name, '--json', ...state]))
    } finally {
      serving.child.kill('SIGINT')
      await serving.ended
    }
    let tours = 0
    await beside('npm start', () => tour(path.join(folder, `tour-${++tours}`)), TOURS)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const READING = ['list', 'runs', 'attention', 'policies', 'balances'] as const

async function run(args: readonly string[]): Promise<void> {
  assertDone(args, await startSluice(args).ended)
}

async function tour(directory: string): Promise<void> {
  mkdirSync(directory, { mode: 0o700 })
  const args = ['--state', directory]
  assertDone(['start', ...args], await startScript('cli/start.ts', args).ended)
}

function assertDone(args: readonly string[], { exitCode, stderr }: { exitCode: number | null; stderr: string }): void {
  if (exitCode !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
}

async function empty(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close')
}
