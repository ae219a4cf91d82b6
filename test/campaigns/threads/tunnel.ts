// Flies plans: real bundles in workers, the embedded AWS, and the HTTP sandbox. It runs plans one after
// another on machines that it renews, and judges each by the sandbox's oracle and the audit. Threads and sockets run in
// any order, so a seed repeats the plan and not the timing.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { EndpointCall, EndpointVerdict } from '@sluice/embedded-aws'
import { PROFILES, type Profile, type ProfileName } from '@sluice/service-sandbox'
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { entryName } from '../../../core/contract/fields.ts'
import { IntentState, intentName, JOURNAL_TABLE, recordKey } from '../../../core/contract/records.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { type Intent, isTerminal } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { frozenLegs, isAtEnd, legOf, type RunRecord, reportOfRun } from '../../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../../core/runs/record/runs.ts'
import { embeddedClient } from '../../../place/journal/journal-client.ts'
import { type RunningMachines, startMachines } from '../../helpers/running-machines.ts'
import { INTENT_KIND, type JudgedIntent, judge, judgeRun, movementKey, type OracleMovement } from '../judge.ts'
import { countBy } from '../program.ts'
import { type Mishap, type Plan, type PlannedIntent, type PlannedPolicyRun, planCrowd, planRun } from './plan.ts'

/** Lists grow with each movement. A machine is renewed before they make runs slow. */
const RUNS_A_MACHINE = 40
/** Two at once, so that a second execution of an intent meets a frozen first one. */
const WORKERS = 2
/** Maximum entries of one intent after faults have stopped. One is enough unless something is wrong. */
const MOST_ENTRIES = 6
/** Longer than the age at which the audit judges a movement. */
const AUDIT_AGE_MS = 30 * 60_000

export interface RunVerdict {
  readonly seed: number
  readonly violations: readonly string[]
  readonly intents: number
  readonly movements: number
  readonly mishaps: Readonly<Record<string, number>>
  /** Counts of intents by final state, including those of legs. */
  readonly ends: Readonly<Record<string, number>>
  readonly runEnds: Readonly<Record<string, number>>
}

export interface Flight {
  readonly assemblyDir: string
  /** The seed of the first run. Later runs have the following seeds. */
  readonly seed: number
  readonly runs: number
  /** Machines at once. Each runs one after another, because a run waits as much as it computes. */
  readonly tunnels: number
  /** Whether the assembly has `GUARDS`. */
  readonly isGuarded?: boolean
  /** The sandbox's untidiness. The plan's faults stay the same. */
  readonly profile?: ProfileName
  /** Each run has this many withdrawals of one asset at once, and nothing else. */
  readonly crowd?: number
}

/**
 * In real time, ms. A wait as long as the client's time-out would be useless, because service time passes separately.
 */
const HANG_UP_MS = 60

function sandboxOf({ profile, seed }: Flight, machine: number) {
  if (profile === undefined) return {}
  const { manners: { slow = null } = {} }: Profile = PROFILES[profile]
  const manners = slow === null ? {} : { slow: { ...slow, hangUpMs: HANG_UP_MS } }
  return { profile, manners, seed: `tunnel ${seed}-${machine}` }
}

/** Guards that allow everything and count it, by value and by asset. */
export const GUARDS = {
  total: { daily: '1000000000' },
  assets: { USDC: { daily: '1000000000' }, BTC: { daily: '1000000' } },
}

function planOf(seed: number, { crowd }: Flight): Plan {
  return crowd === undefined ? planRun(seed) : planCrowd(seed, crowd)
}

export async function flyRuns(flight: Flight, onVerdict: (verdict: RunVerdict) => void): Promise<void> {
  let flown = 0
  let machines = 0
  async function flyOnOneMachine(): Promise<void> {
    machines += 1
    const tunnel = await openTunnel(flight.assemblyDir, sandboxOf(flight, machines))
    try {
      for (let run = 0; run < RUNS_A_MACHINE && flown < flight.runs; run += 1) {
        onVerdict(await fly(tunnel, planOf(flight.seed + flown++, flight), flight.isGuarded === true))
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
  readonly runs: Runs
  readonly store: RecordStore
  readonly contactId: string
  close(): Promise<void>
}

async function openTunnel(assemblyDir: string, arranged: ReturnType<typeof sandboxOf>): Promise<Tunnel> {
  const machine = await startMachines(assemblyDir, () => ({ workersPerFunction: WORKERS }), arranged)
  // Only the profile's manners apply, because a run's faults come from its plan.
  await machine.clearRules()
  // Runs of policies read much. At the service's limits they would wait in real time, and rules refuse enough.
  await machine.control('/limits', { perKey: 100_000, perAccount: 100_000 })
  const client = embeddedClient(machine.aws)
  const store = createDynamoStore(client, JOURNAL_TABLE)
  return {
    machine,
    journal: createJournal(store, randomUUID),
    runs: createRuns(store, randomUUID),
    store,
    contactId: machine.sandbox.contacts.find(({ reference }) => reference === 'cold-usdc-polygon')?.id ?? '',
    async close() {
      client.destroy()
      await machine.stop()
    },
  }
}

async function fly(tunnel: Tunnel, planned: Plan, isGuarded: boolean): Promise<RunVerdict> {
  const { machine, journal, runs, store } = tunnel
  const plan = await inServiceTime(planned, machine)
  for (const assetSymbol of ['USDC', 'BTC']) await machine.control('/balance', { assetSymbol, credit: '5000' })
  const before = new Set((await readOracle(machine)).movements.map(movementKey))
  for (const rule of plan.rules) await machine.control('/rules', rule)
  const mishaps: Record<string, number> = {}
  machine.hook = applyMishaps(plan, machine, mishaps)
  await Promise.all([
    ...plan.intents.flatMap((intent) => atOnce(intent, (entry) => enter(machine, intent, entry))),
    ...plan.policyRuns.flatMap((run) => atOnce(run, (entry) => enterRun(tunnel, run, entry))),
  ])
  machine.hook = undefined
  await machine.clearRules()
  // Settles the intents one after another, because each must end once nothing goes wrong any more.
  for (const intent of plan.intents) await settle(intent, machine, journal)
  for (const run of plan.policyRuns) await settleRun(run, tunnel)

  const { movements: all, invariants } = await readOracle(machine)
  const movements = all.filter((movement) => !before.has(movementKey(movement)))
  const records = (await Promise.all(plan.policyRuns.map(({ runId }) => runs.find(runId)))).filter((run) => !!run)
  const legs = records.flatMap((run) => frozenLegs(run).map((leg) => ({ ...leg, kind: legOf(run, leg).kind })))
  const intents = await mapBounded(
    [...plan.intents, ...legs],
    READS_AT_ONCE,
    async ({ intentId, kind }) => (await journal.find(intentId, kind)) as (JudgedIntent & Intent) | undefined,
  )
  const known = intents.filter((intent) => intent !== undefined)
  const claims = new Map(
    await mapBounded(
      movements,
      READS_AT_ONCE,
      async (each) => [movementKey(each), await journal.findClaim(INTENT_KIND[each.kind], each.id)] as const,
    ),
  )
  return {
    seed: plan.seed,
    violations: [
      ...judge({ movements, intents: known, claims, ledgerViolations: invariants.violations }),
      ...records.flatMap((run) => judgeRun(reportOfRun(run), known)),
      ...(isGuarded ? await uncounted(known, store) : []),
      ...(await auditFindings(machine)),
    ],
    intents: plan.intents.length + legs.length,
    movements: movements.length,
    mishaps,
    ends: countBy(known, ({ state }) => state),
    runEnds: countBy(records, ({ outcome }) => outcome),
  }
}

/**
 * Each intent gets its own time limit. Service time jumps between runs and in waits, and the clocks of the functions do
 * not. A warm function would calculate with the service time of an earlier run.
 */
async function inServiceTime(plan: Plan, machine: RunningMachines): Promise<Plan> {
  const { epochMs } = await machine.control<{ epochMs: number }>('/clock')
  const notAfter = new Date(epochMs + plan.lifeMs).toISOString()
  return { ...plan, intents: plan.intents.map((intent) => ({ ...intent, input: { ...intent.input, notAfter } })) }
}

/** Movements that no budget counts. */
async function uncounted(intents: readonly Intent[], store: RecordStore): Promise<string[]> {
  const found: string[] = []
  for (const { intentId, kind, state, attempt } of intents) {
    if (state !== IntentState.Done || attempt === undefined) continue
    const day = new Date(attempt.iat * 1000).toISOString().slice(0, 10)
    const budget = await store.read(recordKey.budget('*', day, 'value:USD'))
    if ((budget?.reserved as Readonly<Record<string, string>> | undefined)?.[intentName(kind, intentId)] === undefined)
      found.push(`intent ${intentId} is DONE, and the budget of the day of its send does not count it`)
  }
  return found
}

/** The findings of the product's own audit, when the movements are old enough for it. There must be no findings. */
async function auditFindings(machine: RunningMachines): Promise<string[]> {
  await machine.pass(AUDIT_AGE_MS)
  const { findings } = await machine.reconcile()
  return findings.map(({ finding, message }) => `the audit finds ${finding}: ${message}`)
}

interface Oracle {
  readonly movements: readonly OracleMovement[]
  readonly invariants: { readonly violations: readonly unknown[] }
}

function readOracle(machine: RunningMachines): Promise<Oracle> {
  return machine.control<Oracle>('/oracle')
}

/** Starts an execution, and its double at the same moment. */
function atOnce<Done>({ isDoubled }: { isDoubled: boolean }, enterAs: (entry: number) => Promise<Done>) {
  return [1, ...(isDoubled ? [2] : [])].map(enterAs)
}

async function enterRun({ machine, contactId }: Tunnel, run: PlannedPolicyRun, entry: number): Promise<void> {
  const { executionArn } = await machine.aws.startExecution({
    stateMachine: run.machine === 'sweep' ? StateMachine.Sweep : StateMachine.Rebalance,
    name: entryName(run.runId, entry),
    input: JSON.stringify(run.requestFor(contactId)),
  })
  await machine.aws.untilFinished(executionArn)
}

/** Enters a run again as a person would, until nothing of it is in doubt. */
async function settleRun(run: PlannedPolicyRun, tunnel: Tunnel): Promise<void> {
  for (let entry = 3; entry < 3 + MOST_ENTRIES; entry += 1) {
    const record = await tunnel.runs.find(run.runId)
    // A run that was cut off before its record was written has no legs.
    if (record === undefined || isDone(record)) return
    await enterRun(tunnel, run, entry)
  }
}

const isDone = (run: RunRecord): boolean => isAtEnd(run) && run.outcome !== RunEnd.NeedsAttention

function enter(machine: RunningMachines, { kind, intentId, input }: PlannedIntent, entry: number): Promise<unknown> {
  const name = entryName(intentId, entry)
  return kind === 'convert' ? machine.run(name, input) : machine.withdraw(name, input)
}

/** Enters an intent again as a person would, until it has ended. */
async function settle(intent: PlannedIntent, machine: RunningMachines, journal: Journal): Promise<void> {
  for (let entry = 3; entry < 3 + MOST_ENTRIES; entry += 1) {
    const record = await journal.find(intent.intentId, intent.kind)
    if (record === undefined || isTerminal(record.state)) return
    await enter(machine, intent, entry)
  }
}

/** The hook of one run: counts the calls of its functions, and applies the plan's mishap to each. */
function applyMishaps(plan: Plan, machine: RunningMachines, mishaps: Record<string, number>) {
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
