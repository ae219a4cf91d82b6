// `cases again`: executions that stopped in doubt are entered again, in bulk, and each remains one movement. They are stopped
// while the service is down, as after a long outage.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { GetExecutionHistoryCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const rebalance = (btc: string, eth: string) => ({
  policy: { kind: 'rebalance', weights: { BTC: btc, ETH: eth } },
  trigger: { by: 'call' },
})

const deployed = deployedAws('again')
let config: string
beforeAll(() => {
  const { service } = deployed()
  config = path.join(service.dir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test' } }))
})

const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', config])

async function movements(): Promise<number> {
  const oracle = (await deployed().service.control('/oracle')) as { readonly movements: readonly object[] }
  return oracle.movements.length
}

/** Orders are booked without an answer, and cannot be looked up. */
async function breakDown(): Promise<void> {
  const { control } = deployed().service
  const [booked, read] = [{ method: 'POST' }, { method: 'GET' }].map((match) => ({ ...match, times: 'always' }))
  await control('/rules', { match: { ...booked, path: '/v2/orders' }, fault: { kind: 'dropAfterCommit' } })
  const down = { kind: 'errorBeforeCommit', status: 503, code: 'internal_error' }
  await control('/rules', { match: { ...read, path: '/v2/orders/*' }, fault: down })
}

async function comeBack(): Promise<void> {
  await fetch(`${deployed().service.sandbox.controlUrl}/rules`, { method: 'DELETE' })
}

afterEach(comeBack)

/** Stops an execution while it waits for its fence. */
async function stopInDoubt(executionArn: string): Promise<void> {
  const { endpointUrl: endpoint, region, credentials } = deployed().aws
  const client = new SFNClient({ endpoint, region, credentials })
  const states = async () => {
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 }))
    return events.map(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name)
  }
  await expect.poll(states).toContain('WaitForFence')
  await client.send(new StopExecutionCommand({ executionArn }))
  client.destroy()
}

async function start(stateMachine: string, name: string, input: object): Promise<string> {
  const { executionArn } = await deployed().aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
  return executionArn
}

test('everything in doubt is entered again at once, and remains the same movement', async () => {
  const known = await movements()
  await breakDown()
  const names = ['first', 'second']
  const executions = await Promise.all(names.map((name) => start('sluice-convert', name, purchase)))
  for (const executionArn of executions) await stopInDoubt(executionArn)
  expect(await movements()).toBe(known + names.length)
  await comeBack()
  expect((await run('cases', 'list')).stderr).toMatch(/next: .* again --armed .*needs no decision/)

  const { exitCode, stdout, stderr } = await run('cases', 'again', '--armed', '--json')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const entered = names.map((id) => ({ id, kind: 'conversion', was: 'ARMED', outcome: 'FILLED', why: null }))
  expect(JSON.parse(stdout)).toEqual({ entered, more: 0, isCutOff: false, unreadable: [] })
  expect(await movements()).toBe(known + names.length)

  const nothing = await run('cases', 'again', '--armed')
  expect(nothing).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('nothing is in doubt') })
})

test.each(['all that is armed', 'the leg alone'])(
  'a run whose leg was in doubt ends with %s, and moves nothing twice',
  async (what) => {
    const isLeg = what === 'the leg alone'
    const name = isLeg ? 'quarter-end' : 'month-end'
    const known = await movements()
    await breakDown()
    const executionArn = await start(
      'sluice-rebalance',
      name,
      isLeg ? rebalance('0.4', '0.6') : rebalance('0.6', '0.4'),
    )
    const findLegs = () =>
      deployed()
        .aws.listExecutions('sluice-convert')
        .filter(({ input }) => input.includes(name))
    await expect.poll(findLegs).not.toEqual([])
    const [leg] = findLegs()
    await stopInDoubt(leg?.executionArn ?? '')
    expect(await movements()).toBe(known + 1)
    const { output = '{}' } = await deployed().aws.untilFinished(executionArn)
    expect(JSON.parse(output)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    await comeBack()

    const asked = isLeg ? (leg?.name ?? '') : '--armed'
    const { exitCode, stdout, stderr } = await run('cases', 'again', asked, '--json')
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({
      entered: [
        { id: leg?.name, was: 'ARMED', outcome: 'FILLED' },
        { id: name, kind: 'rebalance', was: 'NEEDS_ATTENTION', outcome: 'SETTLED' },
      ],
    })
    const after = await movements()
    expect(await run('cases', 'again', name)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is SETTLED'),
    })
    expect(await movements()).toBe(after)
  },
)

test('a single id is entered again; a settled, unknown or missing id is reported, and starts nothing', async () => {
  await deployed().aws.untilFinished(await start('sluice-convert', 'whole', purchase))
  const known = await movements()
  expect(await run('cases', 'again', 'whole')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('FILLED') })
  expect(await movements()).toBe(known)

  await deployed().aws.untilFinished(await start('sluice-convert', 'refused', { ...purchase, quoteAsset: 'NONE' }))
  expect((await run('cases', 'again', 'refused')).stderr).toContain('it is certain that nothing moved for it')
  const unknown = await run('cases', 'again', 'nobody')
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no intent and no run nobody') })
  for (const words of [[], ['whole', '--armed']])
    expect(await run('cases', 'again', ...words)).toMatchObject({ exitCode: 2 })
})

test('the suggested command quotes an id for the shell', async () => {
  const words = ['cases', 'again', 'rent & $(date)', '--aws', '--config', config]
  const { exitCode, stderr } = await runInProcess(words, {}, {}, AbortSignal.abort())
  expect({ exitCode, stderr }).toEqual({
    exitCode: 130,
    stderr: expect.stringContaining(`again 'rent & $(date)' --aws --config ${config}`),
  })
})
