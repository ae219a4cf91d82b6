// Owns signing with an AWS KMS key, whose private half never leaves KMS, and reading its public half. Errors of KMS become errors of the closed set.
// It must not fall back to any other key.

import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  GetPublicKeyCommand,
  KMSClient,
  type MessageType,
  SignCommand,
  type SigningAlgorithmSpec,
} from '@aws-sdk/client-kms'
import { bareCause, errorName, errorText } from '../error-name.ts'
import { KeyFault, Refused, Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from './aws-limits.ts'
import { compactJws, type KeyAlgorithm, type Signer } from './signer.ts'

interface KmsSignerOptions {
  /** Key ARN, or `alias/NAME`. */
  readonly keyId: string
  readonly alg: KeyAlgorithm
  /** Default: `kmsClient()`. */
  readonly client?: KMSClient
}

/** EdDSA needs a key of the spec ECC_NIST_EDWARDS25519, and RS256 a key of RSA_2048 or larger. */
const SIGNING_ALGORITHM: Readonly<Record<KeyAlgorithm, SigningAlgorithmSpec>> = {
  EdDSA: 'ED25519_SHA_512',
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
}
/** The message itself, not its digest, because Ed25519 accepts nothing else. */
const MESSAGE_TYPE: MessageType = 'RAW'
/** Maximum size of a raw message in KMS. */
const MAX_MESSAGE_BYTES = 4_096

/** A client that stops in time. Its address and credentials come from the environment. */
export function kmsClient(limits: AwsLimits = AWS_LIMITS): KMSClient {
  return new KMSClient(requestLimits(limits))
}

/** Requests each signature from KMS (AWS KMS API Reference, "Sign"). Needs `kms:Sign` on the key. */
export function kmsSigner(options: KmsSignerOptions): Signer {
  const { alg } = options
  const signBytes = kmsSignBytes(options)
  return { alg, sign: (payload) => compactJws(alg, payload, signBytes) }
}

/** Returns the bare signature. @throws Transient, Refused, KeyFault */
export function kmsSignBytes({
  keyId,
  alg,
  client = kmsClient(),
}: KmsSignerOptions): (bytes: Uint8Array) => Promise<Uint8Array> {
  return async (bytes) => {
    if (bytes.length > MAX_MESSAGE_BYTES)
      throw new Refused(`KMS key: expected at most ${MAX_MESSAGE_BYTES} bytes to sign; got ${bytes.length}`)
    const command = new SignCommand({
      KeyId: keyId,
      Message: bytes,
      MessageType: MESSAGE_TYPE,
      SigningAlgorithm: SIGNING_ALGORITHM[alg],
    })
    const { Signature } = await client.send(command).catch((error: unknown) => {
      throw kmsError(error)
    })
    if (Signature === undefined) throw new Transient('KMS key: KMS answered without a signature')
    return Signature
  }
}

/** Returns the public half. @throws Transient, KeyFault */
export async function kmsPublicKey(keyId: string, client: KMSClient): Promise<KeyObject> {
  const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId })).catch((error: unknown) => {
    throw kmsError(error)
  })
  if (PublicKey === undefined) throw new Transient('KMS key: KMS answered without a public key')
  return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
}

/** The key of decisions, of Ed25519. Calls `open` and reads the public half at the first use, and keeps both. */
export function kmsDecisionKey(open: () => { readonly keyId: string; readonly client: KMSClient }) {
  let opened: ReturnType<typeof open> | undefined
  let read: Promise<KeyObject> | undefined
  const use = () => {
    opened ??= open()
    return opened
  }
  return {
    async publicKey(): Promise<KeyObject> {
      const { keyId, client } = use()
      read ??= kmsPublicKey(keyId, client).catch((error: unknown) => {
        read = undefined
        throw error
      })
      return read
    },
    sign: async (bytes: Uint8Array) => kmsSignBytes({ ...use(), alg: 'EdDSA' })(bytes),
    destroy: () => opened?.client.destroy(),
  }
}

/** Errors that a retry does not change. */
const LASTING: ReadonlyMap<string, string> = new Map([
  ['NotFoundException', 'there is no such key or alias in this account and region'],
  [
    'AccessDeniedException',
    'this role may not use it (kms:Sign, kms:GetPublicKey), or the policy of the key forbids it',
  ],
  ['DisabledException', 'it is disabled'],
  ['KMSInvalidStateException', 'its state does not allow that, such as pending deletion'],
  ['InvalidKeyUsageException', 'it is not a signing key of the algorithm that the secret names'],
  ['ValidationException', 'KMS takes the request for malformed'],
])

function kmsError(error: unknown): Error {
  const name = errorName(error)
  const lasting = LASTING.get(name)
  return lasting === undefined
    ? new Transient(`KMS key: KMS did not answer (${errorText(error)})`, bareCause(error))
    : new KeyFault(`KMS key: ${lasting} (${name})`, bareCause(error))
}
