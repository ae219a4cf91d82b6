// A rotation on one machine, with the command line as a person uses it: runs in a state directory, and a sandbox.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startSandbox } from '@sluice/service-sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { sluice } from '../cli/command-line.ts'
import { control, storedKey } from './key-commands.ts'

const BUY = '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"USDC","amount":"25"}'

test('after it a run signs with the promoted key, even if it is given another key file', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-rehearsal-'))
  const sandbox = await startSandbox()
  onTestFinished(async () => {
    await sandbox.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const file = (name: string, text: string) => {
    writeFileSync(path.join(directory, name), text, { mode: 0o600 })
    return path.join(directory, name)
  }
  const place = ['--service', sandbox.baseUrl, '--state', path.join(directory, 'state')]
  const run = (id: string) => sluice(['run', 'convert', '--input', input, '--keys', keyFile, '--id', id, ...place])
  const keys = (...argv: string[]) => sluice(['keys', ...argv, '--embedded', ...place])
  const input = file('convert.json', BUY)
  const keyFile = file('key.json', storedKey(sandbox.keys.full))

  expect(await run('before')).toMatchObject({ exitCode: 0 })
  const { exitCode, stdout: publicKeyPem } = await keys('generate')
  expect(exitCode).toBe(0)
  const signingKeys = { do: 'addSigningKey', publicKeyPem }
  const shown = await control<{ signingKeys: { id: string }[] }>(sandbox, '/keys/full', signingKeys)
  expect(await keys('verify')).toMatchObject({ exitCode: 0 })
  expect(await keys('promote')).toMatchObject({ exitCode: 0 })
  await control(sandbox, '/keys/full', { do: 'revokeSigningKey', signingKeyId: shown.signingKeys[0]?.id })

  const after = await run('after')
  expect(JSON.parse(after.stdout)).toMatchObject({ outcome: 'FILLED', attempts: 1 })
})
