// `npm run mutants`: generates mutants of the files that move money, tries each, and prints those that nothing notices.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { countBy, countsText, type Flags, runProgram, UsageError } from '../campaigns/program.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { Trials, type Verdict } from './trial.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The files that can move money, or that judge what moved. */
const FILES = [
  'functions/{order,withdraw,quote,check-withdrawal,conclude,resolve,settle-run,plan-*,reconcile}/*.ts',
  'core/{journal,movements,guards,planning,audit,runs,people}/**/*.ts',
]
/** Mutants that behave as the product does, each with the reason. */
const EQUIVALENT: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8'),
)

const PROGRAM = {
  help: `Example: npm run mutants -- --seed 1 --share 1/400

Changes one expression or statement of a file that moves money, and tries whether a test or a schedule notices.

  --seed S        draws the share (default 1)
  --share I/N     the share I of N of all mutants (default 1/1: all). A mutant stays in its share while its function stays
  --most N        at most so many mutants
  --file PATH     mutants of the files whose path begins so
  --mutant NAME   one mutant, by the name that a report gives
  --results FILE  adds each verdict to the file, and leaves out the mutants that the file has: a run can be continued

Exit codes: 0 every mutant was noticed, or is known to be equivalent; 1 otherwise; 2 wrong usage.`,
  count: { name: 'most', default: 1_000_000, most: 1_000_000 },
  defaultSeed: 1,
  texts: ['share', 'file', 'mutant', 'results'],
}

interface Tried extends Verdict {
  readonly name: string
  readonly line: number
  readonly change: string
}

async function tryMutants(flags: Flags): Promise<boolean> {
  const results = flags.text('results')
  const earlier = results !== undefined && existsSync(results) ? readResults(results) : []
  const done = new Set(earlier.map(({ name }) => name))
  const wanted = drawMutants(flags)
  const open = wanted.filter(({ name }) => !done.has(name)).slice(0, flags.count)
  const names = new Set(wanted.map(({ name }) => name))
  const tried = earlier.filter(({ name }) => names.has(name))
  const trials = await Trials.prepare()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', () => trials.stop())
  for (const mutant of open) {
    const { name, line, change } = mutant
    const known = isEquivalent(name) ? ({ end: 'survived' } as const) : await trials.try(mutant)
    const verdict = { name, line, change, ...known }
    tried.push(verdict)
    if (results !== undefined) appendFileSync(results, `${JSON.stringify(verdict)}\n`)
    console.log(verdictText(verdict))
  }
  trials.stop()
  console.log(countsText(countBy(tried, ({ end, name }) => (isEquivalent(name) ? 'equivalent' : end))))
  return tried.every(({ end, name }) => end !== 'survived' || isEquivalent(name))
}

const isEquivalent = (name: string) => Object.hasOwn(EQUIVALENT, name)

const readResults = (file: string): Tried[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

function verdictText({ name, line, change, end, by }: Tried): string {
  if (isEquivalent(name)) return `equivalent  ${name}`
  return `${end.padEnd(11)} ${name} (line ${line}: ${change})${by === undefined ? '' : ` by ${by}`}`
}

function drawMutants(flags: Flags): Mutant[] {
  const { seed } = flags
  const [begin, only] = [flags.text('file') ?? '', flags.text('mutant')]
  const [index, of] = shareOf(flags.text('share') ?? '1/1')
  const files = globSync(FILES, { cwd: ROOT }).sort()
  const all = files
    .filter((file) => file.startsWith(begin) && (only?.startsWith(`${file} `) ?? true))
    .flatMap((file) => mutantsOf(file, readFileSync(path.join(ROOT, file), 'utf8')))
    .filter(({ name }) => (only === undefined ? drawOf(seed, name) % of === index - 1 : name === only))
    // In the order of the draw, so that a run that is cut short has tried mutants of all files.
    .sort((left, right) => drawOf(seed, left.name) - drawOf(seed, right.name))
  if (all.length === 0) throw new UsageError('no mutant has this name, file or share')
  return all
}

const drawOf = (seed: number, name: string) => createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE()

function shareOf(text: string): readonly [index: number, of: number] {
  const [index = 0, of = 0] = text.split('/').map(Number)
  if (!/^\d{1,6}\/\d{1,6}$/.test(text) || index < 1 || index > of)
    throw new UsageError(`--share: expected I/N with I from 1 to N, got "${text}"`)
  return [index, of]
}

process.exitCode = await runProgram(PROGRAM, tryMutants)
