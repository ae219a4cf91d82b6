// An insider in the code of the steps that settle terms. The step that sends still judges by what it reads itself.
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { recordKey } from '../../core/contract/records.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { useMachines } from './machines.ts'

const POLICY = { kind: 'fund', asset: 'USD', atLeast: '1', from: [{ asset: 'BTC' }] }
const TREASURY = {
  service: { url: 'https://api.example.com', stage: 'test' },
  guards: { dailyOutflow: { USDC: '100000' } },
  policies: {
    bounded: { ...POLICY, guards: { total: { largest: '1000', daily: '2000' } } },
    asking: { ...POLICY, guards: { approval: { above: '500' } } },
  },
}

const machine = useMachines({ treasury: TREASURY, hasInsider: true })

async function stored(key: string): Promise<Record<string, unknown>> {
  const { client, tableName } = journalTable(machine.aws)
  const { Item = {} } = await client.send(new GetItemCommand({ TableName: tableName, Key: { pk: { S: key } } }))
  client.destroy()
  return unmarshall(Item as Record<string, AttributeValue>)
}

const send = (policy: string, amount: string) => ({
  ...{ policy, assetSymbol: 'USDC', amount, contactReference: 'exchange-usdc-eth' },
})
const buy = (policy: string, amount: string) => ({
  ...{ policy, baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount },
})

async function moved(): Promise<number> {
  return (await machine.movements()).length
}

/** Starts it with the insider in the step that settles its terms, and returns its end and how many more have moved. */
async function cheapened(kind: 'convert' | 'withdraw', name: string, request: object) {
  const before = await moved()
  const start = kind === 'convert' ? machine.run : machine.withdraw
  const { report } = await start(name, request)
  expect(await stored(recordKey.intent(kind, name))).toMatchObject({ frozen: { unitValues: { USD: '0.000001' } } })
  return { report, moved: (await moved()) - before }
}

test.each([
  ['a withdrawal', 'withdraw', 'cheap-withdrawal', send('bounded', '9001')],
  ['an order', 'convert', 'cheap-order', buy('bounded', '9005')],
] as const)(
  '%s above the largest is not sent, though its step has settled a tiny value',
  async (_what, kind, name, request) => {
    expect(await cheapened(kind, name, request)).toMatchObject({
      ...{ report: { outcome: 'REJECTED', guardedBy: 'largest' }, moved: 0 },
    })
  },
)

test('what has moved counts in the day by its true value, though its step has settled a tiny one', async () => {
  const ends = []
  for (const [name, request] of [
    ['cheap-first', send('bounded', '900')],
    ['cheap-second', send('bounded', '900')],
    ['cheap-third', send('bounded', '900')],
  ] as const)
    ends.push(await cheapened('withdraw', name, request))
  expect(ends).toMatchObject([
    { report: { outcome: 'COMPLETED' }, moved: 1 },
    { report: { outcome: 'COMPLETED' }, moved: 1 },
    { report: { outcome: 'REJECTED', guardedBy: 'budget' }, moved: 0 },
  ])
})

test.each([
  ['a withdrawal', 'withdraw', 'cheap-unasked-withdrawal', send('asking', '900')],
  ['an order', 'convert', 'cheap-unasked-order', buy('asking', '900')],
] as const)(
  '%s that people must approve is not sent before, though its step has settled a tiny value',
  async (_what, kind, name, request) => {
    const outcome = kind === 'convert' ? 'EXPIRED_OUT' : 'EXHAUSTED'
    expect(await cheapened(kind, name, request)).toMatchObject({ report: { outcome }, moved: 0 })
  },
)
