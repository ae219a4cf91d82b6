// Lets the days pass: the synthesized assembly in the embedded AWS with its schedules and its webhook, the
// HTTP sandbox, both on one virtual clock, and what the script says. Gathers the evidence; judges nothing.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { reconcileReport } from '../../../functions/contract/reconcile.ts'
import { JOURNAL_TABLE, recordKey } from '../../../functions/contract/records.ts'
import type { RunReport } from '../../../functions/contract/runs.ts'
import { StateMachine } from '../../../functions/contract/states.ts'
import { createDynamoStore } from '../../../functions/shared/journal/dynamo-store.ts'
import type { Intent } from '../../../functions/shared/journal/intent.ts'
import { createJournal } from '../../../functions/shared/journal/journal.ts'
import { reportOfRun, runOfRecord } from '../../../functions/shared/runs/run-record.ts'
import { synthesize } from '../../../infra/synthesize.ts'
import { type DeliveryHook, type EmbeddedAws, startEmbeddedAws } from '../../../sandbox/aws/embedded-aws.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/service/sandbox.ts'
import { Draws } from '../../wind-tunnel/draws.ts'
import { INTENT_KIND, type JudgedIntent, type OracleMovement } from '../../wind-tunnel/judge.ts'
import type { LedgerEntry } from './books.ts'
import { DAY_MS, type Event, type Script, START_MS } from './script.ts'
import { type Contacts, treasuryOf } from './treasury.ts'
import { rule, VirtualTime } from './virtual-time.ts'

/** Beyond every wait of a run that midnight starts and the age at which the audit judges; before the next start. */
const REST_MS = 105 * 60_000
/** An audit takes on a week at the most. The assembly's own go on every hour besides. */
const AUDIT_EVERY_DAYS = 5
const TELL_EVERY_DAYS = 10

export interface Movement extends OracleMovement {
  readonly at: string
  readonly status: string
  readonly market?: string
  readonly filledBaseAmount?: string
  readonly filledQuoteAmount?: string
  readonly assetSymbol?: string
}

export interface Oracle {
  readonly movements: readonly Movement[]
  readonly ledger: readonly LedgerEntry[]
  readonly invariants: { readonly violations: readonly unknown[] }
  /** The last 20,000. */
  readonly requests: readonly { readonly faults?: readonly string[] }[]
  readonly requestsTotal: number
}

export type MovedIntent = JudgedIntent &
  Intent & { readonly params: { readonly policy?: string; readonly run?: string } }

/** One execution of Rebalance or Sweep. */
export interface RunEvidence {
  readonly name: string
  readonly status: string
  readonly outcome: string | undefined
  /** As the journal keeps it; none of a run that ended before there was one. */
  readonly report: RunReport | undefined
  readonly policy: string | undefined
  readonly trigger: { readonly by: string; readonly id?: string } | undefined
  /** Service time. */
  readonly startedAt: string
}

export interface Evidence {
  readonly contacts: Contacts
  readonly oracle: Oracle
  readonly runs: readonly RunEvidence[]
  readonly intents: readonly MovedIntent[]
  /** By movement. */
  readonly claims: ReadonlyMap<string, string | undefined>
  readonly auditFindings: readonly string[]
  /** Bodies in dead-letter queues. */
  readonly deadLetters: readonly string[]
  readonly duplicates: number
}

export interface Passage {
  readonly script: Script
  readonly seed: number
  readonly days: number
  /** Told after every ten days. */
  readonly onProgress: (day: number, text: string) => void
  readonly onFunctionLog?: (functionName: string, line: string) => void
}

interface World {
  readonly aws: EmbeddedAws
  readonly sandbox: Sandbox
  readonly time: VirtualTime
}

export async function runDays({ script, seed, days, onProgress, onFunctionLog }: Passage): Promise<Evidence> {
  const time = new VirtualTime(START_MS - 60_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-days-'))
  // The sandbox must know where its webhooks go before the embedded AWS knows where the sandbox is.
  const port = await freePort()
  const webhookUrl = `http://127.0.0.1:${port}/function-url/sluice-receive-webhook/`
  const sandbox = await startSandbox({ seed: `days ${seed}`, clock: time, webhookUrl })
  const draws = new Draws(seed)
  const delivered = { count: 0, duplicates: 0 }
  const onDelivery: DeliveryHook = () => {
    delivered.count += 1
    const chance = draws.chance(`delivery ${delivered.count}`)
    if (chance < 0.05) return { errorCode: 'SERVICE_UNAVAILABLE' }
    if (chance > 0.15) return undefined
    delivered.duplicates += 1
    return 'twice'
  }
  let aws: EmbeddedAws | undefined
  try {
    const contacts = contactsOf(sandbox)
    const assemblyDir = path.join(folder, 'cdk.out')
    const configFile = path.join(folder, 'treasury.json')
    writeFileSync(configFile, JSON.stringify(treasuryOf(contacts)))
    synthesize({ configFile, outDir: assemblyDir })
    // Not before the assembly is there: esbuild has workers of its own.
    rule(time)
    const { secret, privateKeyPem, alg } = sandbox.keys.full
    aws = await startEmbeddedAws({
      ...{ assemblyDir, stateDir: path.join(folder, 'state'), port, clock: time, prewarm: true, onDelivery },
      // Virtual time does not see that a disk is waited for, and would run on meanwhile.
      isDurable: false,
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { 'sluice/service-key': JSON.stringify({ secret, privateKeyPem, alg }) },
      ...(onFunctionLog && { onFunctionLog }),
    })
    if (!aws.functionUrls().some(({ url }) => url === webhookUrl)) throw new Error('the webhook has another address')
    const world = { aws, sandbox, time }
    aws.schedules.start()
    const auditFindings = await live(world, script, days, onProgress)
    return { ...(await gather(world)), contacts, auditFindings, duplicates: delivered.duplicates }
  } finally {
    await aws?.stop()
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the audits find on the way. */
async function live(
  world: World,
  { events }: Script,
  days: number,
  onProgress: Passage['onProgress'],
): Promise<string[]> {
  const { time } = world
  const findings: string[] = []
  let next = 0
  for (let day = 1; day <= days; day += 1) {
    const endMs = START_MS + day * DAY_MS - 1_000
    for (let event = events[next]; event !== undefined && event.atMs <= endMs; event = events[++next]) {
      if (event.atMs > time.nowMs()) await time.passUntil(event.atMs)
      await happen(world, event)
    }
    await time.passUntil(endMs)
    if (day % AUDIT_EVERY_DAYS !== 0 && day !== days) continue
    if (day === days) await time.passUntil(endMs + REST_MS)
    findings.push(...(await audit(world, START_MS + (day - AUDIT_EVERY_DAYS - 1) * DAY_MS)))
    if (day % TELL_EVERY_DAYS === 0 || day === days) onProgress(day, progressOf(world))
  }
  return findings
}

async function happen({ sandbox }: World, event: Event): Promise<void> {
  if (event.path === '/rules' && event.body.clear === true) {
    await fetch(`${sandbox.controlUrl}/rules`, { method: 'DELETE' })
    return
  }
  if (event.path !== '/spend') {
    await control(sandbox, event.path, event.body)
    return
  }
  const asset = String(event.body.assetSymbol)
  const left = availableOf(await control<Oracle>(sandbox, '/oracle'), asset) - Number(event.body.spend)
  if (left > 0) await control(sandbox, '/balance', { assetSymbol: asset, balance: left.toFixed(6) })
}

function availableOf({ ledger }: Oracle, asset: string): number {
  return ledger.reduce((sum, entry) => {
    if (entry.asset !== asset) return sum
    const amount = Number(entry.amount)
    return sum + (entry.to === 'available' ? amount : 0) - (entry.from === 'available' ? amount : 0)
  }, 0)
}

async function audit({ aws }: World, sinceMs: number): Promise<string[]> {
  const input = { since: new Date(sinceMs).toISOString() }
  const report = reconcileReport.parse(JSON.parse(await aws.invokeFunction('sluice-reconcile', JSON.stringify(input))))
  return report.findings.map(({ finding, message }) => `${finding}: ${message}`)
}

function progressOf({ aws }: World): string {
  const count = (machine: StateMachine) => aws.listExecutions(machine).length
  const [rebalances, sweeps] = [count(StateMachine.Rebalance), count(StateMachine.Sweep)]
  const legs = count(StateMachine.Convert) + count(StateMachine.Withdraw)
  return `${rebalances} rebalances, ${sweeps} sweeps, ${legs} legs`
}

async function gather({ aws, sandbox }: World): Promise<Omit<Evidence, 'contacts' | 'auditFindings' | 'duplicates'>> {
  const oracle = await control<Oracle>(sandbox, '/oracle')
  const client = new DynamoDBClient({
    endpoint: aws.endpointUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'days', secretAccessKey: 'not-a-secret' },
  })
  try {
    const store = createDynamoStore(client, JOURNAL_TABLE)
    const journal = createJournal(store, randomUUID)
    const claims = new Map<string, string | undefined>()
    for (const { kind, id } of oracle.movements) claims.set(id, await journal.findClaim(INTENT_KIND[kind], id))
    const runs: RunEvidence[] = []
    const intents: MovedIntent[] = []
    for (const { input, name, output, startDate, status } of executionsOf(aws)) {
      const said = JSON.parse(output ?? '{}') as { outcome?: string; runId?: string }
      const { policy, trigger } = JSON.parse(input ?? '{}') as Pick<RunEvidence, 'policy' | 'trigger'>
      const record = await store.read(recordKey.run(said.runId ?? name))
      const report = record && reportOfRun(runOfRecord(record))
      runs.push({ name, status, outcome: said.outcome, policy, trigger, report, startedAt: startDate.toISOString() })
      for (const { intentId } of report?.legs ?? []) {
        const intent = await journal.find<MovedIntent>(intentId)
        if (intent !== undefined) intents.push(intent)
      }
    }
    const deadLetters = aws
      .resources()
      .queues.flatMap(({ name }) => aws.queueMessages(name).map((message) => `${name}: ${JSON.stringify(message)}`))
    return { oracle, runs, intents, claims, deadLetters }
  } finally {
    client.destroy()
  }
}

function executionsOf(aws: EmbeddedAws) {
  return [StateMachine.Rebalance, StateMachine.Sweep].flatMap((machine) =>
    aws.listExecutions(machine).map(({ executionArn }) => aws.describeExecution(executionArn)),
  )
}

function contactsOf({ contacts }: Sandbox): Contacts {
  const idOf = (reference: string) => {
    const found = contacts.find((contact) => contact.reference === reference)
    if (found === undefined) throw new Error(`the sandbox has no contact ${reference}`)
    return found.id
  }
  return { cold: idOf('cold-usdc-polygon'), supplier: idOf('supplier-usdt-tron') }
}

async function control<Answer = unknown>({ controlUrl }: Sandbox, path: string, body?: object): Promise<Answer> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(controlUrl + path, init)
  if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
