// Tests the keys of proofs: a desk's own key in its state directory, and a key in a KMS that answers over a real
// socket.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { kmsClient } from '../../../../core/keys/kms-signer.ts'
import { openPack, sealPack, thumbprintOf } from '../../../../operations/proof/pack-file.ts'
import { deskProofKey, kmsProofKey, proofKeyAlias } from '../../../../operations/proof/proof-key.ts'
import { proofKeyFile } from '../../../../place/state/state-layout.ts'
import { settingsOfAws } from '../../../helpers/aws-settings.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { type Respond, startLocalServer } from '../../../helpers/local-server.ts'

afterEach(() => vi.unstubAllEnvs())

function newDirectory(): string {
  const dir = temporaryFolder()
  return dir
}

const parts = [{ part: 'about', text: 'what is signed' }]

test('a desk makes its key once, readable by its owner only, and always signs with it', async () => {
  const dir = newDirectory()
  const [first, second] = await Promise.all([
    deskProofKey(proofKeyFile(dir, false)),
    deskProofKey(proofKeyFile(dir, false)),
  ])
  const again = await deskProofKey(proofKeyFile(dir, false))
  expect([second?.jwk, again.jwk]).toEqual([first?.jwk, first?.jwk])
  expect(statSync(proofKeyFile(dir, false)).mode & 0o777).toBe(0o600)
  const { thumbprint } = await openPack(await sealPack(parts, again))
  expect(thumbprint).toBe(thumbprintOf(again.jwk))
  expect(JSON.stringify(again)).not.toContain(readFileSync(proofKeyFile(dir, false), 'utf8').split('\n')[1])
})

test('another file is refused, and not quoted', async () => {
  const dir = newDirectory()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const text of ['', 'a secret of somebody', other, 'x'.repeat(100_000)]) {
    writeFileSync(proofKeyFile(dir, false), text)
    const error: unknown = await deskProofKey(proofKeyFile(dir, false)).catch((each: unknown) => each)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('expected a private key of Ed25519') })
    if (text !== '') expect(String(error)).not.toContain(text.slice(0, 40))
  }
})

async function kmsWith(respond: Respond) {
  const server = await startLocalServer(respond)
  settingsOfAws(server.baseUrl, { variables: ['AWS_ENDPOINT_URL_KMS'] })
  const client = kmsClient({ connectionTimeoutMs: 60_000, requestTimeoutMs: 60_000, attempts: 1 })
  onTestFinished(async () => {
    client.destroy()
    await server.stop()
  })
  return client
}

const answering =
  (publicKey: KeyObject, signed: (message: Buffer) => Buffer | undefined): Respond =>
  ({ headers, body }, response) => {
    const asked = JSON.parse(body.toString())
    const isSign = headers['x-amz-target'] === 'TrentService.Sign'
    const signature = isSign ? signed(Buffer.from(asked.Message, 'base64')) : undefined
    const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const isRefused = isSign && signature === undefined
    const answer = isSign ? { Signature: signature?.toString('base64') } : { PublicKey: der }
    response
      .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(isRefused ? { __type: 'AccessDeniedException' } : answer))
  }

test.each([
  ['ed25519', 'EdDSA', undefined],
  ['rsa', 'RS256', 'sha256'],
] as const)('a KMS key of %s signs a proof that opens as %s', async (type, alg, digest) => {
  const { privateKey, publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2_048 }) : generateKeyPairSync('ed25519')
  const client = await kmsWith(answering(publicKey, (message) => sign(digest ?? null, message, privateKey)))
  const key = await kmsProofKey('alias/sluice-proof', client)
  expect(key).toMatchObject({ alg, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) })
  const { parts: opened, thumbprint } = await openPack(await sealPack(parts, key))
  expect(opened.get('about')).toEqual(parts[0])
  expect(thumbprint).toBe(thumbprintOf(key.jwk))
})

test('a forbidden key, or one of another kind, is refused with its name and the requirement', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const denied = await kmsProofKey('alias/sluice-proof', await kmsWith(answering(publicKey, () => undefined)))
  await expect(sealPack(parts, denied)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/alias\/sluice-proof.*AccessDeniedException/),
    next: expect.stringContaining('kms:Sign'),
  })
  const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const client = await kmsWith(answering(other, () => undefined))
  await expect(kmsProofKey('alias/sluice-proof', client)).rejects.toMatchObject({ exitCode: 1 })
})

test('the key of an environment is named before its own name', () => {
  expect([proofKeyAlias(undefined), proofKeyAlias('live')]).toEqual(['alias/sluice-proof', 'alias/live-sluice-proof'])
})
