// A read is asked again with the key as it is stored now, and a send is not.
import { describe, expect, it } from 'vitest'
import type { KeySource } from '../../../core/keys/key-source.ts'
import { setUpClient, withTime } from '../../helpers/client-setup.ts'
import { answerJson, answerProblem, type Respond } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const older = makeKey('Older')
const newer = makeKey('Newer')
const ACCOUNT = {
  id: 'a-1',
  username: 'u',
  email: 'u@example.com',
  fullName: 'U',
  nationalId: null,
  verificationStatus: 'VERIFIED',
  preferredCurrency: 'USD',
}

/** Holds `older`; after `forget`, the key in `stored`. Counts the calls of `forget`. */
function rotating(stored = newer) {
  let key = older.key
  const counts = { forgotten: 0 }
  const source: KeySource = {
    current: async () => key,
    forget: () => {
      counts.forgotten++
      key = stored.key
    },
  }
  return { source, counts }
}

const knowsOnlyNewer =
  (code: string): Respond =>
  (request, response) =>
    request.headers.authorization === `Bearer ${newer.secret}`
      ? answerJson(response, 200, ACCOUNT)
      : answerProblem(response, 401, code)

describe('a read that the service refuses because of the key', () => {
  it.each(['unauthorized', 'key_expired', 'key_revoked', 'invalid_signature'])(
    'with %s is asked once more with the key as it is stored now',
    async (code) => {
      const { source, counts } = rotating()
      const { server, client } = await setUpClient(knowsOnlyNewer(code), { key: source })
      expect((await client.account()).id).toBe('a-1')
      expect(server.arrived).toHaveLength(2)
      expect(counts.forgotten).toBe(1)
    },
  )

  it('is refused after one request when the stored key is still the same', async () => {
    const { source, counts } = rotating(older)
    const { server, client } = await setUpClient(knowsOnlyNewer('key_revoked'), { key: source })
    await expect(client.account()).rejects.toMatchObject({ name: 'KeyFault', problem: { code: 'key_revoked' } })
    expect(server.arrived).toHaveLength(1)
    expect(counts.forgotten).toBe(1)
  })

  it('is refused after two requests when the stored key is no better', async () => {
    const { source } = rotating()
    const { server, client } = await setUpClient((_request, response) => answerProblem(response, 401, 'unauthorized'), {
      key: source,
    })
    await expect(client.account()).rejects.toMatchObject({ name: 'KeyFault' })
    expect(server.arrived).toHaveLength(2)
  })

  it.each(['insufficient_scope', 'ip_not_allowed', 'two_factor_required', 'api_access_disabled'])(
    'is asked once more with the key as stored when it is %s: what another key may do is fixed with it',
    async (code) => {
      const { source, counts } = rotating()
      const { server, client } = await setUpClient(knowsOnlyNewer(code), { key: source })
      expect((await client.account()).id).toBe('a-1')
      expect(server.arrived).toHaveLength(2)
      expect(counts.forgotten).toBe(1)
    },
  )

  it('is not repeated for clock_skew', async () => {
    const { source, counts } = rotating()
    const { server, client } = await setUpClient((_request, response) => answerProblem(response, 401, 'clock_skew'), {
      key: source,
    })
    await expect(client.account()).rejects.toMatchObject({ problem: { code: 'clock_skew' } })
    expect(server.arrived).toHaveLength(1)
    expect(counts.forgotten).toBe(0)
  })
})

describe('a send that the service refuses because of the key', () => {
  it('is not sent again; the next one is signed with the stored key once the caller forgets the old one', async () => {
    const { source, counts } = rotating()
    const { server, client } = await setUpClient(
      withTime((_request, response) => answerProblem(response, 401, 'invalid_signature')),
      { key: source },
    )
    await client.clock.measure()
    const first = await client.prepareOrder('q-1', 30)
    expect(await first.send()).toMatchObject({ kind: 'unproven', said: { code: 'invalid_signature', business: false } })
    expect(server.arrived.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(counts.forgotten).toBe(0)
    client.forgetKeys()
    expect((await client.prepareOrder('q-2', 30)).facts.kid).toBe(newer.key.prefix)
  })
})

describe('credentials', () => {
  it('credentials of a read are the bearer secret alone; health and time carry no credentials', async () => {
    const { server, client } = await setUpClient(
      withTime((request, response) =>
        request.target === '/v2/health'
          ? answerJson(response, 200, { status: 'OK' })
          : answerJson(response, 200, ACCOUNT),
      ),
      { key: rotating().source },
    )
    await client.account()
    await client.health()
    await client.time()
    expect(server.arrived.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      [`Bearer ${older.secret}`, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })
})
