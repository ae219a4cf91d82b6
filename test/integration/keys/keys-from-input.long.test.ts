// Keys from standard input: runs sign with them, and no file of the state directory contains them, even if an earlier
// run had them from a file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startSandbox } from '@sluice/service-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { sluice } from '../cli/command-line.ts'
import { storedKey } from './key-commands.ts'

const BUY = '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"USDC","amount":"25"}'

test('no key of --keys - stays on disk after a run', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-input-'))
  const sandbox = await startSandbox()
  onTestFinished(async () => {
    await sandbox.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const state = path.join(directory, 'state')
  const [input, keyFile] = ['convert.json', 'key.json'].map((name) => path.join(directory, name)) as [string, string]
  const stdin = storedKey(sandbox.keys.full)
  writeFileSync(input, BUY)
  writeFileSync(keyFile, stdin, { mode: 0o600 })
  const place = ['--service', sandbox.baseUrl, '--state', state]
  const run = (id: string, keys: string) =>
    sluice(['run', 'convert', '--input', input, '--keys', keys, '--id', id, ...place], { stdin })
  const { privateKeyPem, secret } = sandbox.keys.full
  const [, half = ''] = privateKeyPem.split('\n')
  const filesWithKeys = () =>
    readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const file = path.join(state, name)
      const text = statSync(file).isFile() ? readFileSync(file, 'latin1') : ''
      return text.includes(secret) || text.includes(half)
    })

  expect(await run('by-file', keyFile)).toMatchObject({ exitCode: 0 })
  expect(filesWithKeys()).toEqual(['service/aws/secrets.json'])
  expect(await run('by-input', '-')).toMatchObject({ exitCode: 0 })
  expect(filesWithKeys()).toEqual([])
  const refused = await sluice(['keys', 'generate', '--embedded', ...place])
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(/next: .*sluice serve --state .*--keys/)
  expect(await run('by-input-again', '-')).toMatchObject({ exitCode: 0 })
  expect(filesWithKeys()).toEqual([])
})
