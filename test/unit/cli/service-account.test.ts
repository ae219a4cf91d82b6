import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertSameAccount, findAccountId } from '../../../cli/service-account.ts'
import { systemClock } from '../../../functions/shared/clock.ts'
import { parseKeyMaterial } from '../../../functions/shared/keys/key-material.ts'
import { startSandbox } from '../../../sandbox/service/sandbox.ts'

let dir: string
let accountFile: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-account-'))
  accountFile = path.join(dir, 'service', 'account')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a folder is used with one account, whichever of its keys', () => {
  assertSameAccount(accountFile, 'account-1')
  assertSameAccount(accountFile, 'account-1')
  expect(() => assertSameAccount(accountFile, 'account-2')).toThrow(
    `--keys: these are keys of another account than the runs kept in ${path.join(dir, 'service')}; nothing was sent`,
  )
  assertSameAccount(accountFile, 'account-1')
})

test('the account is kept as a digest', () => {
  assertSameAccount(accountFile, 'account-1')
  expect(readFileSync(accountFile, 'utf8')).toMatch(/^[0-9a-f]{64}$/)
})

test('a key that may not read its account is used, and changes nothing of what is known', () => {
  assertSameAccount(accountFile, 'account-1')
  assertSameAccount(accountFile, undefined)
  expect(() => assertSameAccount(accountFile, 'account-2')).toThrow(/another account/)
})

test('all keys of one account name the same account', async () => {
  const sandbox = await startSandbox()
  try {
    const { full, readonly } = sandbox.keys
    const ids = [full, readonly].map(({ secret }) => {
      const key = parseKeyMaterial(JSON.stringify({ secret }), { stage: 'test', role: 'read' })
      return findAccountId(sandbox.baseUrl, key, systemClock)
    })
    const [first, second] = await Promise.all(ids)
    expect(first).toEqual(expect.any(String))
    expect(second).toBe(first)
  } finally {
    await sandbox.stop()
  }
})

const privateKeyPem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
const key = parseKeyMaterial(JSON.stringify({ secret: `svc_test_${'a'.repeat(38)}`, privateKeyPem }), {
  stage: 'test',
  role: 'read',
})

test.each([
  [403, { code: 'insufficient_scope', retryable: false }, undefined],
  [503, { code: 'maintenance', retryable: true }, { exitCode: 1, code: 'unreachable' }],
])('an answer of %i to the question for the account is told apart', async (status, problem, failure) => {
  const server = createServer((_request, response) => {
    const body = { type: `about:${problem.code}`, title: 'a problem', status, ...problem }
    response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const asked = findAccountId(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, key, systemClock)
    if (failure === undefined) await expect(asked).resolves.toBeUndefined()
    else await expect(asked).rejects.toMatchObject(failure)
  } finally {
    server.close()
  }
})
