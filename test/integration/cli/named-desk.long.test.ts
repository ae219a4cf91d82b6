// The desk of a named service, with one key for everything: every kind of run works beside it, whatever it was started for.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const payment = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }

let dir: string
let service: SandboxBeside
let started: Running[]
beforeEach(async () => {
  dir = temporaryFolder()
  started = []
  service = await startSandboxBeside()
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, policies }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'keys.json'), service.keys, { mode: 0o600 })
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
  writeFileSync(path.join(dir, 'send.json'), JSON.stringify(payment))
})
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
  await service.stop()
})

const place = () => ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
const at = () => ['--service', service.baseUrl]
const where = () => [...place(), ...at(), '--keys', path.join(dir, 'keys.json')]
const start = (...words: string[]) => {
  const running = startSluice([...words, ...where()])
  started.push(running)
  return running
}
const given = (file: string) => path.join(dir, file)

test('a withdrawal beside a conversion that has started the desk goes through it without waiting', async () => {
  // The first command makes the journal, so that it can be halted.
  expect(await runInProcess(['plan', 'core', ...where()])).toMatchObject({ exitCode: 0 })
  expect(await runInProcess(['halt', '--by', 'ada', ...place(), ...at()])).toMatchObject({ exitCode: 0 })
  const converting = start('run', 'convert', given('buy.json'), '--id', 'bought')
  await converting.seen(/halted/)
  const sending = start('run', 'withdraw', given('send.json'), '--id', 'sent')
  await sending.seen(/halted/)
  expect(await runInProcess(['resume', '--by', 'ada', ...place(), ...at()])).toMatchObject({ exitCode: 0 })
  expect(await converting.ended).toMatchObject({ exitCode: 0 })
  const { exitCode, stderr } = await sending.ended
  expect({ exitCode, waited: stderr.includes('is in use by process') }).toEqual({ exitCode: 0, waited: false })
})

test('a serve for policies that convert lets a withdrawal go through it as well', async () => {
  await start('serve').firstLine
  const { exitCode, stderr } = await runInProcess(['run', 'withdraw', given('send.json'), '--id', 'sent', ...where()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(await service.withdrawalIds()).toHaveLength(1)
})
