// Runs the days of a world: the synthesized assembly in the embedded AWS with its schedules and its webhook, the HTTP
// sandbox, and the acts of the world. All share one virtual clock. It judges nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DeliveryHook } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { reconcileReport } from '../../../core/contract/reconcile.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { Draws } from '../draws.ts'
import { createAssemblies } from './assemblies.ts'
import { Deployment } from './deployment.ts'
import { type Evidence, gather, type Oracle } from './evidence.ts'
import { createHands, type Hands, type Notes } from './hands.ts'
import { DAY_MS } from './script.ts'
import { rule, VirtualTime } from './virtual-time.ts'
import type { Moment, Plot, World } from './world.ts'

/**
 * Longer than every wait of a run that midnight starts and than the age at which the audit judges, and before the next
 * start.
 */
const REST_MS = 105 * 60_000
/** An audit covers at most a week. The assembly's own audits run every hour as well. */
const AUDIT_EVERY_DAYS = 5
const PROGRESS_EVERY_DAYS = 10

export interface Passage {
  readonly world: World
  readonly seed: number
  readonly days: number
  /** Called after every ten days. */
  readonly onProgress: (day: number, text: string) => void
  readonly onFunctionLog?: (functionName: string, line: string) => void
}

export interface Passed {
  readonly plot: Plot
  /** Absent if the world's file is refused, because nothing can then happen. */
  readonly evidence: Evidence | undefined
  readonly refusals: readonly string[]
}

interface Days {
  readonly deployment: Deployment
  readonly time: VirtualTime
  readonly hands: Hands
}

export async function runDays(passage: Passage): Promise<Passed> {
  const { world, seed, days, onFunctionLog } = passage
  const time = new VirtualTime(world.startMs - 60_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-days-'))
  // The sandbox needs the address for its webhooks before the embedded AWS knows where the sandbox is.
  const port = await freePort()
  const webhookUrl = `http://127.0.0.1:${port}/function-url/sluice-receive-webhook/`
  let onRequest = (_method: string, _path: string) => {}
  const sandboxSeed = `days ${seed}`
  const sandbox = await startSandbox({
    ...{ seed: sandboxSeed, clock: time, webhookUrl },
    onRequest: (method, target) => onRequest(method, target),
  })
  const delivered = { count: 0, duplicates: 0 }
  const notes: Notes = { deeds: [], approvals: [], withdrawals: [], payouts: [] }
  const plot = world.plot(seed, days, contactsOf(sandbox))
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  let onStep = (_moment: Moment) => {}
  const deployment = new Deployment({
    assemble: createAssemblies(folder, world.deployed),
    ...{ file: plot.file, time },
    options: {
      ...{
        stateDir: path.join(folder, 'state'),
        functionUrlPort: port,
        clock: time,
        functionClock: time,
      },
      onDelivery: createUnreliableDelivery(seed, delivered),
      // Virtual time does not see that something waits for a disk, and would run on.
      isDurable: false,
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { 'sluice/service-key': JSON.stringify({ secret, privateKeyPem, alg }) },
      onEvent: (executionArn, { type, stateExitedEventDetails }) => {
        if (!type.endsWith('StateExited') || stateExitedEventDetails === undefined) return
        const [execution = '', where = ''] = executionArn.split(':').reverse()
        onStep({ where, what: stateExitedEventDetails.name, execution })
      },
      ...(onFunctionLog && { onFunctionLog }),
    },
  })
  try {
    if (!deployment.assemble()) return { plot, evidence: undefined, refusals: deployment.refusals }
    // After the assembly is built, because esbuild has workers of its own.
    rule(time)
    await deployment.start()
    if (!deployment.aws.functionUrls().some(({ url }) => url === webhookUrl))
      throw new Error('the webhook has another address')
    const hands = createHands({ deployment, sandbox, time, notes })
    onRequest = (where, what) => plot.onRequest?.({ where, what }, hands)
    onStep = (moment) => plot.onStep?.(moment, hands)
    const auditFindings = await live({ deployment, time, hands }, plot, passage)
    const oracle = sandbox.control('GET', '/oracle') as Oracle
    const contacts = {
      cold: contactsOf(sandbox)('cold-usdc-polygon'),
      supplier: contactsOf(sandbox)('supplier-usdt-tron'),
    }
    const evidence: Evidence = {
      ...(await gather(deployment.aws, time, JSON.parse(JSON.stringify(oracle)) as Oracle)),
      ...notes,
      ...{ seed: sandboxSeed, contacts, auditFindings, duplicates: delivered.duplicates },
      ...{ files: deployment.files, refusals: deployment.refusals },
    }
    return { plot, evidence, refusals: deployment.refusals }
  } finally {
    await deployment.stop()
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Refuses some deliveries, and repeats some. */
function createUnreliableDelivery(seed: number, delivered: { count: number; duplicates: number }): DeliveryHook {
  const draws = new Draws(seed)
  return () => {
    delivered.count += 1
    const chance = draws.chance(`delivery ${delivered.count}`)
    if (chance < 0.05) return { errorCode: 'SERVICE_UNAVAILABLE' }
    if (chance > 0.15) return undefined
    delivered.duplicates += 1
    return 'twice'
  }
}

/** Lets the days pass, and returns the findings of the audits. */
async function live(all: Days, { happenings }: Plot, { world, days, onProgress }: Passage): Promise<string[]> {
  const { deployment, time, hands } = all
  const findings: string[] = []
  let next = 0
  for (let day = 1; day <= days; day += 1) {
    const endMs = world.startMs + day * DAY_MS - 1_000
    for (let due = happenings[next]; due !== undefined && due.atMs <= endMs; due = happenings[++next]) {
      if (due.atMs > time.nowMs()) await time.passUntil(due.atMs)
      await deployment.settled()
      await due.do(hands)
    }
    await time.passUntil(endMs)
    await deployment.settled()
    if (day % AUDIT_EVERY_DAYS !== 0 && day !== days) continue
    if (day === days) await time.passUntil(endMs + REST_MS)
    await deployment.settled()
    findings.push(...(await audit(deployment, world.startMs + (day - AUDIT_EVERY_DAYS - 1) * DAY_MS)))
    if (day % PROGRESS_EVERY_DAYS === 0 || day === days) onProgress(day, progressOf(deployment))
  }
  return findings
}

async function audit({ aws }: Deployment, sinceMs: number): Promise<string[]> {
  const input = { since: new Date(sinceMs).toISOString() }
  const report = reconcileReport.parse(JSON.parse(await aws.invokeFunction('sluice-reconcile', JSON.stringify(input))))
  return report.findings.map(({ finding, message }) => `${finding}: ${message}`)
}

function progressOf({ aws }: Deployment): string {
  const count = (machine: StateMachine) => aws.listExecutions(machine).length
  const [rebalances, sweeps] = [count(StateMachine.Rebalance), count(StateMachine.Sweep)]
  const legs = count(StateMachine.Convert) + count(StateMachine.Withdraw)
  return `${rebalances} rebalances, ${sweeps} sweeps, ${legs} legs`
}

function contactsOf({ contacts }: Sandbox) {
  return (reference: string): string => {
    const found = contacts.find((contact) => contact.reference === reference)
    if (found === undefined) throw new Error(`the sandbox has no contact ${reference}`)
    return found.id
  }
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
