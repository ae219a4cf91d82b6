// Tests `--service` against another service, which makes different choices than the sandbox.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startForeignService } from '../../helpers/foreign-service.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { sluice } from './command-line.ts'

test.each(['EdDSA', 'RS256'] as const)(
  'a conversion at a service that is not ours fills once, signed %s',
  async (alg) => {
    const { secret, publicKey, material } = makeKey('FOREIGN', alg)
    const service = await startForeignService({ secret, publicKey, alg })
    const dir = mkdtempSync(path.join(tmpdir(), 'sluice-foreign-'))
    try {
      writeFileSync(path.join(dir, 'keys.json'), material, { mode: 0o600 })
      const input = {
        baseAsset: 'BTC',
        quoteAsset: 'USDC',
        side: 'BUY',
        amountAsset: 'BTC',
        amount: '0.1',
        worstRate: '50000',
      }
      const args = ['run', 'convert', '--input', '-', '--id', 'foreign', '--state', path.join(dir, 'state')]
      const address = ['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')]
      const first = await sluice([...args, ...address], { stdin: JSON.stringify(input) })
      const second = await sluice([...args, ...address], { stdin: JSON.stringify(input) })

      expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
      expect(JSON.parse(first.stdout)).toMatchObject({
        outcome: 'FILLED',
        orderId: 'ORD/2026 11+1%?',
        baseAmount: '0.10',
        fills: [{ id: 'F 1/1', sequence: 1 }],
        attempts: 1,
      })
      expect(second.stdout).toBe(first.stdout)
      expect(service.moved).toEqual(['ORD/2026 11+1%?'])
      // The order was read while it moved, with its id fully encoded.
      expect(service.arrived.map(({ target }) => target)).toContain(
        '/gateway/eu/v2/orders/ORD%2F2026%2011%2B1%25%3F?assetFormat=base',
      )
    } finally {
      await service.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
