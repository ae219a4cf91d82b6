// `run --aws` and `plan --aws`: the deployed state machines do the work, found by the AWS SDK's own settings, and the
// command follows them by their histories.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

vi.setConfig({ testTimeout: 60_000 })

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const deployed = deployedAws('run on AWS')
let dir: string
beforeAll(() => {
  const { service } = deployed()
  dir = service.dir
  const treasury = { service: { url: service.sandbox.baseUrl, stage: 'test' } }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})

const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, 'treasury.json')])

test('a conversion runs to its end on AWS, tells its steps, and is the same again', async () => {
  const words = ['run', 'convert', path.join(dir, 'buy.json'), '--id', 'on-aws']
  const { exitCode, stdout, stderr } = await run(...words)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Order') })
  const result = JSON.parse(stdout)
  expect(result).toMatchObject({ outcome: 'FILLED', baseAmount: '0.5' })
  const again = await run(...words)
  expect(again.stderr).toContain('this id has already run')
  expect(JSON.parse(again.stdout)).toEqual(result)
})

test('a flag of a state directory is refused beside --aws, and nothing is started', async () => {
  const { exitCode, stderr } = await run('run', 'convert', path.join(dir, 'buy.json'), '--state', dir)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--state: belongs to a state directory')
})

test('an id that is in use for another request is refused', async () => {
  writeFileSync(path.join(dir, 'more.json'), JSON.stringify({ ...purchase, amount: '0.7' }))
  const words = (file: string) => ['run', 'convert', path.join(dir, file), '--id', 'one-id']
  expect((await run(...words('buy.json'))).exitCode).toBe(0)
  const { exitCode, stderr } = await run(...words('more.json'))
  expect(exitCode).toBe(2)
  expect(stderr).toContain('this id was used for another conversion; it differs in amount')
})

test('the deployed audit answers, and tells what no intent claims', async () => {
  const { exitCode, stdout, stderr } = await run('reconcile', '--json', '--since', '2026-01-01T00:00:00Z')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'TIES_OUT', findings: [] })
})
