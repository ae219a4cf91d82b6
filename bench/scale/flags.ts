// Reads what `npm run scale` is given. What does not fit is refused with the flag, what it was, and what it may be.
import { parseArgs } from 'node:util'
import { RUN_KINDS, type RunKind } from './counts.ts'
import { type Limits, QUOTAS } from './model.ts'
import { USUAL, type Workload } from './workload.ts'

export class WrongUsage extends Error {}

export interface ScaleFlags {
  readonly does: 'help' | 'assess' | 'measure' | 'write'
  readonly json: boolean
  readonly seed: number
  readonly limits: Limits
  readonly workload: Workload
}

const MOST_RUNS_A_DAY = 1e9
const MOST_LIMIT = 1e12
const LONGEST_SHOWN = 40
const DECIMAL = /^\d{1,13}(\.\d{1,9})?$/

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  measure: { type: 'boolean' },
  write: { type: 'boolean' },
  'without-budget': { type: 'boolean' },
  'runs-a-day': { type: 'string' },
  mix: { type: 'string' },
  'peak-factor': { type: 'string' },
  assets: { type: 'string' },
  policies: { type: 'string' },
  'in-doubt': { type: 'string' },
  'by-webhook': { type: 'string' },
  seed: { type: 'string' },
  limit: { type: 'string', multiple: true },
} as const

/** @throws WrongUsage */
export function readFlags(args: readonly string[]): ScaleFlags {
  const values = parsed(args)
  const whole = (flag: TextFlag, most: number, usual: number) =>
    numberIn(`--${flag}`, values[flag], { least: 1, most, isWhole: true }, usual)
  const share = (flag: TextFlag, usual: number) => numberIn(`--${flag}`, values[flag], { least: 0, most: 1 }, usual)
  if (values.measure && values.write) throw new WrongUsage('--measure and --write: give one of them at a time')
  return {
    does: values.help ? 'help' : values.measure ? 'measure' : values.write ? 'write' : 'assess',
    json: values.json ?? false,
    seed: whole('seed', 2 ** 31, 1),
    limits: limitsOf(values.limit ?? []),
    workload: {
      runsADay: whole('runs-a-day', MOST_RUNS_A_DAY, USUAL.runsADay),
      mix: values.mix === undefined ? USUAL.mix : mixOf(values.mix),
      peakFactor: numberIn('--peak-factor', values['peak-factor'], { least: 1, most: 24 }, USUAL.peakFactor),
      assets: whole('assets', 1_000, USUAL.assets),
      policies: whole('policies', 100, USUAL.policies),
      inDoubt: share('in-doubt', USUAL.inDoubt),
      byWebhook: share('by-webhook', USUAL.byWebhook),
      hasBudget: !values['without-budget'],
    },
  }
}

type TextFlag = 'runs-a-day' | 'peak-factor' | 'assets' | 'policies' | 'in-doubt' | 'by-webhook' | 'seed'

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    // What parseArgs says names the flag.
    throw new WrongUsage(error instanceof Error ? error.message : 'flags that cannot be read')
  }
}

interface Bounds {
  readonly least: number
  readonly most: number
  readonly isWhole?: boolean
}

function numberIn(what: string, text: string | undefined, { isWhole, least, most }: Bounds, usual?: number): number {
  if (text === undefined && usual !== undefined) return usual
  const value = DECIMAL.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value
  const expected = `${isWhole ? 'a whole number' : 'a number'} from ${least} to ${most}`
  throw new WrongUsage(`${what}: expected ${expected}, and it is ${shown(text ?? '')}`)
}

/** Parts of any whole: `conversions=3,withdrawals=1` is three quarters and one. */
function mixOf(text: string): Workload['mix'] {
  const parts: Partial<Record<RunKind, number>> = {}
  for (const [name, value] of pairsOf('--mix', text.split(','))) {
    const kind = RUN_KINDS.find((each) => each === name)
    if (kind === undefined)
      throw new WrongUsage(`--mix: expected kinds among ${RUN_KINDS.join(', ')}, and one is ${shown(name)}`)
    if (parts[kind] !== undefined) throw new WrongUsage(`--mix: ${kind} is given twice; give it once`)
    parts[kind] = numberIn(`--mix ${kind}`, value, { least: 0, most: MOST_RUNS_A_DAY })
  }
  const whole = RUN_KINDS.reduce((sum, kind) => sum + (parts[kind] ?? 0), 0)
  if (whole === 0) throw new WrongUsage('--mix: all parts are 0; give one of them more')
  const shares = RUN_KINDS.map((kind) => [kind, (parts[kind] ?? 0) / whole] as const)
  return Object.fromEntries(shares) as Record<RunKind, number>
}

function limitsOf(texts: readonly string[]): Limits {
  const limits: Record<string, number> = {}
  for (const [name, value] of pairsOf('--limit', texts)) {
    if (!QUOTAS.some((quota) => quota.name === name)) {
      const names = QUOTAS.map((quota) => quota.name).join(', ')
      throw new WrongUsage(`--limit: expected one of ${names}, and it is ${shown(name)}`)
    }
    if (limits[name] !== undefined) throw new WrongUsage(`--limit: ${name} is given twice; give it once`)
    limits[name] = numberIn(`--limit ${name}`, value, { least: 1e-9, most: MOST_LIMIT })
  }
  return limits
}

function pairsOf(flag: string, texts: readonly string[]): (readonly [string, string])[] {
  return texts.map((text) => {
    const [name = '', value, ...more] = text.split('=')
    if (value === undefined || more.length > 0)
      throw new WrongUsage(`${flag}: expected NAME=NUMBER, and it is ${shown(text)}`)
    return [name.trim(), value.trim()]
  })
}

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text)
}
