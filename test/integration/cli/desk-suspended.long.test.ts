// The serving process is suspended, as by Ctrl-Z: it is alive, and does not answer. Each command beside it ends with advice,
// and works again after the process continues.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

let dir: string
let started: Running[]
beforeEach(() => {
  dir = temporaryFolder()
  started = []
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
})

const where = () => ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
const start = (...words: string[]) => {
  const running = startSluice([...words, ...where()])
  started.push(running)
  return running
}
const halt = ['halt', '--by', 'ada', '--because', 'a test']

test('commands beside a suspended serve name the process, and end', async () => {
  const serving = start('serve')
  await serving.firstLine
  expect((await runInProcess([...halt, ...where()])).exitCode).toBe(0)
  const held = start('run', 'convert', path.join(dir, 'buy.json'), '--id', 'held')
  await held.seen(/halted/)
  serving.child.kill('SIGSTOP')
  const silent = `process ${serving.child.pid} (serve) serves ${path.join(dir, 'state')} and does not answer`
  const commands = [
    halt,
    ['runs', 'list'],
    ['service', 'balances'],
    ['events', 'trigger', 'conversion', path.join(dir, 'buy.json'), '--id', 'event'],
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
