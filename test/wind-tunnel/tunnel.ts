// The wind tunnel: real bundles in workers, the embedded AWS, the HTTP sandbox. Runs plans one after
// the other on machines that it renews, and judges each by the sandbox's oracle and the audit. Threads and sockets
// take turns as they like: a seed gives the same plan, not the same instant.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { entryName } from '../../functions/contract/fields.ts'
import { IntentState, JOURNAL_TABLE, recordKey } from '../../functions/contract/records.ts'
import { createDynamoStore } from '../../functions/shared/journal/dynamo-store.ts'
import { type Intent, isTerminal } from '../../functions/shared/journal/intent.ts'
import { createJournal, type Journal } from '../../functions/shared/journal/journal.ts'
import type { RecordStore } from '../../functions/shared/journal/record-store.ts'
import type { EndpointCall, EndpointVerdict } from '../../sandbox/aws/embedded-aws.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'
import { type JudgedIntent, judge, type OracleMovement } from './judge.ts'
import { type Mishap, type Plan, type PlannedIntent, planRun } from './plan.ts'

/** Lists grow with what has moved: a machine is renewed before that makes runs slow. */
const RUNS_A_MACHINE = 40
/** Two at once, so that a second execution of an intent meets a first that is frozen. */
const WORKERS = 2
/** Entries of one intent after faults stopped; one is enough unless something is wrong. */
const MOST_ENTRIES = 6
/** Beyond the age at which the audit judges a movement. */
const AUDIT_AGE_MS = 30 * 60_000

export interface RunVerdict {
  readonly seed: number
  readonly violations: readonly string[]
  readonly intents: number
  readonly movements: number
  /** By kind: what befell the functions. */
  readonly mishaps: Readonly<Record<string, number>>
  /** By state: how the intents ended. */
  readonly ends: Readonly<Record<string, number>>
}

export interface Flight {
  readonly assemblyDir: string
  /** The first run's seed; the next have the next ones. */
  readonly seed: number
  readonly runs: number
  /** Machines at once, each with runs one after the other. A run waits as much as it reckons. */
  readonly tunnels: number
  /** Whether the assembly has `GUARDS`. */
  readonly isGuarded?: boolean
}

/** Let everything pass, and count it: by a price, and by asset. */
export const GUARDS = {
  total: { daily: '1000000000' },
  assets: { USDC: { daily: '1000000000' }, BTC: { daily: '1000000' } },
}

/** Gives each verdict as it falls. */
export async function flyRuns(flight: Flight, onVerdict: (verdict: RunVerdict) => void): Promise<void> {
  let flown = 0
  async function flyOnOneMachine(): Promise<void> {
    const tunnel = await openTunnel(flight.assemblyDir)
    try {
      for (let run = 0; run < RUNS_A_MACHINE && flown < flight.runs; run += 1) {
        onVerdict(await fly(tunnel, planRun(flight.seed + flown++), flight.isGuarded === true))
      }
    } finally {
      await tunnel.close()
    }
  }
  async function flyOn(): Promise<void> {
    while (flown < flight.runs) await flyOnOneMachine()
  }
  await Promise.all(Array.from({ length: flight.tunnels }, flyOn))
}

interface Tunnel {
  readonly machine: RunningMachines
  readonly journal: Journal
  readonly store: RecordStore
  close(): Promise<void>
}

async function openTunnel(assemblyDir: string): Promise<Tunnel> {
  const machine = await startMachines(assemblyDir, () => ({ workersPerFunction: WORKERS, prewarm: true }))
  const client = new DynamoDBClient({
    endpoint: machine.aws.endpointUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'wind-tunnel', secretAccessKey: 'not-a-secret' },
  })
  const store = createDynamoStore(client, JOURNAL_TABLE)
  return {
    machine,
    journal: createJournal(store, randomUUID),
    store,
    async close() {
      client.destroy()
      await machine.stop()
    },
  }
}

async function fly({ machine, journal, store }: Tunnel, plan: Plan, isGuarded: boolean): Promise<RunVerdict> {
  for (const assetSymbol of ['USDC', 'BTC']) await machine.control('/balance', { assetSymbol, credit: '5000' })
  const before = new Set((await consult(machine)).movements.map(({ id }) => id))
  for (const rule of plan.rules) await machine.control('/rules', rule)
  const mishaps: Record<string, number> = {}
  machine.hook = befall(plan, machine, mishaps)
  await Promise.all(plan.intents.flatMap((intent) => enterAtOnce(machine, intent)))
  machine.hook = undefined
  await machine.clearRules()
  // One after the other: what is to be seen is where each ends once nothing goes wrong any more.
  for (const intent of plan.intents) await settle(intent, machine, journal)

  const { movements: all, invariants } = await consult(machine)
  const movements = all.filter(({ id }) => !before.has(id))
  const intents = await Promise.all(plan.intents.map(({ intentId }) => journal.find<JudgedIntent & Intent>(intentId)))
  const known = intents.filter((intent) => intent !== undefined)
  const claims = new Map(await Promise.all(movements.map(async ({ id }) => [id, await journal.findClaim(id)] as const)))
  return {
    seed: plan.seed,
    violations: [
      ...judge({ movements, intents: known, claims, ledgerViolations: invariants.violations }),
      ...(isGuarded ? await uncounted(known, store) : []),
      ...(await auditFindings(machine)),
    ],
    intents: plan.intents.length,
    movements: movements.length,
    mishaps,
    ends: countBy(known, ({ state }) => state),
  }
}

/** What moved and no budget counts. */
async function uncounted(intents: readonly Intent[], store: RecordStore): Promise<string[]> {
  const found: string[] = []
  for (const { intentId, state, createdAt } of intents) {
    if (state !== IntentState.Done) continue
    const budget = await store.read(recordKey.budget('*', createdAt.slice(0, 10), 'value:USD'))
    if ((budget?.reserved as Readonly<Record<string, string>> | undefined)?.[intentId] === undefined)
      found.push(`intent ${intentId} is DONE, and the budget of its day does not count it`)
  }
  return found
}

/** What the product's own audit finds, once what moved in the run is old enough for it: nothing. */
async function auditFindings(machine: RunningMachines): Promise<string[]> {
  await machine.pass(AUDIT_AGE_MS)
  const { findings } = await machine.reconcile()
  return findings.map(({ finding, message }) => `the audit finds ${finding}: ${message}`)
}

interface Oracle {
  readonly movements: readonly OracleMovement[]
  readonly invariants: { readonly violations: readonly unknown[] }
}

function consult(machine: RunningMachines): Promise<Oracle> {
  return machine.control<Oracle>('/oracle')
}

/** The execution of an intent, and at the same moment its double. */
function enterAtOnce(machine: RunningMachines, intent: PlannedIntent): Promise<unknown>[] {
  return [1, ...(intent.isDoubled ? [2] : [])].map((entry) => enter(machine, intent, entry))
}

function enter(machine: RunningMachines, { kind, intentId, input }: PlannedIntent, entry: number): Promise<unknown> {
  const name = entryName(intentId, entry)
  return kind === 'convert' ? machine.run(name, input) : machine.withdraw(name, input)
}

/** Enters an intent again as a person would, until it is at an end. */
async function settle(intent: PlannedIntent, machine: RunningMachines, journal: Journal): Promise<void> {
  for (let entry = 3; entry < 3 + MOST_ENTRIES; entry += 1) {
    const record = await journal.find(intent.intentId)
    if (record === undefined || isTerminal(record.state)) return
    await enter(machine, intent, entry)
  }
}

/** The hook of one run: counts the calls of its functions, and does to each what the plan says. */
function befall(plan: Plan, machine: RunningMachines, mishaps: Record<string, number>) {
  let calls = 0
  return async ({ functionName, phase }: EndpointCall): Promise<EndpointVerdict | undefined> => {
    if (functionName === undefined) return undefined
    calls += 1
    const mishap = plan.mishapAt(calls)
    if (mishap === undefined) return undefined
    const name = `${mishap.kind} ${phase}`
    mishaps[name] = (mishaps[name] ?? 0) + 1
    return perform(mishap, machine)
  }
}

async function perform(mishap: Mishap, machine: RunningMachines): Promise<EndpointVerdict | undefined> {
  switch (mishap.kind) {
    case 'kill':
      return 'kill-function'
    case 'drop':
      return 'drop'
    case 'error':
      return { errorType: 'InternalServerError', status: 500 }
    case 'freeze':
      await machine.pass(mishap.passMs)
      await setTimeout(mishap.holdMs)
      return mishap.isKilled ? 'kill-function' : undefined
  }
}

export function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}
