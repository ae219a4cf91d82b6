// Owns signing with an AWS KMS key, whose private half never leaves KMS. What KMS says wrong
// becomes one of the closed set of errors. It must not fall back to any other key.

import { KMSClient, type MessageType, SignCommand, type SigningAlgorithmSpec } from '@aws-sdk/client-kms'
import { bareCause, errorName, errorText } from '../error-name.ts'
import { KeyFault, Refused, Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from './aws-limits.ts'
import { compactJws, type KeyAlgorithm, type Signer } from './signer.ts'

export interface KmsSignerOptions {
  /** Key ARN, or `alias/NAME`. */
  readonly keyId: string
  readonly alg: KeyAlgorithm
  /** `kmsClient()` when not given. */
  readonly client?: KMSClient
}

/** Ed25519 needs a key of the spec ECC_NIST_EDWARDS25519; PKCS#1 v1.5 one of RSA_2048 and up. */
const SIGNING_ALGORITHM: Readonly<Record<KeyAlgorithm, SigningAlgorithmSpec>> = {
  EdDSA: 'ED25519_SHA_512',
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
}
/** The message itself and not its digest: Ed25519 takes nothing else. */
const MESSAGE_TYPE: MessageType = 'RAW'
/** What KMS takes as a raw message. */
const MAX_MESSAGE_BYTES = 4_096

/** A client that gives up in time; its address and credentials come from the environment. */
export function kmsClient(limits: AwsLimits = AWS_LIMITS): KMSClient {
  return new KMSClient(requestLimits(limits))
}

/** Asks KMS for each signature (AWS KMS API Reference, "Sign"); needs `kms:Sign` on the key. */
export function kmsSigner(options: KmsSignerOptions): Signer {
  const { alg } = options
  const signBytes = kmsSignBytes(options)
  return { alg, sign: (payload) => compactJws(alg, payload, signBytes) }
}

/** Gives the signature alone. @throws Transient, Refused, KeyFault */
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

/** Errors that a repetition does not change. */
const LASTING: ReadonlyMap<string, string> = new Map([
  ['NotFoundException', 'there is no such key or alias in this account and region'],
  ['AccessDeniedException', 'this role may not sign with it (kms:Sign), or the policy of the key forbids it'],
  ['DisabledException', 'it is disabled'],
  ['KMSInvalidStateException', 'its state does not allow to sign, such as pending deletion'],
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
