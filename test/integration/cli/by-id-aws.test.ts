// By my id, with --aws: real movements on the deployed state machines, whose histories say what happened.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

// Each test runs several commands, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
/** Inside the service: such a withdrawal is complete when it is accepted. */
const payout = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, mode: 'shadow' } }

const deployed = deployedAws('by id on AWS')
let dir: string
beforeAll(() => {
  const { service } = deployed()
  dir = service.dir
  const treasury = { service: { url: service.sandbox.baseUrl, stage: 'test' }, policies }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
  writeFileSync(path.join(dir, 'dear.json'), JSON.stringify({ ...purchase, worstRate: '1' }))
  writeFileSync(path.join(dir, 'send.json'), JSON.stringify(payout))
  writeFileSync(path.join(dir, 'core.json'), JSON.stringify({ policy: policies.core }))
})

const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, 'treasury.json')])
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)
const file = (name: string) => path.join(dir, name)

test('a conversion whose answer was lost is told from the history of its execution', async () => {
  await deployed().service.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 1 },
    fault: { kind: 'dropAfterCommit' },
  })
  const ran = await run('run', 'convert', file('buy.json'), '--id', 'lost')
  expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toMatchObject({ exitCode: 0 })
  const { intentId, orderId } = JSON.parse(ran.stdout)
  const shown = await json('show', orderId)
  expect(shown).toMatchObject({ intentId, state: 'DONE', outcome: 'FILLED', claimedBy: intentId })
  const [{ executionArn }] = shown.executions
  expect(await json('show', executionArn)).toMatchObject({ intentId, outcome: 'FILLED' })
  const { exitCode, stdout } = await run('explain', 'lost')
  expect(exitCode).toBe(0)
  const order = [
    'A conversion was asked for: buy 0.5 ETH with USDC.',
    'It then sent it, once.',
    'No answer came (no_answer)',
    `Sluice looked at the service and found it: order ${orderId}. It is tied to this intent, and to no other.`,
    'The order is filled: 0.5 for ',
  ]
  const places = order.map((text) => stdout.indexOf(text))
  expect({ stdout, places }).toEqual({ stdout, places: places.filter((at) => at >= 0).sort((a, b) => a - b) })
})

test('a withdrawal is told with what arrived', async () => {
  const { withdrawalId } = JSON.parse((await run('run', 'withdraw', file('send.json'), '--id', 'paid')).stdout)
  const { exitCode, stdout } = await run('show', withdrawalId)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/\n {2}proven +the service accepted it\n/)
  expect(stdout).toMatch(/\n {2}total +100\n/)
  expect((await run('explain', 'paid')).stdout).toContain('The withdrawal is complete: ')
})

test('what the service says of a movement is asked at the address that is deployed, with the deployed key', async () => {
  const since = new Date(Date.now() - 60_000).toISOString()
  const { withdrawalId } = JSON.parse((await run('run', 'withdraw', file('send.json'), '--id', 'paid')).stdout)
  expect(await json('withdrawals', withdrawalId)).toMatchObject({ id: withdrawalId, status: 'COMPLETED' })
  const listed = await run('withdrawals', '--start-date', since)
  expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(withdrawalId) })
  expect(listed.stderr).toContain(`from ${deployed().service.sandbox.baseUrl}`)
  expect(await run('orders', '--start-date', since)).toMatchObject({ exitCode: 0 })
  expect(await run('orders', 'none-of-mine')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/orders --aws .*# lists those that there are/),
  })
  const wrong = await run('orders', '--keys', 'keys.json')
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('leave --keys or --aws out') })
})

test('a conversion that a guard refused is a certified zero of which nothing was sent', async () => {
  expect((await run('run', 'convert', file('dear.json'), '--id', 'dear')).exitCode).toBe(1)
  const { exitCode, stdout } = await run('explain', 'dear')
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Nothing was ever sent for it, so nothing moved. It ended PRICE_REFUSED.')
})

test('a run is found by the id that was given, and all is listed', async () => {
  const { runId } = JSON.parse((await run('run', 'rebalance', file('core.json'), '--id', 'monthly')).stdout)
  const shown = await run('show', 'monthly', '--json')
  expect(shown).toMatchObject({ exitCode: 0, stdout: (await run('show', runId, '--json')).stdout })
  expect((await run('explain', 'monthly')).stdout).toContain(`Run ${runId} of policy `)
  const { asked } = await json('list')
  expect(asked.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)).toEqual([
    ...['run SHADOWED', 'convert REJECTED', 'withdraw DONE', 'convert DONE'],
  ])
})
