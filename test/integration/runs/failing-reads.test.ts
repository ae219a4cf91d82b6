// Reads that fail while a run is planned: each is repeated alone, and no failure repeats the other reads.

import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { Transient } from '../../../core/errors.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../../../core/service/service-client.ts'
import { RUN_READ_LIMITS } from '../../../functions/runtime/run-wiring.ts'
import { createRunner } from './runner.ts'

const POLICY = { kind: 'rebalance', weights: { BTC: '0.5', USD: '0.5' }, mode: 'shadow' }
const READS = ['/v2/health', '/v2/time', '/v2/assets', '/v2/markets', '/v2/balances', '/v2/orders']

let sandbox: Sandbox
let client: ServiceClient
beforeEach(async () => {
  sandbox = await startSandbox()
  client = createServiceClient({
    baseUrl: sandbox.baseUrl,
    key: staticKeySource(parseKeyMaterial(JSON.stringify(sandbox.keys.full), { stage: 'test', role: 'trade' })),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    // No waits between attempts.
    random: () => 0,
    readLimits: RUN_READ_LIMITS,
  })
})
afterEach(async () => {
  client.close()
  await sandbox.stop()
})

async function failFirst(path: string, times: number): Promise<void> {
  const fault = { kind: 'errorBeforeCommit', status: 503, code: 'downstream_unavailable' }
  const response = await fetch(`${sandbox.controlUrl}/rules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { method: 'GET', path, times }, fault }),
  })
  expect(response.ok).toBe(true)
}

const plan = (runId: string) =>
  createRunner(client, { weekly: POLICY }, async () => undefined).run('rebalance', runId, { policy: 'weekly' })

test('a plan is made in one attempt although every read of it fails six times', async () => {
  for (const path of READS) await failFirst(path, RUN_READ_LIMITS.attempts - 1)
  expect(await plan('run-1')).toMatchObject({ outcome: 'SHADOWED' })
})

test('a read that keeps failing ends the attempt, and names itself', async () => {
  await failFirst('/v2/balances', 100)
  const failure = await plan('run-1').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Transient)
  expect(String(failure)).toContain('GET /v2/balances')
  expect(String(failure)).toContain('downstream_unavailable')
})
