// The serving process is suspended, as by Ctrl-Z: it is alive, and does not answer. Each command beside it ends with advice,
// and works again after the process continues.
import { beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startForTest } from './command-line.ts'
import { useCommands } from './commands.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const { file, write, place: where } = useCommands({}, 'test')
beforeEach(() => {
  write('buy.json', purchase)
})

const start = (...words: string[]) => startForTest([...words, ...where()])
const halt = ['halt', '--by', 'ada', '--because', 'a test']

test('commands beside a suspended serve name the process, and end', async () => {
  const serving = start('serve')
  await serving.firstLine
  expect((await runInProcess([...halt, ...where()])).exitCode).toBe(0)
  const held = start('run', 'convert', file('buy.json'), '--id', 'held')
  await held.seen(/halted/)
  serving.child.kill('SIGSTOP')
  const silent = `process ${serving.child.pid} (serve) serves ${file('state')} and does not answer`
  const commands = [
    halt,
    ['runs', 'list'],
    ['service', 'balances'],
    ['events', 'trigger', 'conversion', file('buy.json'), '--id', 'event'],
  ]
  const ended = await Promise.all(commands.map((words) => runInProcess([...words, ...where()])))
  for (const { exitCode, stderr } of ended) {
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(silent) })
    expect(stderr).toContain(`kill -CONT ${serving.child.pid}`)
  }
  // A begun run continues with the serving process.
  const { exitCode, stderr } = await held.ended
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(silent) })
  serving.child.kill('SIGCONT')
  expect(await runInProcess(['resume', '--by', 'ada', '--because', 'a test', ...where()])).toMatchObject({
    exitCode: 0,
  })
})
