// Reads that fail while a run is planned: each is repeated alone, and no failure repeats the other reads.

import { expect, test } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import { RUN_READ_LIMITS } from '../../../functions/runtime/run-wiring.ts'
import { createRunner } from './runner.ts'
import { useSandbox } from './sandbox.ts'

const POLICY = { kind: 'rebalance', weights: { BTC: '0.5', USD: '0.5' }, mode: 'shadow' }
const READS = ['/v2/health', '/v2/time', '/v2/assets', '/v2/markets', '/v2/balances', '/v2/orders']

// No waits between attempts.
const service = useSandbox({ random: () => 0, readLimits: RUN_READ_LIMITS })

async function failFirst(path: string, times: number): Promise<void> {
  const fault = { kind: 'errorBeforeCommit', status: 503, code: 'downstream_unavailable' }
  await service.control('/rules', { match: { method: 'GET', path, times }, fault })
}

const plan = (runId: string) =>
  createRunner(service.client, { weekly: POLICY }, async () => undefined).run('rebalance', runId, { policy: 'weekly' })

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
