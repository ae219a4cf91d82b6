// The wind tunnel: real bundles in workers, the embedded AWS, the HTTP sandbox. Runs plans one after
// the other on machines that it renews, and judges each by the sandbox's oracle and the audit. Threads and sockets
// take turns as they like: a seed gives the same plan, not the same instant.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { EndpointCall, EndpointVerdict } from '@sluice/embedded-aws'
import { PROFILES, type Profile, type ProfileName } from '@sluice/service-sandbox'
import { entryName } from '../../core/contract/fields.ts'
import { IntentState, intentName, JOURNAL_TABLE, recordKey } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { type Intent, isTerminal } from '../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { frozenLegs, isAtEnd, legOf, type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../core/runs/record/runs.ts'
import { embeddedClient } from '../../operations/connection/journal/journal-client.ts'
import { countBy } from '../campaigns/program.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'
import { INTENT_KIND, type JudgedIntent, judge, judgeRun, movementKey, type OracleMovement } from './judge.ts'
import { type Mishap, type Plan, type PlannedIntent, type PlannedPolicyRun, planRun } from './plan.ts'

/** Lists grow with what has moved: a machine is renewed before that makes runs slow. */
const RUNS_A_MACHINE = 40
/** Two at once, so that a second execution of an intent meets a first that is frozen. */
const WORKERS = 2
/** Entries of one intent after faults stopped; one is enough unless something is wrong. */
const MOST_ENTRIES = 6
/** Beyond the age at which the audit judges a movement. */
const AUDIT_AGE_MS = 30 * 60_000

/** Of an intent: what one has that is not told any. */
const LIFE_MS = 900_000

export interface RunVerdict {
  readonly seed: number
  /** Seed of the sandbox, where it has a profile. */
  readonly world?: string
  readonly violations: readonly string[]
  readonly intents: number
  readonly movements: number
  /** By kind: what befell the functions. */
  readonly mishaps: Readonly<Record<string, number>>
  /** By state: how the intents ended, those of legs among them. */
  readonly ends: Readonly<Record<string, number>>
  /** By outcome: how the runs of policies ended. */
  readonly runEnds: Readonly<Record<string, number>>
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
  /** How untidy the sandbox is. The plan's faults stay what they are. */
  readonly profile?: ProfileName
  /** Seed of the sandbox; with a profile each machine's is another where none is given. */
  readonly world?: string
}

/** Of real time: a client's whole patience would be spent in vain, as service time passes by itself meanwhile. */
const HANG_UP_MS = 60

function sandboxOf({ profile, world, seed }: Flight, machine: number) {
  if (profile === undefined) return {}
  const { manners: { slow = null } = {} }: Profile = PROFILES[profile]
  const manners = slow === null ? {} : { slow: { ...slow, hangUpMs: HANG_UP_MS } }
  return { profile, manners, seed: world ?? `tunnel ${seed}-${machine}` }
}

/** Let everything pass, and count it: by a price, and by asset. */
export const GUARDS = {
  total: { daily: '1000000000' },
  assets: { USDC: { daily: '1000000000' }, BTC: { daily: '1000000' } },
}

/** Gives each verdict as it falls. */
export async function flyRuns(flight: Flight, onVerdict: (verdict: RunVerdict) => void): Promise<void> {
  let flown = 0
  let machines = 0
  async function flyOnOneMachine(): Promise<void> {
    machines += 1
    const arranged = sandboxOf(flight, machines)
    const tunnel = await openTunnel(flight.assemblyDir, arranged)
    try {
      for (let run = 0; run < RUNS_A_MACHINE && flown < flight.runs; run += 1) {
        const verdict = await fly(tunnel, planRun(flight.seed + flown++), flight.isGuarded === true)
        onVerdict({ ...verdict, ...('seed' in arranged && { world: arranged.seed }) })
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
  /** Where policies send. */
  readonly contactId: string
  close(): Promise<void>
}

async function openTunnel(assemblyDir: string, arranged: ReturnType<typeof sandboxOf>): Promise<Tunnel> {
  const machine = await startMachines(assemblyDir, () => ({ workersPerFunction: WORKERS, prewarm: true }), arranged)
  // Of the profile only its manners count: a run's faults are its plan's.
  await machine.clearRules()
  // Runs of policies read much, and at the service's bounds they would wait in real time; rules refuse enough.
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
  const before = new Set((await consult(machine)).movements.map(movementKey))
  for (const rule of plan.rules) await machine.control('/rules', rule)
  const mishaps: Record<string, number> = {}
  machine.hook = befall(plan, machine, mishaps)
  await Promise.all([
    ...plan.intents.flatMap((intent) => atOnce(intent, (entry) => enter(machine, intent, entry))),
    ...plan.policyRuns.flatMap((run) => atOnce(run, (entry) => enterRun(tunnel, run, entry))),
  ])
  machine.hook = undefined
  await machine.clearRules()
  // One after the other: what is to be seen is where each ends once nothing goes wrong any more.
  for (const intent of plan.intents) await settle(intent, machine, journal)
  for (const run of plan.policyRuns) await settleRun(run, tunnel)

  const { movements: all, invariants } = await consult(machine)
  const movements = all.filter((movement) => !before.has(movementKey(movement)))
  const records = (await Promise.all(plan.policyRuns.map(({ runId }) => runs.find(runId)))).filter((run) => !!run)
  const legs = records.flatMap((run) => frozenLegs(run).map((leg) => ({ ...leg, kind: legOf(run, leg).kind })))
  const intents = await Promise.all(
    [...plan.intents, ...legs].map(
      async ({ intentId, kind }) => (await journal.find(intentId, kind)) as (JudgedIntent & Intent) | undefined,
    ),
  )
  const known = intents.filter((intent) => intent !== undefined)
  const claims = new Map(
    await Promise.all(
      movements.map(
        async (each) => [movementKey(each), await journal.findClaim(INTENT_KIND[each.kind], each.id)] as const,
      ),
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
 * Each intent is told its time: service time leaps between runs and in waits, and the clocks of the machines that
 * functions run on do not. A warm function would reckon with the time that the service had in the run before.
 */
async function inServiceTime(plan: Plan, machine: RunningMachines): Promise<Plan> {
  const { epochMs } = await machine.control<{ epochMs: number }>('/clock')
  const notAfter = new Date(epochMs + LIFE_MS).toISOString()
  return { ...plan, intents: plan.intents.map((intent) => ({ ...intent, input: { ...intent.input, notAfter } })) }
}

/** What moved and no budget counts. */
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

/** An execution, and at the same moment its double. */
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
    // Cut off before it was written down, it has no legs.
    if (record === undefined || isDone(record)) return
    await enterRun(tunnel, run, entry)
  }
}

const isDone = (run: RunRecord): boolean => isAtEnd(run) && run.outcome !== RunEnd.NeedsAttention

function enter(machine: RunningMachines, { kind, intentId, input }: PlannedIntent, entry: number): Promise<unknown> {
  const name = entryName(intentId, entry)
  return kind === 'convert' ? machine.run(name, input) : machine.withdraw(name, input)
}

/** Enters an intent again as a person would, until it is at an end. */
async function settle(intent: PlannedIntent, machine: RunningMachines, journal: Journal): Promise<void> {
  for (let entry = 3; entry < 3 + MOST_ENTRIES; entry += 1) {
    const record = await journal.find(intent.intentId, intent.kind)
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
