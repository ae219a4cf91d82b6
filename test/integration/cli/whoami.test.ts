// Tests `sluice whoami` at the sandbox: one key for everything, a key for each role, and refused keys.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { startSandbox } from '@sluice/service-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { answerProblem, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const dir = folderOfFile()

function keyFile(material: unknown): string {
  const file = path.join(dir, 'keys.json')
  writeFileSync(file, JSON.stringify(material), { mode: 0o600 })
  return file
}

test('the built-in sandbox is shown with its account and its key', async () => {
  const state = path.join(dir, 'state')
  const { exitCode, stdout } = await runInProcess(['whoami', '--state', state, '--json'])
  const shown = JSON.parse(stdout)
  expect(exitCode).toBe(0)
  expect(shown).toMatchObject({ environment: 'built-in sandbox', stage: 'test', stateDir: state, unusable: [] })
  expect(shown.holder).toMatchObject({ username: expect.any(String), preferredCurrency: 'EUR' })
  expect(shown.holder).not.toHaveProperty('id')
  expect(shown.keys).toMatchObject([
    {
      roles: ['read', 'trade', 'transfer'],
      signsWith: 'EdDSA',
      account: shown.account,
      missingScopes: [],
      endsAt: null,
    },
  ])
})

test('a key is shown with its scopes, and those that it lacks for its roles', async () => {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.stop())
  const { secret, privateKeyPem, alg } = sandbox.keys.readonly
  const keys = keyFile({ secret, privateKeyPem, alg })
  const { exitCode, stdout } = await runInProcess(['whoami', '--service', sandbox.baseUrl, '--keys', keys, '--json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    environment: 'service',
    service: sandbox.baseUrl,
    keys: [{ missingScopes: ['trading:write'], scopes: expect.arrayContaining(['accounts:read']), refused: null }],
  })
})

test("an expired key is shown with the service's answer, with exit 1", async () => {
  const detail = 'The secret ended at 2026-01-31T09:00:00Z.'
  const server = await startLocalServer((_, response) => answerProblem(response, 401, 'key_expired', { detail }))
  onTestFinished(() => server.stop())
  const { secret, privateKeyPem } = makeKey('ENDED')
  const keys = keyFile({ secret, privateKeyPem, alg: 'EdDSA' })
  const { exitCode, stdout } = await runInProcess(['whoami', '--service', server.baseUrl, '--keys', keys])
  expect(exitCode).toBe(1)
  expect(stdout).toContain(detail)
  expect(stdout).not.toContain(secret)
})

test('a service that does not answer is exit 1', async () => {
  const { material } = makeKey('NOBODY')
  writeFileSync(path.join(dir, 'keys.json'), material, { mode: 0o600 })
  const nobody = ['--service', 'http://127.0.0.1:9', '--keys', path.join(dir, 'keys.json')]
  const { exitCode, stdout, stderr } = await runInProcess(['whoami', ...nobody])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain('no answer')
})

test('a key file without a usable key is exit 1', async () => {
  const keys = keyFile({ secret: 'svc_test_tooshort', privateKeyPem: '', alg: 'EdDSA' })
  const at = ['--service', 'http://127.0.0.1:9', '--keys', keys, '--state', path.join(dir, 'none')]
  const { exitCode, stderr } = await runInProcess(['whoami', ...at])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('not usable: key to read'),
  })
})

test('whoami and doctor show a halt, and also that nothing is halted', async () => {
  const state = path.join(dir, 'halted')
  await makeKeptJournal(builtInFolder(state).awsDir, async () => undefined)
  const run = (...words: string[]) => runInProcess([...words, '--state', state])
  expect(JSON.parse((await run('whoami', '--json')).stdout)).toMatchObject({ halts: [] })
  expect((await run('setup', 'doctor')).stdout).toMatch(/^ok +halts +nothing is halted$/m)
  await run('halt', '--by', 'ada', '--because', 'an audit')
  const { exitCode, stderr } = await run('whoami')
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/halted: everything, by ada \(not verified\)/),
  })
  expect(JSON.parse((await run('whoami', '--json')).stdout)).toMatchObject({
    halts: [{ scope: '*', by: 'ada (not verified)' }],
  })
  expect((await run('setup', 'doctor')).stdout).toMatch(
    /^warn +halts +halted: everything, by ada \(not verified\) since .*: an audit; .*sluice resume/m,
  )
})
