// Connections to the service are kept, bounded and closed, and trusted only with a certificate of an authority.
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient, testKey, withTime } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const onlyTime = withTime((_request, response) => response.writeHead(500).end())

describe('connections', () => {
  it('are kept for the next request, and closed after two idle seconds', async () => {
    const { server, client, clock } = await setUpClient(onlyTime)
    await client.time()
    clock.advance(2_000)
    await client.time()
    clock.advance(2_001)
    await client.time()
    expect(server.arrived.map(({ connection }) => connection)).toEqual([1, 1, 2])
  })

  it("are not trusted after this machine's clock was set back", async () => {
    const { server, client, clock } = await setUpClient(onlyTime)
    await client.time()
    clock.set(-1)
    await client.time()
    expect(server.arrived.map(({ connection }) => connection)).toEqual([1, 2])
  })

  it("never exceed the agent's limit, however many requests run at once", async () => {
    const { server, client } = await setUpClient(onlyTime, { agentOptions: { maxSockets: 3 } })
    await Promise.all(Array.from({ length: 30 }, () => client.time()))
    expect(Math.max(...server.arrived.map(({ connection }) => connection))).toBe(3)
  })

  it('end requests under way when the client is closed', async () => {
    const { client } = await setUpClient((_request, _response) => client.close())
    await expect(client.time()).rejects.toMatchObject({ name: 'Transient' })
  })
})

describe('TLS', () => {
  const tls = makeSelfSigned()

  it('refuses a certificate that no authority signed, and nothing arrives', async () => {
    const { server, client } = await setUpClient(onlyTime, { tls })
    await expect(client.time()).rejects.toMatchObject({ name: 'Transient', problem: { code: 'no_answer' } })
    expect(server.arrived).toHaveLength(0)
  })

  it('accepts a certificate of a given authority', async () => {
    const { client } = await setUpClient(onlyTime, { tls, agentOptions: { ca: tls.cert } })
    expect(await client.time()).toMatchObject({ from: 'body' })
  })
})

describe('a base address', () => {
  const clientFor = (baseUrl: string, key = testKey.key) =>
    createServiceClient({ baseUrl, key: staticKeySource(key), clock: manualClock(), newId: () => 'id' })

  it.each([
    'api.example.com',
    'ftp://api.example.com',
    'https://user:pass@api.example.com',
    'https://api.example.com/?a=b',
    'https://api.example.com/#a',
    'https://api.example.com/v2',
    'https://api.example.com/v2/',
    'https://',
    '',
  ])('is refused: %j, without quoting it', (baseUrl) => {
    expect(() => clientFor(baseUrl)).toThrow(Refused)
    expect(() => clientFor(baseUrl)).toThrow(/^service address: expected/)
  })

  it('gets no live secret in the clear, except on this machine', async () => {
    const live = makeKey('Live', 'EdDSA', 'live').key
    // An address of TEST-NET-1 (RFC 5737). No request to it may even begin.
    await expect(clientFor('http://192.0.2.1', live).account()).rejects.toThrow(/expected https/)
    await expect(clientFor('http://192.0.2.1', live).prepareOrder('q-1', 30)).rejects.toThrow(/expected https/)
    const { client } = await setUpClient((_request, response) => answerJson(response, 200, []), {
      key: staticKeySource(live),
    })
    expect(await client.balances()).toEqual([])
  })
})
