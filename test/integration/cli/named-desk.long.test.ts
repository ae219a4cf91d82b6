// The desk of a named service, with one key for everything: every kind of run works beside it, whatever it was started for.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startForTest } from './command-line.ts'
import { useCommands } from './commands.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const payment = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }

const { file, write, place } = useCommands({ policies }, 'test')
let service: SandboxBeside
beforeEach(async () => {
  service = await startSandboxBeside()
  write('keys.json', service.keys)
  write('buy.json', purchase)
  write('send.json', payment)
})
afterEach(() => service.stop())

const at = () => ['--service', service.baseUrl]
const where = () => [...place(), ...at(), '--keys', file('keys.json')]
const start = (...words: string[]) => startForTest([...words, ...where()])

test('a withdrawal beside a conversion that has started the desk goes through it without waiting', async () => {
  // The first command makes the journal, so that it can be halted.
  expect(await runInProcess(['plan', 'core', ...where()])).toMatchObject({ exitCode: 0 })
  expect(await runInProcess(['halt', '--by', 'ada', ...place(), ...at()])).toMatchObject({ exitCode: 0 })
  const converting = start('run', 'convert', file('buy.json'), '--id', 'bought')
  await converting.seen(/halted/)
  const sending = start('run', 'withdraw', file('send.json'), '--id', 'sent')
  await sending.seen(/halted/)
  expect(await runInProcess(['resume', '--by', 'ada', ...place(), ...at()])).toMatchObject({ exitCode: 0 })
  expect(await converting.ended).toMatchObject({ exitCode: 0 })
  const { exitCode, stderr } = await sending.ended
  expect({ exitCode, waited: stderr.includes('is in use by process') }).toEqual({ exitCode: 0, waited: false })
})

test('a serve for policies that convert lets a withdrawal go through it as well', async () => {
  await start('serve').firstLine
  const { exitCode, stderr } = await runInProcess(['run', 'withdraw', file('send.json'), '--id', 'sent', ...where()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(await service.withdrawalIds()).toHaveLength(1)
})
