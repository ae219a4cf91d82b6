// A conversion moves its money at most once, and ends with all that is known of it, whatever the service answers.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryName } from '../../core/contract/fields.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createHalts, EVERYTHING } from '../../core/journal/halts.ts'
import { embeddedClient } from '../../place/journal/journal-client.ts'
import { useMachines } from './machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }

const machine = useMachines()
let movedBefore: number
beforeEach(async () => {
  movedBefore = (await machine.movements()).length
})

/** Makes the next order meet this fault. */
const nextOrder = (fault: object) =>
  machine.control('/rules', { match: { method: 'POST', path: '/v2/orders', times: 1 }, fault })

/** Exactly these orders moved money since the test began, and the service's books balance. */
async function expectTiesOut(orderIds: readonly (string | undefined)[]): Promise<void> {
  const moved = (await machine.movements()).slice(movedBefore)
  expect(moved.map((movement) => movement.orderId)).toEqual(orderIds)
  expect(await machine.control('/oracle')).toMatchObject({ invariants: { ok: true } })
}

test('a conversion filled at placement takes five transitions, including the start', async () => {
  const { status, report } = await machine.run('filled', BUY)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({ outcome: 'FILLED', intentId: 'filled', attempts: 1, side: 'BUY', quoteAmount: '250' })
  expect(report.fills).toHaveLength(1)
  expect(machine.statesOf('filled')).toEqual(['Quote', 'Order', 'OrderOutcome', 'Filled'])
  await expectTiesOut([report.orderId])
})

test('an order accepted and settled later is polled to its end', async () => {
  await nextOrder({ kind: 'settleLater', afterMs: 30_000, outcome: 'fill' })
  const { report } = await machine.run('later', BUY)
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
  expect(machine.statesOf('later')).toEqual(expect.arrayContaining(['PollOrder', 'WaitToPoll', 'PollOutcome']))
  await expectTiesOut([report.orderId])
})

test('an order that fails after a partial fill ends FAILED with its fills, and is not sent again', async () => {
  await nextOrder({ kind: 'settleLater', afterMs: 1_000, outcome: 'partial' })
  const { status, report } = await machine.run('partial', BUY)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({
    outcome: 'FAILED',
    attempts: 1,
    why: expect.stringContaining('the order failed after'),
  })
  expect(report.fills?.length).toBeGreaterThan(0)
  await expectTiesOut([report.orderId])
})

test('an expired quote is replaced at once, without a fence', async () => {
  await machine.control('/rules', {
    match: { method: 'POST', path: '/v2/quotes', times: 1 },
    fault: { kind: 'expireQuote' },
  })
  const { report } = await machine.run('expired', BUY)
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 2 })
  expect(machine.statesOf('expired')).toEqual([
    'Quote',
    'Order',
    'OrderOutcome',
    'Quote',
    'Order',
    'OrderOutcome',
    'Filled',
  ])
  await expectTiesOut([report.orderId])
})

describe('a quote', () => {
  const nextQuote = (fault: object) =>
    machine.control('/rules', { match: { method: 'POST', path: '/v2/quotes', times: 1 }, fault })

  test.each([
    ['another market', { quoteAsset: 'USD', amountAsset: 'USD' }, 'its market is BTC-USD, not BTC-USDC'],
    ['another asset', { baseAsset: 'ETH' }, 'its market is ETH-USDC, not BTC-USDC'],
    ['another amount', { amount: '251' }, 'its quote amount is 251, not 250'],
  ])('of %s is refused, and nothing moves', async (name, change, difference) => {
    await nextQuote({ kind: 'misquote', ...change })
    const { status, report } = await machine.run(`quoted-${name.replace(' ', '-')}`, BUY)
    expect(status).toBe('SUCCEEDED')
    expect(report).toMatchObject({
      ...{ outcome: 'REJECTED', why: `the quote is not what was asked for: ${difference}` },
    })
    await expectTiesOut([])
  })

  test('a quote of another side is executed, because no quote shows its side: the run needs a person, and the intent has its order', async () => {
    await nextQuote({ kind: 'misquote', side: 'SELL' })
    const { status, report } = await machine.run('other-side', BUY)
    expect(status).toBe('FAILED')
    expect(report).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', market: 'BTC-USDC', quoteAmount: '250' },
      why: expect.stringContaining('it is not what was asked for: its side is SELL, not BUY'),
    })
    await expectTiesOut([report.orderId])
    const again = await machine.run(entryName('other-side', 2), BUY)
    expect(again.report).toMatchObject({ outcome: 'NEEDS_ATTENTION', orderId: report.orderId })
    await expectTiesOut([report.orderId])
  })

  test('refused with a new code that is retryable is requested until the service has one', async () => {
    await machine.control('/rules', {
      match: { method: 'POST', path: '/v2/quotes', times: 8 },
      fault: { kind: 'errorBeforeCommit', status: 409, code: 'market_halted', retryable: true },
    })
    const { report } = await machine.run('halted-market', BUY)
    expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
    await expectTiesOut([report.orderId])
  })

  test('a quote of an equity is used, however the request spells it', async () => {
    const request = { ...BUY, baseAsset: 'aaplx', quoteAsset: 'usd', amountAsset: 'usd' }
    const { report } = await machine.run('equity', request)
    expect(report).toMatchObject({ outcome: 'FILLED', market: 'AAPLSPV-USD' })
    await expectTiesOut([report.orderId])
  })
})

test('a quote outside the price guard is not executed', async () => {
  const { status, report } = await machine.run('dear', { ...BUY, worstRate: '1' })
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({ outcome: 'PRICE_REFUSED', why: expect.stringContaining('above worstRate 1') })
  await expectTiesOut([])
})

test('a conversion that meets a halt waits its turn, and continues with a new quote afterwards', async () => {
  const client = embeddedClient(machine.aws)
  const halts = createHalts(createDynamoStore(client, JOURNAL_TABLE), randomUUID)
  const halt = { scope: EVERYTHING, by: 'ada', because: 'a test', at: '2026-01-01T00:00:00Z' }
  await halts.halt(halt)
  // Three reads of the switch: before the send, and after two waits.
  let looks = 0
  machine.hook = async ({ operation, phase, body, functionName }) => {
    const isLook = operation === 'GetItem' && phase === 'before' && JSON.stringify(body).includes('"H#*"')
    if (functionName !== undefined && isLook && ++looks === 3) await halts.resume(halt)
    return undefined
  }
  const { report } = await machine.run('halted', BUY)
  client.destroy()
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
  expect(machine.statesOf('halted')).toEqual([
    ...['Quote', 'Order', 'OrderOutcome', 'WaitForTurn', 'Order', 'OrderOutcome', 'WaitForTurn'],
    ...['Order', 'OrderOutcome', 'Quote', 'Order', 'OrderOutcome', 'Filled'],
  ])
  await expectTiesOut([report.orderId])
})

test.each([{ kind: 'dropAfterCommit' }, { kind: 'errorAfterCommit', status: 500, code: 'internal_error' }])(
  'uncertain after commit ($kind): the order is found, and counts once',
  async (fault) => {
    await nextOrder(fault)
    const { report } = await machine.run(`after-${fault.kind}`, BUY)
    expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
    await expectTiesOut([report.orderId])
  },
)

test.each([{ kind: 'dropBeforeCommit' }, { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' }])(
  'uncertain before commit ($kind): past the fence a new quote is executed',
  async (fault) => {
    const name = `before-${fault.kind}`
    await nextOrder(fault)
    const { report } = await machine.run(name, BUY)
    expect(report).toMatchObject({ outcome: 'FILLED', attempts: 2 })
    expect(machine.statesOf(name)).toEqual([
      ...['Quote', 'Order', 'OrderOutcome', 'WaitForFence', 'Order', 'OrderOutcome'],
      ...['Quote', 'Order', 'OrderOutcome', 'Filled'],
    ])
    await expectTiesOut([report.orderId])
  },
)

test('an accepted order whose answer is lost and that shows late is found before the fence', async () => {
  await nextOrder({ kind: 'lateVisibility', ms: 8_000 })
  await nextOrder({ kind: 'dropAfterCommit' })
  const { report } = await machine.run('late', BUY)
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
  await expectTiesOut([report.orderId])
})

test('a business refusal ends REJECTED after the fence', async () => {
  await nextOrder({ kind: 'errorBeforeCommit', status: 422, code: 'unprocessable' })
  const { status, report } = await machine.run('refused', BUY)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('unprocessable') })
  expect(machine.statesOf('refused')).toContain('WaitForFence')
  await expectTiesOut([])
})

test('after a refusal of the key the run waits past the fence for the right key, and then places one order', async () => {
  await nextOrder({ kind: 'errorBeforeCommit', status: 403, code: 'two_factor_required' })
  const { report } = await machine.run('other-key', BUY)
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 2 })
  expect(machine.statesOf('other-key')).toEqual(expect.arrayContaining(['WaitForFence', 'WaitForTurn']))
  await expectTiesOut([report.orderId])
})

test('an invalid request ends REJECTED, naming its field', async () => {
  const { report } = await machine.run('wrong', { ...BUY, amount: 250 })
  expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('input.amount') })
  await expectTiesOut([])
})

test('an execution whose name looks like an entry of another intent is rejected, naming its name', async () => {
  const { report } = await machine.run('daily_2026-01-01', BUY)
  expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('quote.execution: expected') })
  await expectTiesOut([])
})

test('a service that never answers ends FAILED with nothing filled', async () => {
  await machine.control('/rules', { match: { path: '/v2/*', times: 'always' }, fault: { kind: 'dropBeforeCommit' } })
  const { status, report } = await machine.run('silent', BUY)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({
    outcome: 'FAILED',
    baseAmount: '0',
    fills: [],
    why: expect.stringContaining('Transient'),
  })
  await expectTiesOut([])
})

test('a service that cannot be read after the send needs a person; entered again, the intent finds its order', async () => {
  await machine.control('/rules', {
    match: { method: 'GET', path: '/v2/orders/*', times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' },
  })
  await nextOrder({ kind: 'dropAfterCommit' })
  const { status, error, report } = await machine.run('doubt', BUY)
  expect([status, error]).toEqual(['FAILED', 'NEEDS_ATTENTION'])
  expect(report).toMatchObject({ outcome: 'NEEDS_ATTENTION', orderId: expect.any(String) })

  await machine.clearRules()
  const again = await machine.run(entryName('doubt', 2), BUY)
  expect(again.report).toMatchObject({ outcome: 'FILLED', intentId: 'doubt', orderId: report.orderId, attempts: 1 })
  await expectTiesOut([report.orderId])
})

describe('a function killed at a journal write', () => {
  // A run that fills at once writes four records: the intent, its ARM, the claim, and DONE. Only a read is between 1
  // and 2, and between 3 and 4, so `before` there equals `after`.
  const kills = [
    [1, 'before'],
    [1, 'after'],
    [2, 'after'],
    [3, 'before'],
    [3, 'after'],
    [4, 'after'],
  ] as const
  test.each(kills)('write %i, killed %s it is applied: one movement', async (write, phase) => {
    let seen = 0
    machine.hook = (call) => {
      if (call.operation !== 'PutItem' || call.phase !== phase) return undefined
      seen += 1
      return seen === write ? 'kill-function' : undefined
    }
    const { report } = await machine.run(`killed-${phase}-${write}`, BUY)
    expect(report).toMatchObject({ outcome: 'FILLED' })
    expect(seen).toBeGreaterThanOrEqual(4)
    await expectTiesOut([report.orderId])
  })
})

test('ten executions at once are ten movements, each tied to its own intent', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `parallel-${at}`)
  const runs = await Promise.all(names.map((name) => machine.run(name, BUY)))
  expect(runs.every(({ report }) => report.outcome === 'FILLED')).toBe(true)
  expect(new Set(runs.map(({ report }) => report.orderId)).size).toBe(10)
  expect(await machine.movements()).toHaveLength(movedBefore + 10)
})
