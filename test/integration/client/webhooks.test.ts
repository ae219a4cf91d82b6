// Deliveries of the sandbox, which signs them with code of its own, checked by the client.
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { createWebhookVerifier } from '../../../core/service/webhook-keys.ts'
import { startSandbox } from '../../../sandbox/service/sandbox.ts'
import { startLocalServer } from '../../helpers/local-server.ts'

it('a delivery of the sandbox passes, and no longer with another body or of another service', async () => {
  const receiver = await startLocalServer((_request, response) => response.writeHead(204).end())
  const sandbox = await startSandbox({ webhookUrl: receiver.baseUrl })
  const other = await startSandbox({ seed: 'another' })
  const clients = [sandbox, other].map(({ baseUrl, keys }) =>
    createServiceClient({
      baseUrl,
      key: staticKeySource(parseKeyMaterial(JSON.stringify(keys.readonly), { stage: 'test', role: 'read' })),
      clock: systemClock,
      newId: () => crypto.randomUUID(),
    }),
  )
  onTestFinished(async () => {
    for (const client of clients) client.close()
    await Promise.all([sandbox.stop(), other.stop(), receiver.stop()])
  })
  await fetch(`${sandbox.controlUrl}/balance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assetSymbol: 'USDC', credit: '5' }),
  })
  await expect.poll(() => receiver.arrived.length, { interval: 5 }).toBeGreaterThan(0)
  const [delivered] = receiver.arrived
  const signature = String(delivered?.headers['x-webhook-signature'])
  const body = delivered?.body ?? Buffer.alloc(0)
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'deposit.credited' })

  const [mine, theirs] = clients.map((client) => createWebhookVerifier(client.webhookKeys, systemClock))
  await expect(mine?.({ signature, body })).resolves.toBeUndefined()
  const refused = { name: 'Refused', message: expect.stringContaining('webhook signature') }
  await expect(mine?.({ signature, body: Buffer.concat([body, body]) })).rejects.toMatchObject(refused)
  await expect(theirs?.({ signature, body })).rejects.toMatchObject(refused)
})
