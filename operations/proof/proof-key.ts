// Owns the key that signs proofs. A desk keeps its own key beside its records. A deployment's key is in AWS KMS, where
// no function may use it and no stack can delete it. Neither is a key of the service, so neither can move anything. The
// private half is never shown.

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { KMSClient } from '@aws-sdk/client-kms'
import { DURABLE } from '@sluice/embedded-aws'
import { deployedName } from '../../core/contract/deployed-names.ts'
import { KeyFault } from '../../core/errors.ts'
import { kmsClient, kmsPublicKey, kmsSignBytes } from '../../core/keys/kms-signer.ts'
import type { KeyAlgorithm } from '../../core/keys/signer.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { systemCodeOf } from '../../place/files/disk-fault.ts'
import { advice, option } from '../../place/next-step.ts'
import { failedWith, OperationError } from '../../place/operation-error.ts'
import { makeSigningPair } from '../keys/signing-pair.ts'
import { type ProofSigner, publicJwkOf } from './pack-file.ts'

/** Longer than any private key of Ed25519 in PEM. */
const MOST_KEY_BYTES = 1_024

export interface ProofKey extends ProofSigner {
  /** SPKI, to be published. */
  readonly publicKeyPem: string
}

/** Reads the key, or makes it the first time. @throws OperationError (exit 2) for a file that is no such key */
export async function deskProofKey(file: string): Promise<ProofKey> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) await makeKey(file)
  const found = lstatSync(file)
  if (!found.isFile() || found.size > MOST_KEY_BYTES) throw notAKey(file)
  const key = readKey(file)
  return { ...publicFacts(createPublicKey(key), 'EdDSA'), signBytes: async (bytes) => sign(null, bytes, key) }
}

async function makeKey(file: string): Promise<void> {
  const { privateKeyPem } = await makeSigningPair('EdDSA')
  DURABLE.makeFolder(path.dirname(file))
  try {
    DURABLE.create(file, privateKeyPem)
  } catch (error) {
    // Another command has made it meanwhile, and its key counts.
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}

function readKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file, 'utf8'))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    // The message of a parse error may quote the file.
    if (systemCodeOf(error)?.startsWith('E') === true && systemCodeOf(error)?.startsWith('ERR_') === false) throw error
  }
  throw notAKey(file)
}

function notAKey(file: string): OperationError {
  return new OperationError({
    exitCode: ExitCode.Usage,
    code: 'state_unusable',
    message: advice`${option('state')}: ${file}: expected a private key of Ed25519 in PEM; got something else`,
    next: 'put the key back from a copy; without one, move the file away: the next proof makes another key, which must be published again',
  })
}

/** The key that people make once for a deployment, as docs/runbook.md says. */
export function proofKeyAlias(environment: string | undefined): string {
  return `alias/${deployedName('sluice-proof', environment)}`
}

/** @throws OperationError (exit 1) where KMS does not give its public half */
export async function kmsProofKey(keyId: string, client: KMSClient = kmsClient()): Promise<ProofKey> {
  const key = await kmsPublicKey(keyId, client).catch((error: unknown) => {
    throw noKmsKey(keyId, error instanceof Error ? error.message : String(error))
  })
  const alg = ALGORITHMS.get(key.asymmetricKeyType ?? '')
  if (alg === undefined) throw noKmsKey(keyId, 'it is neither of Ed25519 nor of RSA')
  const signBytes = kmsSignBytes({ keyId, alg, client })
  return {
    ...publicFacts(key, alg),
    signBytes: (bytes) =>
      signBytes(bytes).catch((error: unknown) => {
        throw error instanceof KeyFault ? noKmsKey(keyId, error.message) : error
      }),
  }
}

const ALGORITHMS: ReadonlyMap<string, KeyAlgorithm> = new Map([
  ['ed25519', 'EdDSA'],
  ['rsa', 'RS256'],
])

function publicFacts(key: KeyObject, alg: KeyAlgorithm): Omit<ProofKey, 'signBytes'> {
  const jwk = publicJwkOf(key.export({ format: 'jwk' }), alg)
  return { alg, jwk, publicKeyPem: key.export({ type: 'spki', format: 'pem' }).toString() }
}

function noKmsKey(keyId: string, why: string): OperationError {
  return failedWith(
    'refused',
    `the key of the proofs, ${keyId}, cannot be used (${why})`,
    'make it as docs/runbook.md, "Proving a run to others", says, and let these credentials use it (kms:GetPublicKey, kms:Sign)',
  )
}
