// Movements with --aws, on one deployment: `run`, `journal audit`, `logs`, and searches by id. The deployed state machines do
// the work, found by the AWS SDK's own settings, and their histories show what happened.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { showLogs } from '../../../cli/logs/logs.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'
import { deployedAws } from './deployed-aws.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
/** A contact inside the service: its withdrawals are complete when they are accepted. */
const payout = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, mode: 'shadow' } }

const deployed = deployedAws('movements on AWS')
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
const buy = (id: string) => run('run', 'convert', file('buy.json'), '--id', id)

// This comes first, so that the last executions are its own.
describe('logs', () => {
  test('the log of an id, and of the last executions', async () => {
    expect((await buy('first')).exitCode).toBe(0)
    expect((await buy('second')).exitCode).toBe(0)
    const { acts } = await json('people', 'list', '--did', 'asked')
    const who = { did: 'asked', kind: 'convert', by: expect.stringMatching(/^arn:aws:(iam|sts)::/) }
    expect(acts).toMatchObject(['second', 'first'].map((id) => ({ ...who, detail: `under the id ${id}` })))
    const first = JSON.parse((await run('logs', 'first', '--json')).stdout)
    const machine = { stateMachine: 'sluice-convert', at: expect.any(String), execution: expect.stringMatching(/^cv-/) }
    expect(first[0]).toEqual({ ...machine, event: 'started', text: 'buy 0.5 ETH with USDC' })
    expect(first.at(-1)).toEqual({ ...machine, event: 'ended', text: 'FILLED' })
    const second = JSON.parse((await run('logs', 'second', '--json')).stdout)
    expect(JSON.parse((await run('logs', '--json')).stdout)).toEqual([...first, ...second])
    expect(JSON.parse((await run('logs', '--limit', '1', '--json')).stdout)).toEqual(second)
  })

  test('an unknown id, and a flag of a state directory, are refused', async () => {
    const { exitCode, stderr } = await run('logs', 'nobody')
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no execution has the id nobody'),
    })
    expect((await run('logs', '--state', dir)).stderr).toContain('--state: belongs to a state directory')
  })

  test('--follow shows an execution that starts meanwhile, and ends with 0', async () => {
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
        const lines = stdout.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
        expect(lines.filter(({ execution }) => execution === third[0].execution)).toEqual(third)
      },
      { timeout: 60_000, interval: 100 },
    )
    stopping.abort()
    expect(await following).toBe(0)
  })
})

describe('run and audit', () => {
  test('a conversion runs to its end on AWS, reports its steps, and is the same again', async () => {
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

  test('the deployed audit answers, and reports unclaimed movements', async () => {
    const since = new Date(systemClock.nowMs() - 86_400_000).toISOString()
    const { exitCode, stdout, stderr } = await run('journal', 'audit', '--json', '--since', since)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'TIES_OUT', findings: [] })
  })
})

describe('export', () => {
  test('the table has what moved, read with the deployed key, and nothing is written', async () => {
    const { intentId, orderId, quoteAmount } = JSON.parse((await buy('table')).stdout)
    const sent = JSON.parse((await run('run', 'withdraw', file('send.json'), '--id', 'table')).stdout)
    const operations = new Set<string>()
    deployed().watch(({ operation }) => {
      operations.add(operation)
      return undefined
    })
    const { exitCode, stdout, stderr } = await run('movements', 'export', '--format', 'jsonl')
    deployed().watch(undefined)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect([...operations].filter((name) => /^(?:Put|Update|Delete|Batch|Transact|Start|Send)/.test(name))).toEqual([])
    const rows = stdout.split('\n').slice(0, -1)
    const rowOf = (id: string) => rows.map((line) => JSON.parse(line)).find((row) => row.id === id)
    expect(rowOf(intentId)).toMatchObject({ state: 'FILLED', movementId: orderId, amountOut: quoteAmount })
    expect(rowOf(sent.intentId)).toMatchObject({ state: 'COMPLETED', amountOut: '100', movementId: sent.withdrawalId })
  })
})

// This comes last, so that its movements are the newest of the list.
describe('by an id', () => {
  test('a conversion whose answer was lost is shown from the history of its execution', async () => {
    await deployed().service.control('/rules', {
      match: { method: 'POST', path: '/v2/orders', times: 1 },
      fault: { kind: 'dropAfterCommit' },
    })
    const ran = await run('run', 'convert', file('buy.json'), '--id', 'lost')
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toMatchObject({ exitCode: 0 })
    const { intentId, orderId } = JSON.parse(ran.stdout)
    const shown = await json('movements', 'show', orderId)
    expect(shown).toMatchObject({ intentId, state: 'DONE', outcome: 'FILLED', claimedBy: intentId })
    const [{ executionArn }] = shown.executions
    expect(await json('movements', 'show', executionArn)).toMatchObject({ intentId, outcome: 'FILLED' })
    const { exitCode, stdout } = await run('movements', 'show', 'lost', '--sentences')
    expect(exitCode).toBe(0)
    const order = [
      'A conversion was asked for: buy 0.5 ETH with USDC.',
      'It then sent it, once.',
      'No answer came: ',
      `Sluice looked at the service and found it: order ${orderId}. It is tied to this intent, and to no other.`,
      'The order is filled: 0.5 for ',
    ]
    const places = order.map((text) => stdout.indexOf(text))
    expect({ stdout, places }).toEqual({ stdout, places: places.filter((at) => at >= 0).sort((a, b) => a - b) })
  })

  test('a withdrawal is shown with the amount that arrived', async () => {
    const { withdrawalId } = JSON.parse((await run('run', 'withdraw', file('send.json'), '--id', 'paid')).stdout)
    const { exitCode, stdout } = await run('movements', 'show', withdrawalId)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\n {2}proven +the service accepted it\n/)
    expect(stdout).toMatch(/\n {2}total +100\n/)
    expect((await run('movements', 'show', 'paid', '--sentences')).stdout).toContain('The withdrawal is complete: ')
  })

  test("the service's view of a movement is read at the deployed address, with the deployed key", async () => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const { withdrawalId } = JSON.parse((await run('run', 'withdraw', file('send.json'), '--id', 'paid')).stdout)
    expect(await json('service', 'withdrawals', withdrawalId)).toMatchObject({ id: withdrawalId, status: 'COMPLETED' })
    const listed = await run('service', 'withdrawals', '--start-date', since)
    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(withdrawalId) })
    expect(listed.stderr).toContain(`from ${deployed().service.sandbox.baseUrl}`)
    expect(await run('service', 'orders', '--start-date', since)).toMatchObject({ exitCode: 0 })
    expect(await run('service', 'orders', 'none-of-mine')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/orders --aws .*# lists the known ones/),
    })
    const wrong = await run('service', 'orders', '--keys', 'keys.json')
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('leave --keys or --aws out') })
  })

  test('a conversion that a guard refused is a certified zero without a send', async () => {
    expect((await run('run', 'convert', file('dear.json'), '--id', 'dear')).exitCode).toBe(1)
    const { exitCode, stdout } = await run('movements', 'show', 'dear', '--sentences')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Nothing was ever sent for it, so nothing moved. It ended: price refused.')
  })

  test('a run is found by its given id, and all runs are listed', async () => {
    const { runId } = JSON.parse((await run('run', 'rebalance', file('core.json'), '--id', 'monthly')).stdout)
    const shown = await run('movements', 'show', 'monthly', '--json')
    expect(shown).toMatchObject({ exitCode: 0, stdout: (await run('movements', 'show', runId, '--json')).stdout })
    expect((await run('movements', 'show', 'monthly', '--sentences')).stdout).toContain(`Run ${runId} of policy `)
    const { asked } = await json('movements', 'list', '--shadow')
    const newest = asked.slice(0, 4)
    expect(newest.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)).toEqual([
      ...['run SHADOWED', 'convert REJECTED', 'withdraw DONE', 'convert DONE'],
    ])
  })
})
