// Defines an asymmetric signing key of the embedded KMS: its names, its algorithms and its signatures. Keys that an
// assembly makes are kept between boots, in one file that only its owner can read. A private key that comes in as an
// option is never on disk or in an answer. Source: AWS KMS Developer Guide, "Key spec reference" and "Asymmetric
// keys".

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStored, readOwnText } from '../own-file.ts'

export interface KmsKey {
  readonly keyId: string
  readonly arn: string
  /** `alias/NAME`, when the key was given under an alias. */
  readonly alias: string | undefined
  readonly spec: string
  readonly signingAlgorithms: readonly string[]
  /** SPKI, DER. */
  readonly publicKey: Buffer
  sign(algorithm: string, message: Uint8Array): Buffer
}

export interface KmsPlace {
  readonly account: string
  readonly region: string
}

/** The hash of each algorithm. Ed25519 includes its own hashing. */
const DIGEST: Readonly<Record<string, string | null>> = {
  ED25519_SHA_512: null,
  RSASSA_PKCS1_V1_5_SHA_256: 'sha256',
}
const KEY_ARN = /^arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key\/([A-Za-z0-9-]+)$/
const ALIAS = /^alias\/[A-Za-z0-9/_-]+$/

/** `name`: the ARN or alias by which the assembly knows the key. Throws Refusal. */
export function kmsKey(name: string, privateKeyPem: string, { account, region }: KmsPlace): KmsKey {
  const where = `KMS key ${name}`
  const isAlias = ALIAS.test(name)
  const keyId = isAlias ? idFor(name) : KEY_ARN.exec(name)?.[1]
  if (keyId === undefined) throw new Refusal(where, 'expected the ARN of a key, or alias/NAME')
  const privateKey = readPrivateKey(where, privateKeyPem)
  const { spec, algorithm } = specOf(where, privateKey)
  return {
    keyId,
    arn: isAlias ? `arn:aws:kms:${region}:${account}:key/${keyId}` : name,
    alias: isAlias ? name : undefined,
    spec,
    signingAlgorithms: [algorithm],
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    sign: (wanted, message) => sign(DIGEST[wanted], message, privateKey),
  }
}

function readPrivateKey(where: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Refusal(where, 'expected a private key in PEM')
  }
}

/** Supports one algorithm for each kind of key. Requests for others are refused. */
function specOf(where: string, key: KeyObject): { readonly spec: string; readonly algorithm: string } {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType === 'ed25519') return { spec: 'ECC_NIST_EDWARDS25519', algorithm: 'ED25519_SHA_512' }
  if (key.asymmetricKeyType === 'rsa' && [2048, 3072, 4096].includes(bits)) {
    return { spec: `RSA_${bits}`, algorithm: 'RSASSA_PKCS1_V1_5_SHA_256' }
  }
  throw new Refusal(where, 'expected an Ed25519 key, or an RSA key of 2048, 3072 or 4096 bits')
}

/** Returns a UUID derived from the alias, so that its ARN is the same at every start. */
function idFor(alias: string): string {
  const hex = createHash('sha256').update(alias).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** PEM by the alias of the key. */
type Kept = Readonly<Record<string, string>>

/** Returns the kept keys of Ed25519, with a new one for each alias that has none. Throws Refusal for a damaged file. */
export function keptKeys(
  stateDir: string,
  aliases: readonly string[],
  place: KmsPlace,
  disk: Disk = DURABLE,
): readonly KmsKey[] {
  const file = path.join(stateDir, 'kms.json')
  const known: Kept = existsSync(file) ? parseStored(readOwnText(file), file, isKept, REMEDY) : {}
  const missing = aliases.filter((alias) => !Object.hasOwn(known, alias))
  const kept = { ...known, ...Object.fromEntries(missing.map((alias) => [alias, newKey()])) }
  if (missing.length > 0) disk.replace(file, JSON.stringify(kept))
  return Object.entries(kept).map(([alias, pem]) => kmsKey(alias, pem, place))
}

const REMEDY =
  'restore it from a copy, or move it out of the directory: then new keys are made, and nothing fits old signatures'

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function isKept(value: unknown): value is Kept {
  return isObject(value) && Object.values(value).every((pem) => typeof pem === 'string')
}
