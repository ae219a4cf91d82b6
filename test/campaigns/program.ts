// Provides the frame of each campaign that people and CI start by hand: its flags, help, findings, progress and exit
// code. It does not know what a campaign tries or judges.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const ExitCode = { Kept: 0, Broken: 1, Usage: 2 } as const

const MOST_SEED = 2 ** 40
/** A drawn seed is short enough to be typed again. */
const DRAWN_SEEDS = 1_000_000
/** Interval of progress lines on standard error. */
const PROGRESS_EVERY_MS = 10_000
/** Output limit of a campaign in its own process, bytes. */
const MOST_OUTPUT = 64 * 1024 * 1024

/** V8's compile cache of earlier processes, in the folder that the command line uses. */
const COMPILED = path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled')

export class UsageError extends Error {}

export interface Program {
  readonly help: string
  /** The flag for the amount of work, with its default and its largest value. */
  readonly count: { readonly name: string; readonly default: number; readonly most: number }
  /** The seed where no flag names a seed. Absent: each call draws a seed. */
  readonly defaultSeed?: number
  /** Flags with a text. */
  readonly texts?: readonly string[]
  /** Flags without a value. */
  readonly switches?: readonly string[]
}

/** The given flags, checked. Each method throws UsageError for a bad value. */
export interface Flags {
  readonly count: number
  readonly seed: number
  has(flag: string): boolean
  text(flag: string): string | undefined
  whole(flag: string, least: number, most: number): number | undefined
  oneOf<Name extends string>(flag: string, names: readonly Name[]): Name | undefined
}

/**
 * Reads the flags and runs the campaign. `run` returns whether Sluice kept every promise. Standard error explains wrong
 * usage.
 * @returns the exit code: 0 if every promise was kept, 1 if a promise was broken, 2 for wrong usage
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

/** Returns undefined for --help. */
function readFlags(args: readonly string[], program: Program): Flags | undefined {
  const { count, defaultSeed, texts = [], switches = [] } = program
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
    throw new UsageError(`--${flag}: expected a whole number from ${least} to ${most}; got something else`)
  }
  for (const flag of texts) textOf(flag)
  return {
    count: whole(count.name, 1, count.most) ?? count.default,
    seed: whole('seed', 0, MOST_SEED) ?? defaultSeed ?? Math.floor(Math.random() * DRAWN_SEEDS),
    has: (flag) => given[flag] === true,
    text: textOf,
    whole,
    oneOf(flag, names) {
      const value = textOf(flag)
      return value === undefined ? undefined : nameIn(flag, value, names)
    },
  }
}

/** @throws UsageError, which lists the known names */
export function nameIn<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new UsageError(`--${flag}: unknown "${text}"; there are: ${names.join(', ')}`)
  return name
}

/** Lists each broken promise once, and the line that shows it again. */
export function findingText(where: string, findings: readonly string[], again: string): string {
  return [`${where}:`, ...[...new Set(findings)].map((finding) => `  ${finding}`), `  again: npm run ${again}`].join(
    '\n',
  )
}

/** Returns a function that prints `textOf` of its arguments on standard error, at most every ten seconds. */
export function everyTenSeconds<Args extends readonly unknown[]>(
  textOf: (...args: Args) => string,
): (...args: Args) => void {
  const startMs = performance.now()
  let printedMs = startMs
  return (...args) => {
    const nowMs = performance.now()
    if (nowMs - printedMs < PROGRESS_EVERY_MS) return
    printedMs = nowMs
    console.error(`${textOf(...args)}, ${Math.round((nowMs - startMs) / 1000)} s`)
  }
}

export function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}

/** `NAME COUNT, NAME COUNT`, sorted by name; `nothing` if there are no counts. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const byName = Object.entries(counts).sort(([left], [right]) => (left < right ? -1 : 1))
  return byName.map(([name, count]) => `${name} ${count}`).join(', ') || 'nothing'
}

export interface EndedProgram {
  /** The exit code; 1 if the process was killed. */
  readonly code: number
  /** Standard output, then standard error. */
  readonly text: string
}

/** Runs a campaign's file in its own process, because some campaigns change their whole process. */
export function runInOwnProcess(file: string, args: readonly string[]): Promise<EndedProgram> {
  return new Promise((resolve) => {
    const options = { maxBuffer: MOST_OUTPUT, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } }
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      const failed = typeof error?.code === 'number' ? error.code : ExitCode.Broken
      resolve({ code: error === null ? ExitCode.Kept : failed, text: stdout + stderr })
    })
  })
}
