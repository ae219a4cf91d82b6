// Tests the line that the sandbox prints when it is ready, and its key file.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysText, readyLine, writeKeys } from '../../ready.ts'
import { type Sandbox, startSandbox } from '../../service/sandbox.ts'

let dir: string
let sandbox: Sandbox
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sandbox-ready-'))
  sandbox = await startSandbox({})
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('a program gets every key, a terminal only their prefixes', () => {
  const { baseUrl, contacts, controlUrl, keys } = sandbox
  expect(JSON.parse(readyLine(sandbox, false))).toEqual({ baseUrl, contacts, controlUrl, keys })
  const shown = readyLine(sandbox, true)
  expect(JSON.parse(shown)).toMatchObject({ baseUrl, controlUrl, keys: { full: { prefix: keys.full.prefix } } })
  expect(shown).not.toMatch(/PRIVATE/)
  for (const { secret } of Object.values(keys)) expect(shown).not.toContain(secret)
  expect(keysText(undefined)).toContain('--keys-out')
})

test('the key file holds the full key, for its owner only, even where others could read an earlier file', () => {
  const file = path.join(dir, 'keys.json')
  writeFileSync(file, 'an earlier file', { mode: 0o644 })
  writeKeys(file, sandbox)
  const { alg, privateKeyPem, secret } = sandbox.keys.full
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ alg, privateKeyPem, secret })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
