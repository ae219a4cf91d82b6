// Runs each kind on the embedded AWS, with the scenarios and the meter of `npm run cost`, and counts what quotas are about.
// The deployment has daily budgets, so that their records are read and written as in one that bounds what may move.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { HistoryEvent } from '@sluice/embedded-aws'
import { LEGS_AT_ONCE } from '../../infra/constructs/machine-kit.ts'
import { executionsOf, type Meter } from '../cost/meter.ts'
import { type MeteredMachines, withMeteredMachines } from '../cost/metered-machines.ts'
import { SCENARIOS } from '../cost/scenarios.ts'
import { type Counts, RUN_KINDS, type RunCounts, type RunKind, SCENARIO_OF } from './counts.ts'
import { JournalKeys, type UnitsByKey } from './journal-keys.ts'

const TREASURY = {
  service: { url: 'https://api.example.com', stage: 'test', keySecret: 'sluice/service-key' },
  guards: { total: { daily: '1000000000000' }, dailyOutflow: { USDC: '1000000000000' } },
}
const TOTAL_BUDGET = 'B#*#'
const LEGS = 10
const DECIMALS = 3

/** `runs`: how often each kind is run; the first run of each warms up and is not counted. */
export async function measureCounts(runs: number, say: (line: string) => void): Promise<Counts> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-scale-'))
  const configFile = path.join(folder, 'treasury.json')
  writeFileSync(configFile, JSON.stringify(TREASURY))
  const keys = new JournalKeys()
  try {
    return await withMeteredMachines(
      configFile,
      async (metered) => {
        keys.watch(metered.table)
        return measureKinds(metered, keys, runs, say)
      },
      keys.hook,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureKinds(
  { machines, meter }: MeteredMachines,
  keys: JournalKeys,
  runs: number,
  say: (line: string) => void,
): Promise<Counts> {
  const kinds: Partial<Record<RunKind, RunCounts>> = {}
  let [reservationBytes, knownRowBytes] = [0, 0]
  for (const kind of RUN_KINDS) {
    const run = SCENARIOS.find(({ name }) => name === SCENARIO_OF[kind])?.run
    if (run === undefined) throw new TypeError(`bench/cost/scenarios.ts has no "${SCENARIO_OF[kind]}"`)
    say(`${kind}: ${runs} runs`)
    await run(machines, `${kind}-0`)
    keys.take()
    const each: RunCounts[] = []
    const sizes = () => ({ budget: keys.largest(TOTAL_BUDGET), intent: keys.largest(`I#withdraw#${kind}-`) })
    const first = sizes()
    for (let nth = 1; nth <= runs; nth += 1)
      each.push(await countRun({ machines, meter }, keys, () => run(machines, `${kind}-${nth}`)))
    const last = sizes()
    // Legs have ids as long as those of runs on AWS.
    if (kind === 'rebalances') reservationBytes = (last.budget - first.budget) / (runs * LEGS)
    if (kind === 'withdrawals') knownRowBytes = (last.intent - first.intent) / runs
    kinds[kind] = meanOf(each)
  }
  const measuredAt = new Date().toISOString().slice(0, 10)
  return {
    measuredAt,
    runs,
    kinds: kinds as Counts['kinds'],
    reservationBytes: rounded(reservationBytes),
    knownRowBytes: rounded(knownRowBytes),
  }
}

type Measured = Pick<MeteredMachines, 'machines'> & { readonly meter: Meter }

async function countRun(
  { machines, meter }: Measured,
  keys: JournalKeys,
  run: () => Promise<void>,
): Promise<RunCounts> {
  const known = executionsOf(machines)
  const asked = await requestsOf(machines)
  const usage = await meter.of(machines, run)
  const journal = keys.take()
  const histories = [...executionsOf(machines)].filter((arn) => !known.has(arn)).map((arn) => machines.aws.history(arn))
  const requests = (await requestsOf(machines)).slice(asked.length)
  const sends = requests.filter(isSend).length
  const starts = histories.length
  return {
    starts,
    transitions: usage.transitions,
    historyEvents: Math.max(...histories.map(({ length }) => length)),
    invocations: usage.invocations,
    functionSeconds: meter.functionSeconds,
    serviceReads: requests.length - sends,
    serviceSends: sends,
    events: usage.events,
    // As reckoned, and not as this machine took: the functions of legs that run at once work side by side.
    seconds: Math.max(...histories.map(waitSeconds)) + meter.functionSeconds / Math.min(starts, LEGS_AT_ONCE),
    journal,
  }
}

/** Waits pass in no time here, and are in the times of the events all the same. */
function waitSeconds(events: readonly HistoryEvent[]): number {
  const atMs = (type: string) =>
    events.reduce((sum, event) => (event.type === type ? sum + event.timestamp.getTime() : sum), 0)
  return (atMs('WaitStateExited') - atMs('WaitStateEntered')) / 1_000
}

interface Request {
  readonly method: string
  readonly path: string
}

async function requestsOf(machines: MeteredMachines['machines']): Promise<readonly Request[]> {
  return (await machines.control<{ requests: Request[] }>('/oracle')).requests
}

function isSend({ method, path: target }: Request): boolean {
  return method === 'POST' && /^\/v2\/(orders|withdrawals)$/.test(target)
}

type Figures = Omit<RunCounts, 'journal'>

function meanOf(each: readonly RunCounts[]): RunCounts {
  const mean = (of: (run: RunCounts) => number) => rounded(each.reduce((sum, run) => sum + of(run), 0) / each.length)
  const names = Object.keys(each[0] ?? {}).filter((name) => name !== 'journal') as (keyof Figures)[]
  const keys = [...new Set(each.flatMap(({ journal }) => Object.keys(journal)))].toSorted()
  const unitsOf = (key: string, what: 'reads' | 'writes') => mean(({ journal }) => journal[key]?.[what] ?? 0)
  const journal: UnitsByKey = Object.fromEntries(
    keys.map((key) => [key, { reads: unitsOf(key, 'reads'), writes: unitsOf(key, 'writes') }]),
  )
  const figures = Object.fromEntries(names.map((name) => [name, mean((run) => run[name])])) as unknown as Figures
  return { ...figures, journal }
}

function rounded(figure: number): number {
  return Number(figure.toFixed(DECIMALS))
}
