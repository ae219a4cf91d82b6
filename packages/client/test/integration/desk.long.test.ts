// The client against a running desk: `sluice serve` from the shell, whose commands see the same movements.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SFNClient } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Running, startSluice } from '../../../../test/integration/cli/command-line.ts'
import { runInProcess } from '../../../../test/unit/cli/run-in-process.ts'
import { createClient, ErrorCode } from '../../index.ts'

const policies = { balanced: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' } as const

const dir = mkdtempSync(path.join(tmpdir(), 'sluice-client-desk-'))
const where = ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
let desk: Running
let sfn: SFNClient
beforeAll(async () => {
  const service = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify({ service, policies }))
  desk = startSluice(['serve', ...where])
  const { eventsUrl, region, credentialsFile } = JSON.parse(await desk.firstLine)
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentialsFile)
  vi.stubEnv('AWS_CONFIG_FILE', path.join(dir, 'no-config'))
  sfn = new SFNClient({ endpoint: eventsUrl, region })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  sfn?.destroy()
  desk?.child.kill('SIGTERM')
  await desk?.ended
  rmSync(dir, { recursive: true, force: true })
})

test('a conversion and a run that the client starts at a desk are in the records of the desk', async () => {
  const sluice = createClient({ account: '123456789012', policies, sfn })
  const conversion = await sluice.convert(purchase, { id: 'from-code' })
  const run = await sluice.run('balanced', { id: 'run-from-code' })
  expect(await conversion.result()).toMatchObject({ outcome: 'FILLED', baseAmount: '0.5' })
  expect(await run.result()).toMatchObject({ outcome: 'SETTLED', runId: 'run-from-code' })
  await expect(sluice.convert({ ...purchase, amount: '1' }, { id: 'from-code' })).rejects.toMatchObject({
    code: ErrorCode.IdTaken,
  })

  const shown = await runInProcess(['movements', 'show', 'from-code', '--json', ...where])
  expect(shown).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(shown.stdout)).toMatchObject({ intentId: 'from-code', outcome: 'FILLED' })
  const runShown = await runInProcess(['runs', 'show', 'run-from-code', '--json', ...where])
  expect(JSON.parse(runShown.stdout)).toMatchObject({ runId: 'run-from-code', trigger: { by: 'call' } })
})
