// Somebody who can write the journal changes an intent's record between two steps, with a complete chain and hash. Only
// what the execution itself asked for and settled is sent.
import { describe, expect, test } from 'vitest'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { findUnfollowed } from '../../../core/movements/follows.ts'
import { hashParams } from '../../../core/params-hash.ts'
import { order } from '../../../functions/order/order.ts'
import { withdraw } from '../../../functions/withdraw/withdraw.ts'
import { enterOrder } from '../../helpers/entered.ts'
import { fakeWithdrawalPorts, WITHDRAW_REQUEST } from '../../helpers/fake-withdrawal-service.ts'
import { intentOf, quoted } from '../order/quoted-order.ts'

type Fields = Record<string, unknown>
type Records = ReadonlyMap<string, StoredRecord>
interface Store {
  readonly records: Records
  replace(record: StoredRecord, version: number): Promise<unknown>
}

/** `change`: of the record's params and frozen. */
async function edit(
  store: Store,
  change: { params?: Fields; frozen?: Fields; notAfter?: string; paramsHash?: string },
) {
  const [record] = [...store.records.values()].filter(({ intentId }) => intentId === 'intent-1')
  if (record === undefined) throw new Error('there is no record to edit')
  const { params, frozen, ...others } = change
  const edited = {
    ...{ ...record, ...others },
    params: { ...(record.params as Fields), ...params },
    frozen: { ...(record.frozen as Fields), ...frozen },
  }
  await store.replace({ ...edited, version: record.version + 1, stamp: 'insider' }, record.version)
}

const OTHER = { contactId: 'thief', alias: 'Thief', reference: null, type: 'INTERNAL', assetSymbol: null }
const PAYEE = { ...OTHER, networkId: null, bank: null, updatedAt: '2025-01-01T00:00:00Z' }

describe('a checked withdrawal', () => {
  const forged = { ...WITHDRAW_REQUEST, amount: '4321', contactId: 'thief' }
  test.each<[string, Parameters<typeof edit>[1]]>([
    ['frozen.amount', { frozen: { amount: '4321', total: '4321' } }],
    ['frozen.amount', { frozen: { increment: '1000' } }],
    ['frozen.contactId', { frozen: { contactId: 'thief', payee: PAYEE } }],
    ['frozen.payee', { frozen: { payee: PAYEE } }],
    ['frozen.subTypes', { frozen: { subTypes: ['EXTERNAL_CRYPTO'] } }],
    ['frozen.networkId', { frozen: { networkId: 'TRON' } }],
    ['frozen.assetSymbol', { frozen: { assetSymbol: 'BTC' } }],
    ['frozen.feeMode', { frozen: { feeMode: 'add' } }],
    ['frozen.fee', { frozen: { fee: '1' } }],
    ['frozen.total', { frozen: { total: '1' } }],
    ['notAfter', { notAfter: '2099-01-01T00:00:00.000Z' }],
    ['params', { params: { amount: '4321', contactId: 'thief' } }],
    ['params', { params: forged, frozen: { amount: '4321' }, paramsHash: hashParams(forged) }],
  ])('is not sent if its %s was changed: %o', async (field, change) => {
    const { check, ports, shared, world } = fakeWithdrawalPorts()
    const said = await check()
    await edit(shared.store, change)
    const input = { request: WITHDRAW_REQUEST, said }
    await expect(withdraw(input, ports)).rejects.toThrow(`its ${field} is not as it was asked for`)
    expect(world.sends).toBe(0)
  })

  test.each<[string, Parameters<typeof edit>[1]]>([
    ['the account', { frozen: { account: 'account-2' } }],
    ['the value of a unit, by which bounds are held', { frozen: { unitValues: { USD: '0.0001' } } }],
  ])('returns to its checks, which settle it again, if %s was changed', async (_, change) => {
    const { check, ports, shared, send, world, intent } = fakeWithdrawalPorts()
    const said = await check()
    const before = await intent()
    await edit(shared.store, change)
    expect(await withdraw({ request: WITHDRAW_REQUEST, said }, ports)).toMatchObject({ outcome: 'AGAIN' })
    expect(world.sends).toBe(0)
    await check()
    expect(await intent()).toMatchObject({ frozen: before?.frozen })
    expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
  })

  test('is not checked again if its record is not of its request', async () => {
    const { check, shared } = fakeWithdrawalPorts()
    await check()
    await edit(shared.store, { frozen: { contactId: 'thief', payee: PAYEE } })
    await expect(check()).rejects.toThrow('its frozen.contactId is not as it was asked for')
  })
})

describe('a quoted conversion', () => {
  test.each<[string, Parameters<typeof edit>[1]]>([
    ['frozen.amount', { frozen: { amount: '9' } }],
    ['frozen.maxSlippageBps', { frozen: { maxSlippageBps: 9_999 } }],
    ['frozen.referenceRate', { frozen: { referenceRate: undefined } }],
    ['params', { params: { quoteAsset: 'USDT' } }],
  ])('is not ordered if its %s was changed: %o', async (field, change) => {
    const { ports, input } = await quoted({}, {}, { maxSlippageBps: 10 })
    const request = (await intentOf(ports))?.params
    await edit(ports.store, change)
    await expect(order({ request, said: input }, ports)).rejects.toThrow(`its ${field} is not as it was asked for`)
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('returns to Quote, which settles it again, if its reference rate was changed', async () => {
    const { ports, input } = await quoted({}, {}, { maxSlippageBps: 10 })
    await edit(ports.store, { frozen: { referenceRate: '1' } })
    expect(await enterOrder(input, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED' })
    expect(ports.fake.sentOrders).toEqual([])
  })
})

test('if an intent ended before its terms were settled, its params are compared with their hash', async () => {
  const { check, intent } = fakeWithdrawalPorts()
  await check({ most: '1' })
  const ended = await intent()
  if (ended === undefined) throw new Error('it was opened')
  expect(ended.state).toBe('REJECTED')
  expect(findUnfollowed(ended)).toBeUndefined()
  expect(findUnfollowed({ ...ended, paramsHash: 'ab' })).toBe('params')
})
