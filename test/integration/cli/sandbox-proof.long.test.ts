// Proofs of the movements of a separately started sandbox, which a command reaches by its address like any service.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLocalServer } from '../../helpers/local-server.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }

let service: ArrangedService
let stateDir: string
beforeAll(async () => {
  service = await startArrangedService('sandbox proof')
  stateDir = path.join(service.dir, 'state')
  const input = path.join(service.dir, 'buy.json')
  writeFileSync(input, JSON.stringify(BUY))
  const flags = ['--input', input, '--id', 'buy-1', '--state', stateDir, ...service.flags()]
  const { exitCode, stderr } = await runInProcess(['run', 'convert', ...flags])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
})
afterAll(() => service.stop())

const shown = async (url: string) => {
  const { stdout } = await runInProcess([
    'proof',
    'make',
    '--public-key',
    '--state',
    stateDir,
    '--service',
    url,
    '--json',
  ])
  return JSON.parse(stdout)
}

test('a proof says play money, and is signed by the key of sandboxes', async () => {
  const file = path.join(service.dir, 'buy.proof')
  const proven = await runInProcess([
    'proof',
    'make',
    'buy-1',
    '--state',
    stateDir,
    '--out',
    file,
    '--json',
    ...service.flags(),
  ])
  expect({ exitCode: proven.exitCode, stderr: proven.stderr }).toMatchObject({ exitCode: 0 })
  const { statement, thumbprint } = JSON.parse(proven.stdout)
  expect(statement.from).toMatchObject({ money: 'play money', service: service.sandbox.baseUrl })
  const { stdout } = await runInProcess(['proof', 'check', file])
  expect(stdout).toMatch(/^play money, of the sandbox at http:\/\/127\.0\.0\.1:/)
  expect(await shown(service.sandbox.baseUrl)).toMatchObject({ money: 'play money', thumbprint })
})

test('a service that does not call itself a sandbox has the key of the account, on this machine as well', async () => {
  const other = await startLocalServer((_request, response) => response.writeHead(401, { server: 'gateway' }).end())
  const { thumbprint } = await shown(service.sandbox.baseUrl)
  const own = await shown(other.baseUrl)
  await other.stop()
  expect(own.money).toBe('that of the account')
  expect(own.thumbprint).not.toBe(thumbprint)
})

test('only an address of this machine is asked, because a sandbox listens nowhere else', async () => {
  expect((await shown('https://api.example.invalid')).money).toBe('that of the account')
})

test('where nothing answers, no key is shown', async () => {
  const gone = await startLocalServer((_request, response) => response.end())
  await gone.stop()
  const flags = ['--public-key', '--state', stateDir, '--service', gone.baseUrl]
  expect(await runInProcess(['proof', 'make', ...flags])).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('nothing answers there'),
  })
})
