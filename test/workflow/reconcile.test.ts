// The deployed audit ties out the movements of intents, and finds each that no intent claims.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import type { ReconcileReport } from '../../core/contract/reconcile.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { parseKeyMaterial } from '../../core/keys/key-material.ts'
import { staticKeySource } from '../../core/keys/key-source.ts'
import { settledAmount } from '../../core/money/amount.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import { useMachines } from './machines.ts'

const CONVERT = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.01' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const AN_HOUR_MS = 3_600_000

const logged: string[] = []
const machine = useMachines({
  optionsFor: () => ({ onFunctionLog: (name, line) => name === 'sluice-reconcile' && logged.push(line) }),
})
beforeAll(async () => {
  // From here on each audit continues where the one before ended.
  await machine.reconcile()
})
afterEach(async () => {
  logged.length = 0
})

/** Old enough that all movements so far are judged. */
const anHourLater = () => machine.pass(AN_HOUR_MS)

/** Somebody acts at the service with this key of the account, without the journal. */
async function byHand<Done>(role: KeyRole, act: (client: ServiceClient) => Promise<Done>): Promise<Done> {
  const material = parseKeyMaterial(JSON.stringify(machine.sandbox.keys.full), { stage: 'test', role })
  const key = staticKeySource(material)
  const client = createServiceClient({ baseUrl: machine.sandbox.baseUrl, key, clock: systemClock, newId: randomUUID })
  try {
    return await act(client)
  } finally {
    client.close()
  }
}

const withdrawByHand = (amount: string) =>
  byHand('transfer', async (client) => {
    const [contact] = (await client.contacts()).filter(({ reference }) => reference === SEND.contactReference)
    const request = { amount: settledAmount('USDC', amount, 'amount'), contactId: contact?.id ?? '' }
    const answer = await (await client.prepareWithdrawal({ ...request, feeMode: 'deduct' }, 30)).send()
    return answer.kind === 'accepted' ? answer.withdrawal.id : answer.kind
  })

const tradeByHand = () =>
  byHand('trade', async (client) => {
    const { orderId } = await client.createQuote({ ...CONVERT, side: 'BUY' })
    await (await client.prepareOrder(orderId, 30)).send()
    return orderId
  })

test('the movements of intents tie out, conversions and withdrawals, also after lost answers', async () => {
  for (const path of ['/v2/orders', '/v2/withdrawals']) {
    await machine.control('/rules', { match: { method: 'POST', path, times: 1 }, fault: { kind: 'dropAfterCommit' } })
  }
  await Promise.all([
    machine.run('convert', CONVERT),
    machine.withdraw('withdraw', SEND),
    machine.run('sell', { ...CONVERT, side: 'SELL' }),
  ])
  await anHourLater()
  expect(await machine.reconcile()).toMatchObject({
    outcome: 'TIES_OUT',
    ...{ orders: 2, fills: 2, withdrawals: 1, intents: 3, foreign: 0, findingsTotal: 0 },
  })
})

test('each audit continues where the one before ended; an audit of the past does not advance this', async () => {
  const { through } = await machine.reconcile()
  await anHourLater()
  const since = new Date(Date.parse(through) - 10 * 24 * AN_HOUR_MS).toISOString()
  expect(await machine.reconcile({ since })).toMatchObject({ since })
  expect((await machine.reconcile()).since).toBe(through)
})

test('an audit writes one record, its watermark', async () => {
  const written: unknown[] = []
  machine.hook = ({ operation, body, phase }) => {
    if (operation === 'PutItem' && phase === 'before') written.push((body as { Item: { pk: unknown } }).Item.pk)
    return undefined
  }
  await machine.reconcile()
  expect(written).toEqual([{ S: 'W#reconcile' }])
})

test.each([
  ['a withdrawal', 'withdrawal', () => withdrawByHand('50')],
  ['an order', 'order', tradeByHand],
])('%s that no intent claims is found, once, in the report and in the log', async (_what, movement, moveByHand) => {
  const movementId = await moveByHand()
  expect((await machine.reconcile()).findings).toEqual([])
  await anHourLater()
  const { outcome, findings } = await machine.reconcile()
  expect(outcome).toBe('FINDINGS')
  expect(findings).toEqual([expect.objectContaining({ finding: 'unclaimed_movement', movement, movementId })])
  expect(logged.map((line) => line.slice(line.indexOf('{'))).map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'error', ...findings[0], AuditFindings: 1 }),
  )
  expect((await machine.reconcile()).findings).toEqual([])
})

test.each(['daily', 'behind'])('with %s rows, a withdrawal that no intent claims is found, once', async (rows) => {
  await machine.reconcile()
  await machine.control('/manners', { rows: [rows] })
  const movementId = await withdrawByHand('51')
  await machine.control('/manners', { rows: [] })
  await anHourLater()
  expect((await machine.reconcile()).findings).toEqual([
    expect.objectContaining({ finding: 'unclaimed_movement', movement: 'withdrawal', movementId }),
  ])
  await anHourLater()
  expect((await machine.reconcile()).findings).toEqual([])
})

test('with daily rows, a withdrawal of ours under way is no finding', async () => {
  await machine.control('/manners', { rows: ['daily'] })
  let audited: ReconcileReport | undefined
  machine.hook = async ({ operation, body, phase }) => {
    const { Item } = body as { Item?: { pk: { S: string } } }
    // The row exists, and its claim is not written yet.
    if (operation === 'PutItem' && phase === 'before' && Item?.pk.S.startsWith('C#withdraw#'))
      audited ??= await machine.reconcile()
    return undefined
  }
  await machine.withdraw('daily', SEND)
  await machine.control('/manners', { rows: [] })
  expect(audited).toMatchObject({ findings: [] })
  await anHourLater()
  expect((await machine.reconcile()).findings).toEqual([])
})

test('an intent left ARMED is overdue after its fence, until it is entered again', async () => {
  await machine.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 1 },
    fault: { kind: 'dropAfterCommit' },
  })
  await machine.control('/rules', {
    match: { method: 'GET', path: '/v2/orders/*', times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' },
  })
  expect((await machine.run('left', CONVERT)).report.outcome).toBe('NEEDS_ATTENTION')
  await machine.clearRules()
  await anHourLater()
  const { findings } = await machine.reconcile()
  expect(findings.map(({ finding, intentId }) => [finding, intentId])).toEqual(
    expect.arrayContaining([['overdue_intent', 'left']]),
  )
  expect((await machine.run('left_2', CONVERT)).report.outcome).toBe('FILLED')
  expect((await machine.reconcile()).findings).toEqual([])
})
