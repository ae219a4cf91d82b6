// Starts a sandbox in the test's process with movements of every kind, and key files for it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { settledAmount } from '../../../core/money/amount.ts'
import { withConnection } from '../../../place/service/service-connection.ts'

export interface ArrangedService {
  readonly sandbox: Sandbox
  /** A folder of its own, removed with it. */
  readonly dir: string
  /** Writes a key file, and returns the flags for the service and the file. */
  readonly flags: (keys?: unknown) => string[]
  readonly control: (path: string, body?: unknown) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export async function startArrangedService(seed = 'readings'): Promise<ArrangedService> {
  const sandbox = await startSandbox({ seed })
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-readings-'))
  let files = 0
  return {
    sandbox,
    dir,
    flags(keys = sandbox.keys.full) {
      files += 1
      const file = path.join(dir, `keys-${files}.json`)
      writeFileSync(file, typeof keys === 'string' ? keys : JSON.stringify(keys), { mode: 0o600 })
      return ['--service', sandbox.baseUrl, '--keys', file]
    },
    async control(target, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(sandbox.controlUrl + target, init)
      if (!response.ok) throw new Error(`the control call was refused: ${await response.text()}`)
      return response.json()
    },
    async stop() {
      await sandbox.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export interface Movements {
  /** An id with a slash, a space and a percent sign. */
  readonly orderId: string
  readonly withdrawalId: string
  readonly contactId: string
}

/** An order in a tokenised equity with an odd id, a withdrawal on chain, a deposit. */
export async function arrangeMovements({ sandbox, control }: ArrangedService): Promise<Movements> {
  await control('/rules', { match: { path: '/v2/quotes' }, fault: { kind: 'oddId' } })
  await control('/balance', { assetSymbol: 'EUR', credit: '500' })
  const contact = sandbox.contacts.find(({ reference }) => reference === 'cold-usdc-polygon')
  if (contact === undefined) throw new Error('the sandbox has no such contact')
  const key = parseKeyMaterial(JSON.stringify(sandbox.keys.full), { stage: 'test', role: 'trade' })
  return withConnection({ baseUrl: sandbox.baseUrl, key, clock: systemClock }, async (client) => {
    await client.clock.measure()
    const ask = {
      baseAsset: 'NVDASPV',
      quoteAsset: 'USDC',
      side: 'BUY',
      amountAsset: 'NVDASPV',
      amount: '0.5',
    } as const
    const { orderId } = await client.createQuote(ask)
    await (await client.prepareOrder(orderId, 30)).send()
    const amount = settledAmount('USDC', '25', 'amount')
    const sent = await client.prepareWithdrawal({ amount, feeMode: 'deduct', contactId: contact.id }, 30)
    const answer = await sent.send()
    if (answer.kind !== 'accepted') throw new Error('the withdrawal was not accepted')
    return { orderId, withdrawalId: answer.withdrawal.id, contactId: contact.id }
  })
}
