// Tests Ctrl-C of a run beside a desk. A begun run continues with the serving process, and the command says so and
// ends. A run that was not begun is not begun afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startForTest } from './command-line.ts'
import { useCommands } from './commands.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
/** Longer than the longest fence of the default timing. */
const SETTLED_MS = 600_000

const { file, write } = useCommands({}, 'test')
let service: SandboxBeside
beforeEach(async () => {
  service = await startSandboxBeside()
  write('buy.json', purchase)
  write('other.json', { ...purchase, amount: '0.7' })
  write('keys.json', service.keys)
})
afterEach(() => service.stop())

const where = (state = 'state') => [
  ...['--state', file(state), '--config', file('treasury.json')],
  ...['--service', service.baseUrl, '--keys', file('keys.json')],
]
const start = (...words: string[]) => startForTest(words)
const buy = (id: string, input = 'buy.json') => ['run', 'convert', file(input), '--id', id]

test('a run that is interrupted beside a desk ends, and says that the desk continues it', async () => {
  const serving = start('serve', ...where())
  await serving.firstLine
  const by = ['--by', 'ada', '--because', 'a test', ...where().slice(0, 6)]
  expect((await runInProcess(['halt', ...by])).exitCode).toBe(0)
  const held = start(...buy('held'), ...where())
  await held.seen(/halted/)
  held.child.kill('SIGINT')
  const { exitCode, stderr } = await held.ended
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 130 })
  expect(stderr).toContain(`continues without this command, in process ${serving.child.pid} (serve)`)
})

test.each(['beside a desk', 'by itself'])(
  'a run %s that is interrupted while it waits to be sure of a new directory starts nothing any more',
  async (way) => {
    expect(await runInProcess([...buy('elsewhere', 'other.json'), ...where('other')])).toMatchObject({ exitCode: 0 })
    const before = await service.orderIds()
    if (way === 'beside a desk') await start('serve', ...where()).firstLine
    const waiting = start(...buy('new'), ...where())
    await waiting.seen(/waiting +this directory is new, and the account is or may be in use/)
    waiting.child.kill('SIGINT')
    await waiting.seen(/interrupted/)
    await service.advance(SETTLED_MS)
    expect(await waiting.ended).toMatchObject({ exitCode: 130 })
    // The next command that may move money would carry out any started run.
    const next = await runInProcess([...buy('after'), ...where()])
    expect(next).toMatchObject({ exitCode: 0 })
    expect(await service.orderIds()).toEqual([...before, JSON.parse(next.stdout).orderId])
  },
)
