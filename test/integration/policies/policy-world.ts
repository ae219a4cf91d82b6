// Boots the product's assembly with its own policies in the embedded AWS, against a sandbox. Its triggers start runs,
// and a test watches its bus. AWS's waits pass in virtual time and advance the service's clock.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DeliveryHook, type EmbeddedAws, type EndpointHook, startEmbeddedAws } from '@sluice/embedded-aws'
import { startSandbox } from '@sluice/service-sandbox'
import { expect } from 'vitest'
import { type ResultEvent, resultDetail } from '../../../core/contract/events.ts'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import type { StateMachine } from '../../../core/contract/states.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { createRuns } from '../../../core/runs/record/runs.ts'
import { decisionKeyAt } from '../../../place/aws/aws-address.ts'
import { embeddedClient, recordVerified } from '../../../place/journal/journal-client.ts'
import { assemble } from '../../helpers/assemble.ts'
import { declared } from '../../helpers/declared-journal.ts'
import { type Arrived, startLocalServer } from '../../helpers/local-server.ts'

const KEY_SECRET = 'sluice/service-key'
/** Longer sleeps are time-outs, which these tests should not reach. */
const LONGEST_WAIT_MS = 3_600_000

/** A movement in the sandbox's own books. */
export interface Movement {
  readonly kind: 'order' | 'withdrawal'
  readonly id: string
}

export type ContactId = (reference: string) => string

export async function startPolicyWorld(policiesFor: (contactId: ContactId) => object) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-policies-'))
  const deliveries: Arrived[] = []
  const service = await startLocalServer((request, response) => {
    deliveries.push(request)
    response.writeHead(200).end()
  })
  const sandbox = await startSandbox({ webhookUrl: service.baseUrl })
  const contactId: ContactId = (reference) => {
    const contact = sandbox.contacts.find((each) => each.reference === reference)
    if (contact === undefined) throw new Error(`the sandbox has no contact ${reference}`)
    return contact.id
  }
  const treasury = {
    service: { url: 'https://service.example', stage: 'test', keySecret: KEY_SECRET },
    // The time inside a function is real, so each check reads once.
    timing: { pollInsideSeconds: 0 },
    webhooks: {},
    policies: policiesFor(contactId),
  }
  assemble(treasury, path.join(folder, 'cdk.out'))

  async function control<T = unknown>(target: string, body?: object): Promise<T> {
    const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await fetch(sandbox.controlUrl + target, init)
    if (!answer.ok) throw new Error(`control ${target}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  // The service's limits for each minute would make some runs wait, in real time.
  await control('/limits', { perKey: 100_000, perAccount: 100_000 })

  const told: { readonly detailType: ResultEvent; readonly detail: unknown }[] = []
  const hooks: { delivery: DeliveryHook; endpoint: EndpointHook; wait: (ms: number) => Promise<void> } = {
    delivery: () => undefined,
    endpoint: () => undefined,
    // Called before a state machine's wait is over.
    wait: async () => undefined,
  }
  let passedMs = 0
  const clock = {
    nowMs: () => Date.now() + passedMs,
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms > LONGEST_WAIT_MS) {
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
      }
      await hooks.wait(ms)
      passedMs += ms
      await control('/clock', { advanceMs: Math.ceil(ms) })
    },
  }
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const aws: EmbeddedAws = await declared(
    startEmbeddedAws({
      assemblyDir: path.join(folder, 'cdk.out'),
      stateDir: path.join(folder, 'state'),
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
      clock,
      executionEvents: true,
      onDelivery: (attempt) => hooks.delivery(attempt),
      onEndpointCall: (call) => {
        const { operation, functionName, body, phase } = call
        if (phase === 'after' && operation === 'PutEvents' && functionName === 'sluice-announce') {
          const { Entries } = body as { Entries: { DetailType: ResultEvent; Detail: string }[] }
          for (const { DetailType, Detail } of Entries)
            told.push({ detailType: DetailType, detail: JSON.parse(Detail) })
        }
        return hooks.endpoint(call)
      },
    }),
  )
  await recordVerified(aws, clock.nowMs())
  const database = embeddedClient(aws)
  const store = createDynamoStore(database, JOURNAL_TABLE)

  /** Sets available balances, in settled units. */
  async function give(balances: Readonly<Record<string, string>>): Promise<void> {
    for (const [assetSymbol, balance] of Object.entries(balances)) await control('/balance', { assetSymbol, balance })
  }

  return {
    ...{ aws, sandbox, control, contactId, hooks, give },
    /** The journal's runs and halts, as the command line reaches them. */
    runs: createRuns(store, randomUUID),
    halts: createHalts(store, randomUUID),
    decisions: createDecisions(store, randomUUID, decisionKeyAt(aws)),
    requesters: createRequesters(store, randomUUID),
    /** Lets time pass, at most an hour. */
    pass: (durationMs: number) => clock.sleep(durationMs),
    nowMs: () => clock.nowMs(),
    /** Deposits an amount. @returns the service's signed delivery about it */
    async deposit(balances: Readonly<Record<string, string>>): Promise<Arrived> {
      const before = deliveries.length
      await give(balances)
      const told = () => deliveries.slice(before).find(({ body }) => body.toString().includes('deposit'))
      await expect.poll(told, { interval: 5 }).toBeDefined()
      return told() as Arrived
    },
    /** Passes a delivery of the service to the function's address. @returns the status of its answer */
    async deliver({ headers, body }: Arrived, change = ''): Promise<number> {
      const address = aws.functionUrls().find(({ functionName }) => functionName === 'sluice-receive-webhook')
      const answer = await fetch(address?.url ?? '', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-signature': String(headers['x-webhook-signature']),
        },
        body: `${body.toString()}${change}`,
      })
      return answer.status
    },
    /** All movements, from books that balance. */
    async movements(): Promise<readonly Movement[]> {
      const { movements, invariants } = await control<{
        movements: Movement[]
        invariants: { ok: boolean; violations: string[] }
      }>('/oracle')
      if (!invariants.ok) throw new Error(`the sandbox's books: ${invariants.violations.join('; ')}`)
      return movements
    },
    /** Executions of a machine, all ended and announced. */
    async ended(machine: StateMachine) {
      await aws.untilDelivered()
      const runs = await Promise.all(
        aws.listExecutions(machine).map(({ executionArn }) => aws.untilFinished(executionArn)),
      )
      await aws.untilDelivered()
      return runs
    },
    /** The announcements of an execution's end, parsed by the published schema. */
    toldOf: <Name extends ResultEvent>(name: Name, execution: string) =>
      told
        .filter(({ detailType }) => detailType === name)
        .map(({ detail }) => resultDetail[name].parse(detail))
        .filter((detail) => detail.execution === execution),
    async stop(): Promise<void> {
      database.destroy()
      await aws.stop()
      await sandbox.stop()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type PolicyWorld = Awaited<ReturnType<typeof startPolicyWorld>>
