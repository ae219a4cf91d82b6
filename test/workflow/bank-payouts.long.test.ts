// Payouts to banks take days. Nobody is called in that time, and a policy that has sent one continues. Time is virtual.
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import { lookAgainReport } from '../../core/contract/look-again.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { useMachines } from './machines.ts'

const BANK = { assetSymbol: 'EUR', amount: '100', contactReference: 'house-bank-eur' }
const CHAIN = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const A_DAY_MS = 24 * 3_600_000

const machine = useMachines()
beforeAll(async () => {
  await machine.control('/balance', { assetSymbol: 'EUR', credit: '10000' })
})

/** The next withdrawal stays under way for `afterMs`, and then comes back. */
const comesBackAfter = (afterMs: number) =>
  machine.control('/rules', {
    match: { method: 'POST', path: '/v2/withdrawals', times: 1 },
    fault: { kind: 'failLater', afterMs },
  })

const pollsOf = (name: string) =>
  machine.statesOf(name, StateMachine.Withdraw).filter((state) => state === 'PollWithdrawal')

test('a payout that is five days with a bank calls nobody, and is checked every hour; then it is STUCK', async () => {
  await comesBackAfter(7 * A_DAY_MS)
  const { status, error } = await machine.withdraw('long', BANK)
  expect({ status, error }).toEqual({ status: 'FAILED', error: 'STUCK' })
  expect(pollsOf('long').length).toBeGreaterThan(5 * 24)
  expect(pollsOf('long').length).toBeLessThan(40 + 5 * 24 + 5)
  await machine.pass(A_DAY_MS / 24)
})

test('a withdrawal on chain is STUCK after an hour and a half', async () => {
  await comesBackAfter(7 * A_DAY_MS)
  const { status, error } = await machine.withdraw('chain', CHAIN)
  expect({ status, error }).toEqual({ status: 'FAILED', error: 'STUCK' })
  await machine.pass(A_DAY_MS / 24)
})

test("a run settles with a payout at the bank, frees its policy, and is settled again by the payout's end", async () => {
  const { endpointUrl: endpoint, region, credentials } = machine.aws
  const client = new DynamoDBClient({ endpoint, region, credentials })
  const findRun = async (id: string) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: 'sluice-journal', Key: { pk: { S: `R#${id}` } }, ConsistentRead: true }),
    )
    return Item && unmarshall(Item)
  }
  const contactId = machine.sandbox.contacts.find(({ reference }) => reference === 'house-bank-eur')?.id
  const rule = { assets: ['EUR'], keep: { target: '500' }, contactId }
  const start = (name: string) =>
    machine.aws.startExecution({
      stateMachine: StateMachine.Sweep,
      name,
      input: JSON.stringify({ policy: { kind: 'sweep', rules: [rule] }, trigger: { by: 'call' } }),
    })

  // The first run's payout is not checked before the second run has ended.
  const { promise: mayLook, resolve: letLook } = Promise.withResolvers<void>()
  const { promise: looks, resolve: seeLook } = Promise.withResolvers<void>()
  machine.hook = async ({ functionName, operation, phase }) => {
    if (functionName !== 'sluice-poll-withdrawal' || operation !== 'GetItem' || phase !== 'before') return undefined
    seeLook()
    await mayLook
    return undefined
  }
  await comesBackAfter(2 * A_DAY_MS)
  const first = await start('monday')
  await looks
  expect(await findRun('monday')).toMatchObject({ outcome: 'RUNNING' })
  await machine.pass(30 * 60_000)

  const second = await start('tuesday')
  const { output = '{}' } = await machine.aws.untilFinished(second.executionArn)
  expect(JSON.parse(output)).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  expect(await findRun('monday')).toMatchObject({
    outcome: 'SETTLED',
    tiesOut: true,
    why: expect.stringMatching(/^\S+: on its way \(the withdrawal is pending\)$/),
  })

  letLook()
  const end = await machine.aws.untilFinished(first.executionArn)
  expect(JSON.parse(end.output ?? '{}')).toMatchObject({
    outcome: 'NOTHING_MOVED',
    legs: [{ outcome: 'FAILED_REFUNDED' }],
  })
  client.destroy()
})

/** Stops an execution once it checks its payout, together with those that it has started. */
async function stopOnceItPolls(executionArn: () => string): Promise<void> {
  const { endpointUrl: endpoint, region, credentials } = machine.aws
  const client = new SFNClient({ endpoint, region, credentials })
  const { promise: looks, resolve: seeLook } = Promise.withResolvers<void>()
  const { promise: mayLook, resolve: letLook } = Promise.withResolvers<void>()
  machine.hook = async ({ functionName, operation, phase }) => {
    if (functionName !== 'sluice-poll-withdrawal' || operation !== 'GetItem' || phase !== 'before') return undefined
    seeLook()
    await mayLook
    return undefined
  }
  await looks
  await client.send(new StopExecutionCommand({ executionArn: executionArn() }))
  letLook()
  machine.hook = undefined
  client.destroy()
}

async function look(): Promise<readonly string[]> {
  await machine.pass(A_DAY_MS / 24)
  const { entered } = lookAgainReport.parse(JSON.parse(await machine.aws.invokeFunction('sluice-look-again', '{}')))
  for (const { execution, stateMachine } of entered)
    await machine.aws.untilFinished(machine.aws.findExecution(stateMachine, execution)?.executionArn ?? '')
  // Two withdrawals of earlier tests never end. They are read again, with growing waits.
  return entered.map(({ execution }) => execution).filter((name) => !/^(long|chain)_/.test(name))
}

test('a payout whose execution was stopped is followed alone, to its end and no further', async () => {
  await comesBackAfter(2 * A_DAY_MS)
  const { executionArn } = await machine.aws.startExecution({
    stateMachine: StateMachine.Withdraw,
    name: 'left-alone',
    input: JSON.stringify(BANK),
  })
  await stopOnceItPolls(() => executionArn)
  expect((await machine.aws.untilFinished(executionArn)).status).toBe('ABORTED')
  expect(await look()).toEqual(['left-alone_2'])
  const { output = '{}' } = machine.aws.findExecution(StateMachine.Withdraw, 'left-alone_2') ?? {}
  expect(JSON.parse(output)).toMatchObject({ outcome: 'FAILED_REFUNDED' })
  expect(await look()).toEqual([])
})

test("a run that was stopped while its payout was with the bank is settled by the payout's end", async () => {
  const contactId = machine.sandbox.contacts.find(({ reference }) => reference === 'house-bank-eur')?.id
  const rule = { assets: ['EUR'], keep: { target: '500' }, contactId }
  await comesBackAfter(2 * A_DAY_MS)
  const startRun = (name: string) =>
    machine.aws.startExecution({
      stateMachine: StateMachine.Sweep,
      name,
      input: JSON.stringify({ policy: { kind: 'sweep', rules: [rule] }, trigger: { by: 'call' } }),
    })
  const { executionArn } = await startRun('stopped')
  await stopOnceItPolls(() => executionArn)
  expect((await machine.aws.untilFinished(executionArn)).status).toBe('ABORTED')
  // After its time the next run of the policy settles it.
  await machine.pass(30 * 60_000)
  const next = await startRun('next')
  await machine.aws.untilFinished(next.executionArn)

  const [leg, ...others] = await look()
  expect([leg, others]).toEqual([expect.stringMatching(/_2$/), []])
  expect(await look()).toEqual(['stopped_2'])
  const { output = '{}' } = machine.aws.findExecution(StateMachine.Sweep, 'stopped_2') ?? {}
  expect(JSON.parse(output)).toMatchObject({ outcome: 'NOTHING_MOVED', legs: [{ outcome: 'FAILED_REFUNDED' }] })
  expect(await look()).toEqual([])
})
