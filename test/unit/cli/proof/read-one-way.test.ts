// A part that two programs could read differently is refused in a proof, whoever signed it.
import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../../../helpers/folders.ts'
import { runInProcess } from '../run-in-process.ts'

const folder = folderOfFile()

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const jwk = publicKey.export({ format: 'jwk' })
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A complete, signed file with only this part. */
function sealed(part: Buffer): string {
  const contents = Buffer.from(JSON.stringify({ contents: [['about', part.length, hashOf(part)]] }))
  const header = JSON.stringify({ alg: 'EdDSA', typ: 'sluice-proof+jws', jwk })
  const payload = JSON.stringify({ format: 'sluice-proof/1', contents: hashOf(contents) })
  const signed = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.')
  const jws = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  const file = path.join(folder, 'proof')
  writeFileSync(file, Buffer.concat([part, contents, Buffer.from(jws)].flatMap((line) => [line, Buffer.from('\n')])))
  return file
}

function byScript(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['docs/verify-proof.mjs', file], (_error, _stdout, text) => resolve(text))
  })
}

const WORDS = 'a name twice'

test.each([
  ['a name twice', Buffer.from('{"part":"about","amount":"1","amount":"2"}')],
  ['a name twice, deep in it', Buffer.from('{"part":"about","rows":[{"amount":"1","amount":"2"}]}')],
  ['a name twice, once by an escape', Buffer.from('{"part":"about","amount":"1","\\u0061mount":"2"}')],
  ['a name of the language twice', Buffer.from('{"part":"about","__proto__":1,"__proto__":2}')],
  ['a number of more digits than are read', Buffer.from('{"part":"about","amount":0.10000000000000000001}')],
  ['a mark of byte order', Buffer.from('\ufeff{"part":"about"}')],
  ['spaces', Buffer.from('{"part": "about"}')],
])('%s is refused by the command and by the script', async (_what, part) => {
  const file = sealed(part)
  const { exitCode, stdout, stderr } = await runInProcess(['proof', 'check', file])
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining(WORDS) })
  expect(await byScript(file)).toMatch(/a name twice|Unexpected token/)
})

test('a part in canonical form is accepted', async () => {
  const file = sealed(Buffer.from('{"1":"one","part":"about","text":"\\ud800 é \u2028","__proto__":1}'))
  expect((await runInProcess(['proof', 'check', file])).stderr).not.toContain(WORDS)
  expect(await byScript(file)).not.toContain(WORDS)
})
