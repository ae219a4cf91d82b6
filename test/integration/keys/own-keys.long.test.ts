// Tests a configuration with a separate key for each role, in which KMS keys sign orders and withdrawals. It is
// deployed from its own assembly, and run with the least permissions of each role.
import path from 'node:path'
import { KMSClient } from '@aws-sdk/client-kms'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ServiceKey } from '../../../core/keys/key-source.ts'
import { kmsSigner } from '../../../core/keys/kms-signer.ts'
import { signToken } from '../../../core/service/signed-send.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { boot } from '../../../packages/embedded-aws/test/integration/fixture/booted.ts'
import { embeddedKeys } from '../../../place/desk/embedded-keys.ts'
import { assemble } from '../../helpers/assemble.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { type RunningMachines, startMachines } from '../../helpers/running-machines.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const ARN = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'

const USELESS = JSON.stringify({ secret: `svc_test_${'Useless'.padEnd(38, '0')}` })

interface Request {
  readonly kid?: string
  readonly nonce?: string
}

const folder = folderOfFile()

/** Names of the KMS keys that sign orders and withdrawals. */
interface KmsKeys {
  readonly trade: string
  readonly transfer: string
}

/** Text of a treasury.json with a key for each role. */
function treasuryText({ trade, transfer }: KmsKeys): string {
  const keys = {
    read: { secret: 'sluice/read-key' },
    trade: { secret: 'sluice/trade-key', kmsKey: trade },
    transfer: { secret: 'sluice/transfer-key', kmsKey: transfer },
  }
  // Time inside a function is real: PollOrder polls for a second, and leaves the rest to Wait states.
  const timing = { pollInsideSeconds: 1 }
  return JSON.stringify({ service: { url: 'https://service.example', stage: 'test', keys }, timing })
}

describe.each<[string, string, KmsKeys]>([
  ['ARN', 'arn', { trade: ARN, transfer: ARN.replace('1234abcd', '5678abcd') }],
  ['alias', 'alias', { trade: 'alias/sluice-trade', transfer: 'alias/sluice-transfer' }],
])('KMS keys named by %s', (_how, name, kmsKey) => {
  const outDir = path.join(folder, name)
  beforeAll(() => {
    assemble(JSON.parse(treasuryText(kmsKey)), outDir)
  })

  /** Starts with the sandbox's keys of least scope, without the one in `taken`. */
  async function start(taken?: 'read' | 'trade' | 'kms'): Promise<RunningMachines> {
    const machine = await startMachines(outDir, ({ keys: { readonly, trade, transfer } }) => {
      const { service } = parseTreasury(treasuryText(kmsKey))
      const { secrets, kmsKeys } = embeddedKeys(service, JSON.stringify({ read: readonly, trade, transfer }))
      return {
        secrets: { ...secrets, ...(taken !== undefined && { [`sluice/${taken}-key`]: USELESS }) },
        kmsKeys,
        ...(taken === 'kms' && { secrets, kmsKeys: {} }),
      }
    })
    onTestFinished(() => machine.stop())
    await machine.control('/rules', {
      match: { method: 'POST', path: '/v2/orders' },
      fault: { kind: 'settleLater', afterMs: 20_000, outcome: 'fill' },
    })
    return machine
  }

  /** Prefixes of the keys that were used, and of those that signed. */
  async function used(machine: RunningMachines) {
    const { requests } = await machine.control<{ requests: Request[] }>('/oracle')
    const signed = requests.filter(({ nonce }) => nonce !== undefined)
    return { all: new Set(requests.flatMap(({ kid = [] }) => kid)), signed: signed.map(({ kid }) => kid) }
  }

  test('sign each attempt of the one order, which is polled with the key that reads', async () => {
    const machine = await start()
    const { report } = await machine.run('signed', BUY)
    expect(report.outcome).toBe('FILLED')
    expect(await machine.movements()).toHaveLength(1)
    const { readonly, trade } = machine.sandbox.keys
    const { all, signed } = await used(machine)
    expect({ all, signed: new Set(signed) }).toEqual({
      ...{ all: new Set([readonly.prefix, trade.prefix]), signed: new Set([trade.prefix]) },
    })
  })

  test('sign the one withdrawal, with the key that may transfer', async () => {
    const machine = await start()
    const { report } = await machine.withdraw('sent', SEND)
    expect(report).toMatchObject({ outcome: 'COMPLETED', attempts: 1 })
    const { readonly, transfer } = machine.sandbox.keys
    expect(await used(machine)).toEqual({ all: new Set([readonly.prefix, transfer.prefix]), signed: [transfer.prefix] })
  })

  test('without them nothing is signed or sent, and the run waits for them until its time is over', async () => {
    const machine = await start('kms')
    const { report } = await machine.run('unsigned', BUY)
    expect(report.outcome).toBe('EXPIRED_OUT')
    expect(report.why).toContain('it waited: KMS key: ')
    expect(await machine.movements()).toEqual([])
  })

  test.each(['read', 'trade'] as const)('no other key stands in for the one to %s', async (taken) => {
    const machine = await start(taken)
    const { report } = await machine.run('lacking', BUY)
    expect(report.outcome).not.toBe('FILLED')
    expect(JSON.stringify(report)).toContain('unauthorized')
  })
})

test('KMS and a private key in this process make identical tokens', async () => {
  const made = makeKey('Same')
  const aws = await boot({}, { kmsKeys: { [ARN]: made.privateKeyPem } })
  const { credentials, endpointUrl: endpoint, region } = aws
  const client = new KMSClient({ endpoint, region, credentials })
  onTestFinished(() => client.destroy())
  const inKms = new ServiceKey(made.secret, kmsSigner({ keyId: ARN, alg: 'EdDSA', client }))
  const claims = { sub: made.key.prefix, uri: 'POST /v2/orders', nonce: 'n', iat: 1, exp: 31, bodyHash: '00' }
  expect(await signToken(inKms, claims)).toBe(await signToken(made.key, claims))
})
