// The contract suite can judge a service at any address, and moves nothing there without permission.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startSandbox } from '@sluice/service-sandbox'
import { expect, it, onTestFinished } from 'vitest'

const MAIN = path.resolve(import.meta.dirname, '../../contract/main.ts')

async function runContract(args: readonly string[]): Promise<{ exitCode: number | null; text: string }> {
  // The child must not inherit the variables of this test run.
  const { VITEST: _vitest, SLUICE_TEST_REPORTS: _reports, SLUICE_TESTS: _tests, ...env } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, text }
}

it('the contract suite passes at an address whose contacts have no alias, and moves nothing there without permission', async () => {
  const sandbox = await startSandbox()
  const rule = {
    match: { method: 'PATCH', path: '/v2/contacts/*', times: 1 },
    fault: { kind: 'errorBeforeCommit', status: 400, code: 'validation_error' },
  }
  await fetch(`${sandbox.controlUrl}/rules`, { method: 'POST', body: JSON.stringify(rule) })
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-contract-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await sandbox.stop()
  })
  const keys = path.join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify(sandbox.keys.full), { mode: 0o600 })
  const { exitCode, text } = await runContract(['--service', sandbox.baseUrl, '--keys', keys])
  expect(text).toContain('no money is moved')
  expect(exitCode, text).toBe(0)
  const oracle = (await (await fetch(`${sandbox.controlUrl}/oracle`)).json()) as {
    movements: unknown[]
    requests: unknown[]
  }
  expect(oracle.movements).toEqual([])
  expect(oracle.requests.length).toBeGreaterThan(50)
  expect(text).not.toContain(sandbox.keys.full.secret)
})

it.each([
  [['--servce', 'x'], '--servce'],
  [['--service', 'http://127.0.0.1:1'], 'go together'],
  [['--allow-moves'], 'go together'],
])('%j is wrong usage, with a message', async (args, said) => {
  const { exitCode, text } = await runContract(args)
  expect([exitCode, text.includes(said)]).toEqual([2, true])
})
