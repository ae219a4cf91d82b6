// `logs --aws`: the same log from the histories of the deployed state machines, found by the AWS SDK's own settings.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test, vi } from 'vitest'
import { showLogs } from '../../../cli/logs/logs.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'
import { deployedAws } from './deployed-aws.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const deployed = deployedAws('logs on AWS')
let dir: string
beforeAll(() => {
  const { service } = deployed()
  dir = service.dir
  writeFileSync(
    path.join(dir, 'treasury.json'),
    JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test' } }),
  )
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})

const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, 'treasury.json')])
const buy = (id: string) => run('run', 'convert', path.join(dir, 'buy.json'), '--id', id)

test('the log of an id, and of the last executions', async () => {
  expect((await buy('first')).exitCode).toBe(0)
  expect((await buy('second')).exitCode).toBe(0)
  const first = JSON.parse((await run('logs', 'first', '--json')).stdout)
  const machine = { stateMachine: 'sluice-convert', at: expect.any(String), execution: expect.stringMatching(/^cv-/) }
  expect(first[0]).toEqual({ ...machine, event: 'started', text: 'buy 0.5 ETH with USDC' })
  expect(first.at(-1)).toEqual({ ...machine, event: 'ended', text: 'FILLED' })
  const second = JSON.parse((await run('logs', 'second', '--json')).stdout)
  expect(JSON.parse((await run('logs', '--json')).stdout)).toEqual([...first, ...second])
  expect(JSON.parse((await run('logs', '--limit', '1', '--json')).stdout)).toEqual(second)
})

test('an id that nothing is known by, and a flag of a state directory, are refused', async () => {
  const { exitCode, stderr } = await run('logs', 'nobody')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('by the id nobody') })
  expect((await run('logs', '--state', dir)).stderr).toContain('--state: belongs to a state directory')
})

test('--follow tells of an execution that starts meanwhile, and ends with 0', async () => {
  const stopping = new AbortController()
  const stdout = recorded()
  const stderr = recorded()
  const output = createOutput({ stdout, stderr, json: true, term: undefined })
  const catchInterruption = () => stopping.signal
  const context = { argv: [], variables: {}, stdin: Readable.from([]), stdout, output, clock: systemClock }
  const following = showLogs(undefined, { aws: true, follow: true }, { ...context, catchInterruption })
  expect((await buy('third')).exitCode).toBe(0)
  const third = JSON.parse((await run('logs', 'third', '--json')).stdout)
  await vi.waitFor(
    () => {
      const told = stdout.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      expect(told.filter(({ execution }) => execution === third[0].execution)).toEqual(third)
    },
    { timeout: 60_000, interval: 100 },
  )
  stopping.abort()
  expect(await following).toBe(0)
})
