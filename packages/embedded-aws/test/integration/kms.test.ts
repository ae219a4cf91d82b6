// Tests the embedded KMS through the client of the SDK.

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { DescribeKeyCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedJournal } from '../../embedded-journal.ts'
import type { EndpointAccess } from '../../endpoint/credentials.ts'
import { TABLE, temporaryDirectory } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'

const ED_ARN = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const RSA_ALIAS = 'alias/team/rsa'
const Message = Buffer.from('header.payload')

let kmsKeys: Record<string, string>
beforeAll(() => {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  kmsKeys = {
    [ED_ARN]: generateKeyPairSync('ed25519').privateKey.export(pem).toString(),
    [RSA_ALIAS]: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem).toString(),
  }
})

async function start(): Promise<KMSClient> {
  const { credentials, endpointUrl: endpoint, region } = await boot({}, { kmsKeys })
  const client = new KMSClient({ endpoint, region, maxAttempts: 1, credentials })
  onTestFinished(() => client.destroy())
  return client
}

describe.each([
  ['an Ed25519 key by its ARN', ED_ARN, 'ED25519_SHA_512', 'ECC_NIST_EDWARDS25519', null],
  ['an RSA key by its alias', RSA_ALIAS, 'RSASSA_PKCS1_V1_5_SHA_256', 'RSA_2048', 'sha256'],
] as const)('%s', (_name, KeyId, SigningAlgorithm, KeySpec, digest) => {
  test('signs, and its public key verifies the signature', async () => {
    const client = await start()
    const { Signature = Buffer.alloc(0) } = await client.send(new SignCommand({ KeyId, Message, SigningAlgorithm }))
    const known = await client.send(new GetPublicKeyCommand({ KeyId }))
    expect(known).toMatchObject({
      ...{ KeySpec, CustomerMasterKeySpec: KeySpec, KeyUsage: 'SIGN_VERIFY' },
      SigningAlgorithms: [SigningAlgorithm],
    })
    const key = createPublicKey({ key: Buffer.from(known.PublicKey ?? []), format: 'der', type: 'spki' })
    expect(verify(digest, Message, key, Signature)).toBe(true)
  })

  test('is described', async () => {
    const { KeyMetadata } = await (await start()).send(new DescribeKeyCommand({ KeyId }))
    expect(KeyMetadata).toMatchObject({
      KeySpec,
      KeyState: 'Enabled',
      Arn: expect.stringMatching(/^arn:aws:kms:.*key\//),
    })
  })
})

test.each([
  ['an unknown key', { KeyId: 'alias/other' }, 'NotFoundException'],
  [
    'an algorithm of another kind of key',
    { SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' },
    'InvalidKeyUsageException',
  ],
  ['a digest', { MessageType: 'DIGEST' }, 'ValidationException'],
  ['more than 4,096 bytes', { Message: Buffer.alloc(4097) }, 'ValidationException'],
])('refuses %s', async (_name, changed, name) => {
  const request = { KeyId: ED_ARN, Message, SigningAlgorithm: 'ED25519_SHA_512', ...changed } as const
  await expect((await start()).send(new SignCommand(request as never))).rejects.toMatchObject({ name })
})

const ALIAS = 'alias/team/decisions'
const keyOfType = (KeySpec: string) => ({ Type: 'AWS::KMS::Key', Properties: { KeySpec, KeyUsage: 'SIGN_VERIFY' } })
const aliasOf = (AliasName: string, key: string) => ({
  Type: 'AWS::KMS::Alias',
  Properties: { AliasName, TargetKeyId: { 'Fn::GetAtt': [key, 'Arn'] } },
})

test('a key of Ed25519 of the assembly is made once, and its owner alone can read its file', async () => {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  const resources = {
    ...{ Table: TABLE, Ed: keyOfType('ECC_NIST_EDWARDS25519'), Curve: keyOfType('ECC_NIST_P256') },
    ...{ Alias: aliasOf(ALIAS, 'Ed'), Other: aliasOf('alias/curve', 'Curve') },
  }
  const publicKeyAt = async ({ endpointUrl: endpoint, region, credentials }: EndpointAccess, KeyId = ALIAS) => {
    const client = new KMSClient({ endpoint, region, maxAttempts: 1, credentials })
    return client.send(new GetPublicKeyCommand({ KeyId })).finally(() => client.destroy())
  }
  const aws = await boot({ resources }, { stateDir: directory })
  const { PublicKey: made } = await publicKeyAt(aws)
  await expect(publicKeyAt(aws, 'alias/curve')).rejects.toMatchObject({ name: 'NotFoundException' })
  expect(statSync(path.join(directory, 'kms.json')).mode & 0o777).toBe(0o600)
  await aws.stop()
  const journal = await startEmbeddedJournal(directory, { signingKeys: [ALIAS] })
  if (journal === undefined) throw new Error('no journal')
  expect((await publicKeyAt(journal)).PublicKey).toEqual(made)
  await journal.stop()
})

test('refuses to boot with an unsupported key, and the error does not contain the key', async () => {
  await expect(boot({}, { kmsKeys: { 'alias/a': 'canary' } })).rejects.toThrow(/^KMS key alias\/a: expected a private/)
  await expect(boot({}, { kmsKeys: { 'key-1': 'canary' } })).rejects.toThrow(/expected the ARN of a key, or alias/)
  const curve = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await expect(boot({}, { kmsKeys: { 'alias/a': curve } })).rejects.toThrow(/expected an Ed25519 key, or an RSA key/)
})
