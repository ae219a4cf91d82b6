// The line of packages/service-sandbox/README.md that starts the sandbox, run in a shell as it stands there but for the names of files and
// the port: what it writes is JSON and nothing else, and the key is for its owner only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'

const text = readFileSync('packages/service-sandbox/README.md', 'utf8')
const ROOT = path.resolve(import.meta.dirname, '../../../..')

test('the line that starts it writes a file of JSON and a key', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sandbox-readme-'))
  const [file, keys] = [path.join(dir, 'sandbox.json'), path.join(dir, 'keys.json')]
  const [line = expect.fail('README starts no sandbox')] = /^npm run .*> sandbox\.json &$/m.exec(text) ?? []
  const command = line.replace(/ &$/, '').replace('4010', '0').replace('keys.json', keys).replace('sandbox.json', file)
  // A group of its own, because npm passes a signal on to its shell and no further.
  const child = spawn('sh', ['-c', command], { cwd: ROOT, stdio: 'ignore', detached: true })
  const ended = once(child, 'close')
  try {
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/\n$/), { timeout: 100_000, interval: 100 })
    const told = JSON.parse(readFileSync(file, 'utf8'))
    expect(told).toMatchObject({ baseUrl: expect.stringMatching(/^http:/), keys: { full: { alg: 'EdDSA' } } })
    const { alg, privateKeyPem, secret } = told.keys.full
    expect(JSON.parse(readFileSync(keys, 'utf8'))).toEqual({ alg, privateKeyPem, secret })
    expect(statSync(keys).mode & 0o777).toBe(0o600)
  } finally {
    process.kill(-(child.pid ?? expect.fail('it did not start')), 'SIGTERM')
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
})
