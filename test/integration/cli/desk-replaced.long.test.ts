// The desk of a run ends while the run is under way, and the command cannot continue it. The execution is on disk and
// continues without the command, which must never say that nothing was started.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'

const service = { url: 'https://api.example.com', stage: 'test' }
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

let dir: string
let started: Running[]
beforeEach(() => {
  dir = temporaryFolder()
  started = []
  writeFileSync(path.join(dir, 'first.json'), JSON.stringify({ service }))
  writeFileSync(path.join(dir, 'second.json'), JSON.stringify({ service, guards: { worstSlippageBps: 400 } }))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
})

const where = (file: string) => ['--state', path.join(dir, 'state'), '--config', path.join(dir, file)]
const start = (...words: string[]) => {
  const running = startSluice(words)
  started.push(running)
  return running
}

test('a run whose desk is replaced by a different one says that it was begun, even without an id', async () => {
  const first = start('serve', ...where('first.json'))
  await first.firstLine
  const halt = ['halt', '--by', 'ada', '--because', 'a test', ...where('first.json')]
  expect(await runInProcess(halt)).toMatchObject({ exitCode: 0 })
  const waiting = start('run', 'convert', path.join(dir, 'buy.json'), ...where('first.json'))
  await waiting.seen(/halted/)
  waiting.child.kill('SIGSTOP')
  first.child.kill('SIGKILL')
  await first.ended
  const second = start('serve', ...where('second.json'))
  await second.firstLine
  waiting.child.kill('SIGCONT')
  const { exitCode, stderr } = await waiting.ended
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3 })
  expect(stderr).toContain('with another configuration')
  expect(stderr).not.toContain('nothing was started')
  // The suggested command continues the same id.
  expect(stderr).toMatch(/do not start it under another id; .*--id run-[0-9a-f]+/)
})
