// `doctor --aws --after-deploy` with a key for each role, two of which sign by KMS: each key is checked, each signature is
// probed, and at most one account is recorded.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Check } from '../../../operations/doctor/check.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type DeployedAws, deployedAws } from './deployed-aws.ts'

const keys = {
  read: { secret: 'sluice/read-key' },
  trade: { secret: 'sluice/trade-key', kmsKey: 'alias/sluice-trade' },
  transfer: { secret: 'sluice/transfer-key', kmsKey: 'alias/sluice-transfer' },
}
/** Nothing listens at its address; a parameter of the deployment points to the service. So both deployments share a file. */
const CONFIGURED = { service: { url: 'http://127.0.0.1:9', stage: 'test', keys } }

async function verified({ service }: DeployedAws) {
  const file = path.join(service.dir, 'deployed.json')
  const { exitCode, stdout } = await runInProcess([
    'setup',
    'doctor',
    '--aws',
    '--after-deploy',
    '--json',
    '--config',
    file,
  ])
  const checks = JSON.parse(stdout) as Check[]
  return { exitCode, of: (name: string) => checks.find(({ check }) => check === name) }
}

describe('registered keys of a deployment whose parameter names another address than its file', () => {
  const deployed = deployedAws('split keys', CONFIGURED, ({ readonly, trade, transfer }) => {
    return { read: readonly, trade, transfer }
  })

  test('open the schedules, at the address that its functions use', async () => {
    const { exitCode, of } = await verified(deployed())
    for (const name of ['key to read', 'key to trade', 'key to transfer', 'signing to trade', 'signing to transfer'])
      expect(of(name)).toMatchObject({ status: 'ok' })
    const { detail = '' } = of('account of the keys') ?? {}
    expect({ exitCode, journal: of('account of the journal') }).toMatchObject({
      exitCode: 0,
      journal: { status: 'ok', detail: `${detail}, verified now: schedules start from now on` },
    })
    const { port } = new URL(deployed().service.sandbox.baseUrl)
    const pointed = expect.stringContaining(`:${port}, and its file says http://127.0.0.1:9`)
    expect(of('deployed file')).toMatchObject({ status: 'warn', detail: pointed })
  })
})

describe('a KMS key whose public half is not registered', () => {
  const deployed = deployedAws('a wrong KMS key', CONFIGURED, ({ readonly, trade, transfer }) => {
    return { read: readonly, trade: { ...trade, privateKeyPem: transfer.privateKeyPem }, transfer }
  })

  test('leaves the schedules waiting', async () => {
    const { exitCode, of } = await verified(deployed())
    expect({ exitCode, trade: of('signing to trade'), transfer: of('signing to transfer') }).toMatchObject({
      exitCode: 1,
      trade: { status: 'fail', next: expect.stringContaining('upload the public half') },
      transfer: { status: 'ok' },
    })
    expect(of('account of the journal')).toMatchObject({
      status: 'fail',
      detail: 'not verified: signing to trade failed; schedules wait',
    })
  })
})
