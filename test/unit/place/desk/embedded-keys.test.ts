// The embedded AWS has each key in the secret or the KMS key where AWS would have it.
import { describe, expect, it } from 'vitest'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { embeddedKeys } from '../../../../place/desk/embedded-keys.ts'
import { makeKey } from '../../../helpers/service-keys.ts'

const made = makeKey('Flat')
const reads = { secret: makeKey('Reads').secret }

function serviceWith(keys: object) {
  return parseTreasury(JSON.stringify({ service: { url: 'https://a.example', stage: 'test', keys } })).service
}

describe('embeddedKeys', () => {
  it('puts the unchanged key file into every secret without a KMS key', () => {
    const { secrets, kmsKeys } = embeddedKeys(serviceWith({ read: { secret: 'read-key' } }), made.material)
    expect(secrets).toEqual({ 'sluice/service-key': made.material, 'read-key': made.material })
    expect(kmsKeys).toEqual({})
  })

  it('splits the key of a role with a KMS key: the bearer secret here, the private key there', () => {
    const trade = { secret: 'trade-key', kmsKey: 'alias/trade' }
    const { secrets, kmsKeys } = embeddedKeys(serviceWith({ trade }), made.material)
    expect(JSON.parse(secrets['trade-key'] ?? '')).toEqual({ trade: { secret: made.secret, alg: 'EdDSA' } })
    expect(kmsKeys).toEqual({ 'alias/trade': made.privateKeyPem })
    expect(secrets['sluice/service-key']).toBe(made.material)
  })

  it('takes from a key file with several roles those of a secret, and leaves out missing ones', () => {
    const trade = { secret: 'keys', kmsKey: 'alias/trade' }
    const service = serviceWith({ read: { secret: 'keys' }, trade, transfer: { secret: 'keys' } })
    const { secrets } = embeddedKeys(service, JSON.stringify({ read: reads, trade: JSON.parse(made.material) }))
    expect(JSON.parse(secrets.keys ?? '')).toEqual({ read: reads, trade: { secret: made.secret, alg: 'EdDSA' } })
  })
})
