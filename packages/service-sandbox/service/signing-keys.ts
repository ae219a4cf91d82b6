// Derives key pairs from a seed, so that the same seed gives the same world, with its keys.
// For the sandbox only: anyone who knows the seed can compute the private keys.
import { checkPrimeSync, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { seededBytes } from './seeded.ts'

export interface SeededKeyPair {
  /** PKCS #8. */
  readonly privateKeyPem: string
  /** SPKI, the form in which a caller would upload it. */
  readonly publicKeyPem: string
}

/** DER of an Ed25519 private key, before its 32 bytes (RFC 8410, section 7). */
const ED25519_PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function seededEd25519(seed: string, label: string): SeededKeyPair {
  const der = Buffer.concat([ED25519_PKCS8_HEAD, seededBytes(seed, `ed25519 ${label}`, 32)])
  return inPem(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/** Key pairs found so far. A process that starts many sandboxes searches once for each seed and label. */
const foundRsa = new Map<string, SeededKeyPair>()
const MOST_KEPT = 64

/** RSA with 2048 bits and exponent 65537. The first call takes some tens of milliseconds. */
export function seededRsa(seed: string, label: string): SeededKeyPair {
  const name = JSON.stringify([seed, label])
  const pair = foundRsa.get(name) ?? findRsa(seed, label)
  if (foundRsa.size < MOST_KEPT) foundRsa.set(name, pair)
  return pair
}

function findRsa(seed: string, label: string): SeededKeyPair {
  const e = 65_537n
  const p = seededPrime(seed, `rsa p ${label}`, e)
  const q = seededPrime(seed, `rsa q ${label}`, e)
  const d = inverse(e, (p - 1n) * (q - 1n))
  const jwk = {
    kty: 'RSA',
    n: base64url(p * q),
    e: base64url(e),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: base64url(d % (p - 1n)),
    dq: base64url(d % (q - 1n)),
    qi: base64url(inverse(q, p)),
  }
  return inPem(createPrivateKey({ key: jwk, format: 'jwk' }))
}

/** Steps to the primes of the default seed. Searching for them takes a twelfth of a second at each start. */
const KNOWN_STEPS: ReadonlyMap<string, bigint> = new Map([
  ['sluice rsa p rsa', 104n],
  ['sluice rsa q rsa', 684n],
])

/** Returns the first prime of 1024 bits after a seeded start that works with `e`. */
function seededPrime(seed: string, label: string, e: bigint): bigint {
  const bytes = seededBytes(seed, label, 128)
  bytes[0] = (bytes[0] as number) | 0xc0 // two leading ones, so that p × q has 2048 bits
  bytes[127] = (bytes[127] as number) | 1
  let candidate = BigInt(`0x${bytes.toString('hex')}`)
  const known = KNOWN_STEPS.get(`${seed} ${label}`)
  if (known !== undefined) return candidate + 2n * known
  // Primes of this size lie 710 apart on average, so 100,000 steps do not fail.
  for (let step = 0; step < 100_000; step += 1, candidate += 2n) {
    if (candidate % e !== 1n && checkPrimeSync(candidate)) return candidate
  }
  throw new Error('no prime found')
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, value % modulus]
  let [previousFactor, factor] = [0n, 1n]
  while (current !== 0n) {
    const quotient = previous / current
    ;[previous, current] = [current, previous - quotient * current]
    ;[previousFactor, factor] = [factor, previousFactor - quotient * factor]
  }
  return ((previousFactor % modulus) + modulus) % modulus
}

function base64url(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}

function inPem(key: KeyObject): SeededKeyPair {
  return {
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  }
}
