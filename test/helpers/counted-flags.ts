// The flags of a program that tries something so many times from a seed on: read, checked, and answered with the
// program's help where they do not fit.
import { parseArgs } from 'node:util'

const MOST_SEED = 2 ** 40
/** Seeds by chance are short enough to be typed again. */
const CHANCE_SEEDS = 1_000_000
const WRONG_USAGE = 2

export interface CountedProgram {
  /** Of the flag that says how many. */
  readonly count: string
  readonly usual: number
  readonly most: number
  readonly help: string
  /** Flags that take a text. */
  readonly texts?: readonly string[]
  /** Flags that take nothing. */
  readonly switches?: readonly string[]
}

export interface CountedFlags {
  readonly count: number
  readonly seed: number
  readonly texts: Readonly<Record<string, string>>
  /** Those that were given. */
  readonly switches: ReadonlySet<string>
}

/** Else the exit code with which the program ends at once: it has said why. */
export function readCountedFlags(args: readonly string[], program: CountedProgram): CountedFlags | number {
  const { count: name, usual, most, help, texts = [], switches = [] } = program
  try {
    const text = [name, 'seed', ...texts].map((flag) => [flag, { type: 'string' }] as const)
    const plain = switches.map((flag) => [flag, { type: 'boolean' }] as const)
    const options = { ...Object.fromEntries([...text, ...plain]), help: { type: 'boolean', short: 'h' } } as const
    const values: Readonly<Record<string, unknown>> = parseArgs({ args: [...args], options }).values
    if (values.help === true) {
      console.log(help)
      return 0
    }
    const given = (flag: string, fallback?: string) => (typeof values[flag] === 'string' ? values[flag] : fallback)
    return {
      count: wholeIn(name, given(name, String(usual)), 1, most),
      seed: wholeIn('seed', given('seed', String(Math.floor(Math.random() * CHANCE_SEEDS))), 0, MOST_SEED),
      texts: Object.fromEntries(texts.flatMap((flag) => textIn(flag, given(flag)))),
      switches: new Set(switches.filter((flag) => values[flag] === true)),
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`)
    return WRONG_USAGE
  }
}

function wholeIn(flag: string, text = '', least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Error(`--${flag}: expected a whole number from ${least} to ${most}; got another`)
}

function textIn(flag: string, text: string | undefined): [string, string][] {
  if (text === '') throw new Error(`--${flag}: expected a value; got an empty one`)
  return text === undefined ? [] : [[flag, text]]
}
