// Owns the shape of stored key material: JSON text in, a usable key out. It checks everything that needs no service, so
// that an unsuitable key is refused before any request. Messages name the field and the expected shape, never the
// value.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { KeyRole, type Stage } from '../contract/service-settings.ts'
import { Refused } from '../errors.ts'
import { prefixOf, ServiceKey } from './key-source.ts'
import { type KeyAlgorithm, privateKeySigner, type Signer } from './signer.ts'

const MAX_MATERIAL_CHARS = 65_536
const MIN_RSA_BITS = 2_048
const ROLES: readonly KeyRole[] = Object.values(KeyRole)
/** Marker, 32 random characters, and 6 characters of a checksum whose algorithm is not published. */
const SECRET = /^svc_(live|test)_[0-9A-Za-z]{38}$/
const SECRET_SHAPE = 'svc_live_ or svc_test_ and 38 characters 0-9A-Za-z'
const PRIVATE_PEM = /^\s*-----BEGIN (RSA )?PRIVATE KEY-----/

export interface WantedKey {
  readonly stage: Stage
  readonly role: KeyRole
  /** Makes the signer of a key whose private half is elsewhere. The material then holds no private key. */
  readonly signWith?: ((alg: KeyAlgorithm) => Signer) | undefined
}

/** Stored key material, and its part for one role. */
interface StoredKey {
  readonly material: Readonly<Record<string, unknown>>
  readonly entry: Readonly<Record<string, unknown>>
  /** False where the material has a separate entry for each role. */
  readonly isFlat: boolean
}

/**
 * Reads `{"secret","privateKeyPem","alg"}`, or an object with such an entry for each role of `read`, `trade`,
 * `transfer`. `alg` is EdDSA unless given. The role `read` never signs, so only the `secret` of its entry is used.
 * @throws Refused
 */
export function parseKeyMaterial(text: string, wanted: WantedKey): ServiceKey {
  const { stage, role, signWith } = wanted
  if (role === KeyRole.Read) return parseReadKey(text, stage)
  const { secret, alg, entry, path } = parseEntry(text, role, stage)
  if (signWith === undefined) {
    const pemPath = `${path}privateKeyPem`
    return new ServiceKey(secret, privateKeySigner(parseSigningKey(entry.privateKeyPem, pemPath, alg), alg))
  }
  if (entry.privateKeyPem !== undefined)
    throw new Refused(`${path}privateKeyPem: expected none, as treasury.json has a KMS key sign for this role`)
  return new ServiceKey(secret, signWith(alg))
}

/** The key of the role `read`. Separate, so that bundles that only read contain no code that signs. @throws Refused */
export function parseReadKey(text: string, stage: Stage): ServiceKey {
  return new ServiceKey(parseEntry(text, KeyRole.Read, stage).secret, undefined)
}

function parseEntry(text: string, role: KeyRole, stage: Stage) {
  const { entry, isFlat } = parseStoredKey(text, role)
  const path = isFlat ? 'key.' : `key.${role}.`
  const secret = parseKeySecret(entry.secret, `${path}secret`, stage)
  if (entry.prefix !== undefined && entry.prefix !== prefixOf(secret))
    throw new Refused(`${path}prefix: expected the first 21 characters of the secret; leave it out or correct it`)
  return { entry, path, secret, alg: parseAlgorithm(entry.alg, `${path}alg`) }
}

/** The material and its entry for `role`, whose fields are not checked yet. @throws Refused */
export function parseStoredKey(text: string, role: KeyRole): StoredKey {
  if (text.length > MAX_MATERIAL_CHARS) throw new Refused(`key: expected at most ${MAX_MATERIAL_CHARS} characters`)
  const material = parseObject(text)
  const isFlat = material.secret !== undefined || !ROLES.some((name) => material[name] !== undefined)
  if (isFlat) return { material, entry: material, isFlat }
  const entry = material[role]
  if (!isObject(entry))
    throw new Refused(`key.${role}: expected an object {"secret","privateKeyPem","alg"} for the role ${role}`)
  return { material, entry, isFlat }
}

const IN_JSON = ', with \\n in place of each line break of the PEM'

function parseObject(text: string): Record<string, unknown> {
  let json: unknown
  try {
    // Other tools than Sluice may have stored the text, with the mark of their file.
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's own message would quote the text.
    throw new Refused(
      `key: expected JSON {"secret","privateKeyPem","alg"}${text.includes('-----BEGIN') ? IN_JSON : ''}`,
    )
  }
  if (!isObject(json)) throw new Refused('key: expected a JSON object {"secret","privateKeyPem","alg"}')
  return json
}

/** A bearer secret of the stage. `path` names it in the error. @throws Refused */
export function parseKeySecret(secret: unknown, path: string, stage: Stage): string {
  if (typeof secret !== 'string' || !SECRET.test(secret)) throw new Refused(`${path}: expected ${SECRET_SHAPE}`)
  if (!secret.startsWith(`svc_${stage}_`))
    throw new Refused(`${path}: expected a key of the stage "${stage}" (svc_${stage}_…), got one of the other stage`)
  return secret
}

function parseAlgorithm(alg: unknown, path: string): KeyAlgorithm {
  if (alg === undefined) return 'EdDSA'
  if (alg !== 'EdDSA' && alg !== 'RS256') throw new Refused(`${path}: expected EdDSA or RS256`)
  return alg
}

function parseSigningKey(pem: unknown, path: string, alg: KeyAlgorithm): KeyObject {
  if (typeof pem !== 'string' || !PRIVATE_PEM.test(pem))
    throw new Refused(`${path}: expected an unencrypted private key in PEM (PKCS#8, or PKCS#1 for RSA)`)
  const key = parsePem(pem.trim(), path)
  if (alg === 'EdDSA') {
    if (key.asymmetricKeyType !== 'ed25519') throw new Refused(`${path}: expected an Ed25519 key, as alg is EdDSA`)
    return key
  }
  if (key.asymmetricKeyType !== 'rsa') throw new Refused(`${path}: expected an RSA key, as alg is RS256`)
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    throw new Refused(`${path}: expected an RSA key of at least ${MIN_RSA_BITS} bits`)
  return key
}

function parsePem(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Refused(`${path}: expected a private key in PEM, got one ${whyUndecodable(pem)}`)
  }
}

/** Forms, shells and double escapes lose the line breaks of a PEM. */
function whyUndecodable(pem: string): string {
  if (pem.includes('\\n')) return 'whose line breaks are a backslash and an n: in JSON write \\n, and not \\\\n'
  if (!pem.includes('\n')) return 'without line breaks: put back the ones after its first line and before its last'
  return 'that cannot be decoded'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
