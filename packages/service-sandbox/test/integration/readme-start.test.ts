// Runs the README's start line in a shell, with only the file names and the port replaced. It writes JSON and nothing
// else, and a key that only its owner can read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'

const text = readFileSync('packages/service-sandbox/README.md', 'utf8')
const ROOT = path.resolve(import.meta.dirname, '../../../..')

test('the start line writes a JSON file and a key', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sandbox-readme-'))
  const [file, keys] = [path.join(dir, 'sandbox.json'), path.join(dir, 'keys.json')]
  const [line = expect.fail('README starts no sandbox')] = /^npm run .*> sandbox\.json &$/m.exec(text) ?? []
  const command = line.replace(/ &$/, '').replace('4010', '0').replace('keys.json', keys).replace('sandbox.json', file)
  // A process group of its own, because npm passes a signal to its shell and no further.
  const child = spawn('sh', ['-c', command], { cwd: ROOT, stdio: 'ignore', detached: true })
  const ended = once(child, 'close')
  try {
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/\n$/), { timeout: 100_000, interval: 100 })
    const ready = JSON.parse(readFileSync(file, 'utf8'))
    expect(ready).toMatchObject({ baseUrl: expect.stringMatching(/^http:/), keys: { full: { alg: 'EdDSA' } } })
    const { alg, privateKeyPem, secret } = ready.keys.full
    expect(JSON.parse(readFileSync(keys, 'utf8'))).toEqual({ alg, privateKeyPem, secret })
    expect(statSync(keys).mode & 0o777).toBe(0o600)
  } finally {
    process.kill(-(child.pid ?? expect.fail('it did not start')), 'SIGTERM')
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
})
