// An untidy key set still contains the key that signs webhooks.
import { expect, test } from 'vitest'
import { startWith } from './arranged.ts'

const KEY_SET = '/v2/.well-known/webhook-jwks.json'

test('an untidy key set has its own media type, unusable members, and the key of the tidy set as its last', async () => {
  const tidy = await (await startWith({})).send('GET', KEY_SET, {})
  const untidy = await (await startWith({ jwks: 'untidy' })).send('GET', KEY_SET, {})
  expect(untidy.headers.get('content-type')).toBe('application/jwk-set+json; charset=utf-8')
  const { keys } = untidy.body
  expect(keys.at(-1)).toEqual(tidy.body.keys[0])
  const { kid } = keys.at(-1)
  const sharing = keys.filter((key: { kid?: unknown } | null) => key?.kid === kid)
  expect(sharing.map(({ kty, crv }: Record<string, string>) => crv ?? kty)).toEqual([
    'X25519',
    'RSA',
    'Ed25519',
    'Ed25519',
  ])
  expect(keys.length).toBeGreaterThan(120)
  expect(keys).toContain(null)
})
