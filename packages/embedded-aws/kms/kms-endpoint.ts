// Answers the KMS API on the wire (AWS JSON 1.1): signs with the keys given at boot, and describes them. Does not
// create, change or list keys.
// Source: AWS KMS API Reference.
import { AwsError } from '../aws-error.ts'
import { type Endpoint, findText, type Permission, type RequestBody, textOf } from '../endpoint/endpoint.ts'
import type { KmsKey } from './kms-key.ts'

/** Maximum bytes that Sign accepts on AWS. Longer messages must be hashed first. */
const MOST_MESSAGE_BYTES = 4_096

export function kmsEndpoint(keys: readonly KmsKey[]): Endpoint {
  return {
    service: 'kms',
    targetPrefix: 'TrentService',
    contentType: 'application/x-amz-json-1.1',
    permissionsFor(name, body) {
      return Object.hasOwn(OPERATIONS, name) ? [permissionOf(name, textOf(body, 'KeyId'), keys)] : undefined
    },
    async perform(name, body) {
      const id = textOf(body, 'KeyId')
      const key = findKey(keys, id)
      if (key === undefined) throw new AwsError('NotFoundException', `Key or alias ${id} is not found.`)
      return OPERATIONS[name]?.(key, body)
    },
  }
}

/** Permissions are on keys, never on aliases. A condition may test the alias that named a key. */
function permissionOf(name: string, id: string, keys: readonly KmsKey[]): Permission {
  const alias = aliasOf(id)
  return {
    action: `kms:${name}`,
    resource: findKey(keys, id)?.arn ?? id,
    ...(alias !== undefined && { conditions: { 'kms:requestalias': alias } }),
  }
}

function findKey(keys: readonly KmsKey[], id: string): KmsKey | undefined {
  const alias = aliasOf(id)
  return keys.find((key) => (alias === undefined ? key.arn === id || key.keyId === id : key.alias === alias))
}

/** Returns `alias/NAME` from an alias or from an alias's ARN. */
function aliasOf(id: string): string | undefined {
  return /^(?:arn:[^/]*:)?(alias\/.+)$/.exec(id)?.[1]
}

const OPERATIONS: Readonly<Record<string, (key: KmsKey, body: RequestBody) => unknown>> = {
  Sign(key, body) {
    const algorithm = textOf(body, 'SigningAlgorithm')
    const message = bytesOf(body, 'Message')
    if (message.length === 0 || message.length > MOST_MESSAGE_BYTES) {
      throw new AwsError('ValidationException', `Message must have from 1 to ${MOST_MESSAGE_BYTES} bytes`)
    }
    if (!key.signingAlgorithms.includes(algorithm)) {
      throw new AwsError('InvalidKeyUsageException', `${algorithm} is not valid for a key of the spec ${key.spec}.`)
    }
    if ((findText(body, 'MessageType') ?? 'RAW') !== 'RAW') {
      throw new AwsError('ValidationException', 'The embedded AWS signs messages of the type RAW only')
    }
    const signature = key.sign(algorithm, message).toString('base64')
    return { KeyId: key.arn, Signature: signature, SigningAlgorithm: algorithm }
  },
  GetPublicKey: (key) => ({
    ...factsOf(key),
    KeyId: key.arn,
    PublicKey: key.publicKey.toString('base64'),
  }),
  DescribeKey: (key) => ({
    KeyMetadata: { ...factsOf(key), KeyId: key.keyId, Arn: key.arn, Enabled: true, KeyState: 'Enabled' },
  }),
}

function factsOf({ spec, signingAlgorithms }: KmsKey) {
  // AWS still answers under the former name of the specification too.
  return {
    KeySpec: spec,
    CustomerMasterKeySpec: spec,
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: signingAlgorithms,
  }
}

function bytesOf(body: RequestBody, name: string): Buffer {
  return Buffer.from(textOf(body, name), 'base64')
}
