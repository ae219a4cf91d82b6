// The client checks deliveries of the sandbox, which signs them with code of its own.

import { type Manners, startSandbox } from '@sluice/service-sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { createWebhookVerifier } from '../../../core/service/webhook-deliveries.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { startLocalServer } from '../../helpers/local-server.ts'

it.each<Manners['jwks']>(['plain', 'untidy'])(
  'a delivery of a sandbox whose key set is %s passes, and no longer with another body or of another service',
  async (jwks) => {
    const receiver = await startLocalServer((_request, response) => response.writeHead(204).end())
    const sandbox = await startSandbox({ webhookUrl: receiver.baseUrl, manners: { jwks } })
    const other = await startSandbox({ seed: 'another', manners: { jwks } })
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
  },
)

const KEY = { kty: 'OKP', crv: 'Ed25519', kid: 'k-1', x: 'A'.repeat(43) }

it.each([
  'application/json',
  'application/jwk-set+json',
  'Application/JWK-Set+JSON; charset=utf-8',
  'application/vnd.gateway.v2+json',
])('a key set is read as %s', async (contentType) => {
  expect(await keysServedAs(contentType)).toEqual([KEY])
})

it.each([
  'text/html',
  'text/plain',
  'application/jsonp',
  'application/problem+json',
  'application/x+jsonx',
  'json',
  '',
])('a key set is refused as "%s"', async (contentType) => {
  await expect(keysServedAs(contentType)).rejects.toMatchObject({ name: 'Transient', problem: { code: 'not_json' } })
})

async function keysServedAs(contentType: string): Promise<unknown> {
  const { client } = await setUpClient((_request, response) =>
    response.writeHead(200, { 'content-type': contentType }).end(JSON.stringify({ keys: [KEY] })),
  )
  return client.webhookKeys()
}
