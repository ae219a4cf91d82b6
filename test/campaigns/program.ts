// The frame of each campaign that people and CI start by hand: its flags, its help, what it says of a finding, how far it
// is, and its exit code. It knows nothing of what a campaign tries or judges.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

/** Exit codes of every campaign. */
const ExitCode = { Kept: 0, Broken: 1, Usage: 2 } as const

const MOST_SEED = 2 ** 40
/** A seed that is drawn is short enough to be typed again. */
const DRAWN_SEEDS = 1_000_000
/** Long work says on standard error how far it is. */
const PROGRESS_EVERY_MS = 10_000
/** Of a campaign in a process of its own: bytes. */
const MOST_OUTPUT = 64 * 1024 * 1024

/** What V8 made of the modules for an earlier process, as the command line keeps it. */
const COMPILED = path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled')

export class UsageError extends Error {}

export interface Program {
  readonly help: string
  /** The flag that says how much is tried, and its largest value. */
  readonly count: { readonly name: string; readonly usual: number; readonly most: number }
  /** The seed where none is given; absent: one is drawn. */
  readonly usualSeed?: number
  /** Flags that take a text. */
  readonly texts?: readonly string[]
  /** Flags that take nothing. */
  readonly switches?: readonly string[]
}

/** What was given, checked. Each method throws UsageError for a value that does not fit. */
export interface Flags {
  readonly count: number
  readonly seed: number
  has(flag: string): boolean
  text(flag: string): string | undefined
  whole(flag: string, least: number, most: number): number | undefined
  oneOf<Name extends string>(flag: string, names: readonly Name[]): Name | undefined
}

/**
 * Reads the flags and lets `run` try what the campaign is about. `run` gives whether every promise was kept.
 * @returns the exit code: 0 kept, 1 broken, 2 wrong usage, which is then explained on standard error
 */
export async function runProgram(
  program: Program,
  run: (flags: Flags) => Promise<boolean>,
  args: readonly string[] = process.argv.slice(2),
): Promise<number> {
  try {
    const flags = readFlags(args, program)
    if (flags === undefined) {
      console.log(program.help)
      return ExitCode.Kept
    }
    return (await run(flags)) ? ExitCode.Kept : ExitCode.Broken
  } catch (error) {
    const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    if (!isUsage) throw error
    console.error(`${(error as Error).message}\n--help shows what there is`)
    return ExitCode.Usage
  }
}

/** None where help was asked for. */
function readFlags(args: readonly string[], program: Program): Flags | undefined {
  const { count, usualSeed, texts = [], switches = [] } = program
  const text = [count.name, 'seed', ...texts].map((flag) => [flag, { type: 'string' }] as const)
  const plain = switches.map((flag) => [flag, { type: 'boolean' }] as const)
  const options = { ...Object.fromEntries([...text, ...plain]), help: { type: 'boolean', short: 'h' } } as const
  const given: Readonly<Record<string, unknown>> = parseArgs({ args: [...args], options }).values
  if (given.help === true) return undefined
  const textOf = (flag: string) => {
    const value = given[flag] as string | undefined
    if (value === '') throw new UsageError(`--${flag}: expected a value; got an empty one`)
    return value
  }
  const whole = (flag: string, least: number, most: number) => {
    const value = given[flag] as string | undefined
    if (value === undefined) return undefined
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    throw new UsageError(`--${flag}: expected a whole number from ${least} to ${most}; got another`)
  }
  for (const flag of texts) textOf(flag)
  return {
    count: whole(count.name, 1, count.most) ?? count.usual,
    seed: whole('seed', 0, MOST_SEED) ?? usualSeed ?? Math.floor(Math.random() * DRAWN_SEEDS),
    has: (flag) => given[flag] === true,
    text: textOf,
    whole,
    oneOf(flag, names) {
      const value = textOf(flag)
      return value === undefined ? undefined : nameIn(flag, value, names)
    },
  }
}

/** @throws UsageError with the names that there are */
export function nameIn<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new UsageError(`--${flag}: unknown "${text}"; there are: ${names.join(', ')}`)
  return name
}

/** What broke, each sentence once, and the line that shows it again. */
export function findingText(where: string, findings: readonly string[], again: string): string {
  return [`${where}:`, ...[...new Set(findings)].map((finding) => `  ${finding}`), `  again: npm run ${again}`].join(
    '\n',
  )
}

/** Says on standard error what `textOf` makes of its arguments, at most every ten seconds. */
export function nowAndThen<Args extends readonly unknown[]>(
  textOf: (...args: Args) => string,
): (...args: Args) => void {
  const startMs = performance.now()
  let saidMs = startMs
  return (...args) => {
    const nowMs = performance.now()
    if (nowMs - saidMs < PROGRESS_EVERY_MS) return
    saidMs = nowMs
    console.error(`${textOf(...args)}, ${Math.round((nowMs - startMs) / 1000)} s`)
  }
}

/** How often each name comes. */
export function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}

/** As `NAME COUNT, NAME COUNT`, by name; `nothing` where there is none. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const byName = Object.entries(counts).sort(([left], [right]) => (left < right ? -1 : 1))
  return byName.map(([name, count]) => `${name} ${count}`).join(', ') || 'nothing'
}

export interface EndedProgram {
  /** The exit code; 1 where the process was killed. */
  readonly code: number
  /** Standard output, then standard error. */
  readonly text: string
}

/** Runs a campaign's file in a process of its own, for what rules the process that it is in. */
export function runInOwnProcess(file: string, args: readonly string[]): Promise<EndedProgram> {
  return new Promise((resolve) => {
    const options = { maxBuffer: MOST_OUTPUT, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } }
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      const failed = typeof error?.code === 'number' ? error.code : ExitCode.Broken
      resolve({ code: error === null ? ExitCode.Kept : failed, text: stdout + stderr })
    })
  })
}
