// Controls the life cycle of keys, as their owner would from a dashboard: rotate, revoke, restrict to addresses, add
// and revoke signing keys.
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { expecting, oneOf, optional, text } from '../fields.ts'
import { type ApiKey, readSigningKey, secretFor } from '../keys.ts'
import { invalid, notFound } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import { showTime } from '../representation.ts'
import type { World } from '../world.ts'

const MOST_ADDRESSES = 100

const ADDRESSES = `a list of at most ${MOST_ADDRESSES} IP addresses, or null for any`
const address = z.string().check(z.refine((text) => isIP(text) !== 0))
const addresses = expecting(ADDRESSES, z.array(address).check(z.maxLength(MOST_ADDRESSES)))

const fields = z.strictObject({
  do: oneOf('rotate', 'revoke', 'allowAddresses', 'addSigningKey', 'revokeSigningKey'),
  addresses: optional(z.nullable(addresses)),
  publicKeyPem: optional(text(4_096)),
  signingKeyId: optional(text(64)),
})

/** Shows every key, with its secrets, but without private keys. */
export function showKeys(world: World): unknown {
  return { keys: [...world.keys.keys.values()].map(showKey) }
}

export function changeKey(world: World, keyName: string, body: Record<string, unknown>): unknown {
  const key = world.keys.keys.get(keyName)
  if (key === undefined) throw notFound('key')
  const given = readFields(fields, body)
  if (given.do === 'rotate') {
    world.commit({
      kind: 'key.rotated',
      keyName,
      secret: secretFor(world.newHex('secret'), keyName),
      atMs: world.nowMs(),
    })
  } else if (given.do === 'revoke') {
    world.commit({ kind: 'key.revoked', keyName })
  } else if (given.do === 'allowAddresses') {
    if (given.addresses === undefined) throw invalid(`Field addresses is missing: expected ${ADDRESSES}.`)
    world.commit({ kind: 'key.addresses-set', keyName, allowedIps: given.addresses })
  } else if (given.do === 'addSigningKey') {
    const { publicKeyPem = '' } = given
    if (readSigningKey(publicKeyPem) === undefined) {
      throw invalid('Field publicKeyPem: expected an Ed25519 or RSA public key, SPKI in PEM.')
    }
    world.commit({ kind: 'signing-key.added', keyName, publicKeyPem })
  } else {
    const { signingKeyId = '' } = given
    if (!key.signingKeys.some(({ id }) => id === signingKeyId)) throw notFound('signing key')
    world.commit({ kind: 'signing-key.revoked', keyName, signingKeyId })
  }
  return showKey(key)
}

function showKey(key: ApiKey): unknown {
  return {
    name: key.name,
    scopes: [...key.scopes],
    revoked: key.revoked,
    allowedIps: key.allowedIps ?? null,
    secrets: key.credentials.map(({ secret, prefix, expiresAtMs }) => ({
      secret,
      prefix,
      expiresAt: expiresAtMs === undefined ? null : showTime(expiresAtMs),
    })),
    signingKeys: key.signingKeys.map(({ id, alg, active }) => ({ id, alg, active })),
  }
}
