// Tests the description's withdrawals and contacts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
let nowMs = 1_800_000_000_000
beforeAll(async () => {
  caller = await Caller.start({ clock: { nowMs: () => nowMs } })
})
afterAll(() => caller.sandbox.stop())

const withdraw = (body: object) => caller.signed('/v2/withdrawals', body)
const contactId = (reference: string) => caller.sandbox.contacts.find((contact) => contact.reference === reference)?.id

describe('creating a withdrawal', () => {
  test('deduct is the default: amount is the total debited', async () => {
    const before = await caller.balance('USDC')
    const { status, body } = await withdraw({
      assetSymbol: 'USDC',
      amount: '100',
      contactReference: 'cold-usdc-polygon',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ amount: '99.9', fee: '0.1', total: '100', status: 'PENDING', assetFormat: 'base' })
    expect(Number((await caller.balance('USDC')).balance)).toBe(Number(before.balance) - 100)
  })

  test('add: amount arrives, and the debit is amount and fee', async () => {
    const { body } = await withdraw({
      assetSymbol: 'USDC',
      amount: '100',
      feeMode: 'add',
      contactId: contactId('cold-usdc-polygon'),
    })
    expect(body).toMatchObject({ amount: '100', fee: '0.1', total: '100.1' })
  })

  test("the fee is that of the contact's network, not the asset's cheapest", async () => {
    const { body } = await withdraw({ assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' })
    expect(body).toMatchObject({ fee: '4', amount: '96', withdrawalData: { networkId: 'ETH', evmChainId: 1 } })
  })

  test('a fee changed by a control call is listed, and charged from then on', async () => {
    const to = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
    const fee = { assetSymbol: 'usdc', networkId: 'ETH', fee: '12' }
    const unknown = { ...fee, networkId: 'TRON' }
    await caller.control('POST', '/fee', fee)
    expect((await caller.get('/v2/assets/USDC')).body.networks[0]).toMatchObject({
      networkId: 'ETH',
      withdrawalFee: '12',
    })
    expect((await withdraw(to)).body).toMatchObject({ fee: '12', amount: '88' })
    await expect(caller.control('POST', '/fee', unknown)).rejects.toThrow('networkId')
    await caller.control('POST', '/fee', { ...fee, fee: '4' })
    expect((await withdraw(to)).body).toMatchObject({ fee: '4', amount: '96' })
  })

  test('the smallest amount is minimum plus fee under deduct, and the minimum under add', async () => {
    const to = { assetSymbol: 'USDC', contactReference: 'exchange-usdc-eth' }
    expectProblem(await withdraw({ ...to, amount: '13.999999' }), 422, 'unprocessable')
    expect((await withdraw({ ...to, amount: '14' })).body.amount).toBe('10')
    expectProblem(await withdraw({ ...to, amount: '9.999999', feeMode: 'add' }), 422, 'unprocessable')
    expect((await withdraw({ ...to, amount: '10', feeMode: 'add' })).body.total).toBe('14')
  })

  test.each([
    ['subsidiary', 'BTC', '0.5', 'INTERNAL'],
    ['house-bank-eur', 'EUR', '50', 'EXTERNAL_FIAT_BANK'],
  ])('feeMode has no effect on %s, which has no fee', async (contactReference, assetSymbol, amount, subType) => {
    for (const feeMode of ['deduct', 'add']) {
      const { body } = await withdraw({ assetSymbol, amount, contactReference, feeMode })
      expect(body).toMatchObject({ amount, fee: '0', total: amount, subType, withdrawalData: {} })
    }
  })

  test('an amount finer than the increment is truncated', async () => {
    const { body } = await withdraw({
      assetSymbol: 'USDC',
      amount: '20.1234567',
      contactReference: 'cold-usdc-polygon',
    })
    expect(body.total).toBe('20.123456')
  })

  test('a rebased ticker is a validation_error that names the settled code and the conversion', async () => {
    const answer = await withdraw({ assetSymbol: 'AAPLX', amount: '1', contactReference: 'equity-vault' })
    expectProblem(answer, 400, 'validation_error', {
      extensions: { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX', multiplier: '1.00245178' },
    })
    expect(answer.body.detail).toContain('AAPLSPV')
  })

  test('the settled code of an equity is withdrawn in settled units, and reads back rebased', async () => {
    const { body } = await withdraw({ assetSymbol: 'aaplspv', amount: '1', contactReference: 'equity-vault' })
    expect(body).toMatchObject({ assetSymbol: 'AAPLSPV', total: '1', multiplier: '1.00245178' })
    await caller.control('POST', '/multiplier', { assetSymbol: 'AAPLSPV', multiplier: '5' })
    const { body: rebased } = await caller.get(`/v2/withdrawals/${body.id}`)
    expect(rebased).toMatchObject({
      assetSymbol: 'AAPLX',
      total: '1.00245178',
      multiplier: '1.00245178',
      base: { asset: 'AAPLSPV', total: '1' },
    })
  })

  test.each([
    ['assetFormat in the body', { assetFormat: 'base' }, 400, 'validation_error'],
    ['an asset that does not match the contact', { assetSymbol: 'USDT' }, 422, 'unprocessable'],
    ['an unknown asset', { assetSymbol: 'NOPE' }, 400, 'validation_error'],
    ['an unknown contact', { contactReference: 'nobody' }, 422, 'unprocessable'],
    ['no contact', { contactReference: undefined }, 400, 'validation_error'],
    ['two contacts', { contactId: 'x' }, 400, 'validation_error'],
    ['a negative amount', { amount: '-5' }, 400, 'validation_error'],
    ['a JSON number', { amount: 5 }, 400, 'validation_error'],
    ['less than the fee', { amount: '0.05' }, 422, 'unprocessable'],
    ['less than an increment', { amount: '0.0000001' }, 422, 'unprocessable'],
    ['more than the balance', { amount: '100001' }, 422, 'unprocessable'],
    ['an unknown feeMode', { feeMode: 'split' }, 400, 'validation_error'],
  ])('%s is rejected, and nothing moves', async (_name, change, status, code) => {
    const before = (await caller.get('/v2/balances')).body
    const body = { assetSymbol: 'USDC', amount: '50', contactReference: 'cold-usdc-polygon', ...change }
    expectProblem(await withdraw(body), status as number, code as string)
    expect((await caller.get('/v2/balances')).body).toEqual(before)
  })

  test('under add the fee must be covered too', async () => {
    const { balance } = await caller.balance('ETH')
    const to = { assetSymbol: 'ETH', contactReference: 'cold-eth', amount: balance }
    expectProblem(await withdraw({ ...to, feeMode: 'add' }), 422, 'unprocessable')
    const { body } = await withdraw({ ...to, feeMode: 'deduct' })
    expect(body.total).toBe(balance)
    expect((await caller.balance('ETH')).balance).toBe('0')
    await caller.control('POST', '/balance', { assetSymbol: 'ETH', balance })
  })

  test('200 parallel withdrawals, together above the balance, never take it below zero', async () => {
    await caller.control('POST', '/balance', { assetSymbol: 'USDT', balance: '100' })
    const body = { assetSymbol: 'USDT', amount: '7', contactReference: 'supplier-usdt-tron' }
    const answers = await Promise.all(Array.from({ length: 200 }, () => withdraw(body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(14)
    expect(answers.filter(({ body }) => body.code === 'unprocessable')).toHaveLength(186)
    expect((await caller.balance('USDT')).balance).toBe('2')
  })
})

describe('the life cycle of a withdrawal', () => {
  const create = (reference: string, assetSymbol: string, amount: string) =>
    withdraw({ assetSymbol, amount, contactReference: reference }).then(({ body }) => body.id as string)
  const read = async (id: string) => (await caller.get(`/v2/withdrawals/${id}`)).body

  test('on chain: PENDING without a hash, then broadcast with one, then COMPLETED', async () => {
    const id = await create('cold-btc', 'BTC', '0.01')
    expect(await read(id)).toMatchObject({ status: 'PENDING', transactionHash: null, bankReference: null })
    nowMs += 2_000
    const broadcast = await read(id)
    expect(broadcast).toMatchObject({ status: 'PROCESSING', transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    nowMs += 3_000
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', transactionHash: broadcast.transactionHash })
  })

  test.each([
    ['house-bank-usd', 'USD', 'EXTERNAL_FIAT_BANK'],
    ['instant-clp', 'CLP', 'EXTERNAL_FIAT_REDPAY'],
  ])('to %s: the bank reference is set at confirmation, and there is no hash', async (reference, asset, subType) => {
    await caller.control('POST', '/balance', { assetSymbol: asset, balance: '50000' })
    const id = await create(reference, asset, '1000')
    expect(await read(id)).toMatchObject({ status: 'PENDING', bankReference: null, subType })
    nowMs += 5_000
    const done = await read(id)
    expect(done).toMatchObject({ status: 'COMPLETED', transactionHash: null })
    expect(done.bankReference).toMatch(/^.{3,19}$/)
  })

  test('to another account: COMPLETED at once, without hash and reference', async () => {
    const id = await create('subsidiary', 'ETH', '1')
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', transactionHash: null, bankReference: null })
  })

  test('a withdrawal that fails after acceptance returns the full total, with its fee', async () => {
    const before = await caller.balance('BTC')
    await caller.rule('POST', '/v2/withdrawals', { kind: 'failLater', afterMs: 4_000 })
    const id = await create('cold-btc', 'BTC', '0.02')
    expect((await caller.balance('BTC')).balance).not.toBe(before.balance)
    nowMs += 4_000
    expect(await read(id)).toMatchObject({ status: 'FAILED' })
    expect((await caller.balance('BTC')).balance).toBe(before.balance)
    const { body } = await caller.get(`/v2/ledger?sourceId=${id}`)
    expect(body.data.map(({ type, amount }: { type: string; amount: string }) => [type, amount])).toEqual([
      ['WITHDRAWAL_REFUND', '0.02'],
      ['WITHDRAWAL', '0.02'],
    ])
  })

  test('a withdrawal moved to PROCESSING by a control call still completes by itself', async () => {
    const chain = await create('cold-btc', 'BTC', '0.01')
    const bank = await create('house-bank-usd', 'USD', '100')
    for (const id of [chain, bank]) await caller.control('POST', `/withdrawals/${id}`, { status: 'PROCESSING' })
    expect(await read(chain)).toMatchObject({ status: 'PROCESSING', transactionHash: expect.any(String) })
    expect(await read(bank)).toMatchObject({ status: 'PROCESSING', bankReference: null })
    nowMs += 5_000
    expect(await read(chain)).toMatchObject({ status: 'COMPLETED' })
    expect(await read(bank)).toMatchObject({ status: 'COMPLETED', bankReference: expect.any(String) })
  })

  test('a control call completes or fails a withdrawal, and its own steps do not follow', async () => {
    const first = await create('cold-btc', 'BTC', '0.01')
    await caller.control('POST', `/withdrawals/${first}`, { status: 'COMPLETED' })
    expect(await read(first)).toMatchObject({ status: 'COMPLETED', transactionHash: expect.any(String) })
    const second = await create('cold-btc', 'BTC', '0.01')
    await caller.control('POST', `/withdrawals/${second}`, { status: 'FAILED' })
    nowMs += 60_000
    expect(await read(second)).toMatchObject({ status: 'FAILED', transactionHash: null })
    await expect(caller.control('POST', `/withdrawals/${second}`, { status: 'COMPLETED' })).rejects.toThrow('already')
  })
})

describe('listing withdrawals', () => {
  test.each([
    ['assetSymbol=aaplx', 1],
    ['status=FAILED', 2],
    ['status=NOPE', 0],
    ['subType=EXTERNAL_FIAT_REDPAY', 1],
    ['subType=NETWORK_FEE', 0],
    ['startDate=2100-01-01', 0],
    ['endDate=2000-01-01', 0],
  ])('?%s', async (query, count) => {
    expect((await caller.get(`/v2/withdrawals?${query}`)).body.pagination.totalItems).toBe(count)
  })

  test('newest first, one row each with its fee, in the requested representation', async () => {
    const { body: rebased } = await caller.get('/v2/withdrawals?limit=100')
    const times = rebased.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    const { body: base } = await caller.get('/v2/withdrawals?limit=100&assetFormat=base')
    for (const row of base.data)
      expect(row).toMatchObject({ type: 'WITHDRAWAL', assetFormat: 'base', ...amounts(row.base) })
    expect(rebased.data.map(({ base }: { base: object }) => base)).toEqual(
      base.data.map(({ base }: { base: object }) => base),
    )
  })

  test('an unknown id is not_found', async () => {
    expectProblem(await caller.get('/v2/withdrawals/unknown'), 404, 'not_found')
  })
})

describe('contacts', () => {
  test('contacts of every type exist, with the details of their type', async () => {
    const { body } = await caller.get('/v2/contacts')
    const details = new Map<string, string[]>()
    for (const contact of body.data) details.set(contact.type, Object.keys(contact).slice(6))
    expect(Object.fromEntries(details)).toEqual({ EXTERNAL_CRYPTO: ['crypto'], BANK_ACCOUNT: ['bank'], INTERNAL: [] })
  })

  test('they filter by type, and a crypto contact joins its asset on networkId', async () => {
    const { body } = await caller.get('/v2/contacts?type=EXTERNAL_CRYPTO')
    for (const { crypto } of body.data) {
      const { body: asset } = await caller.get(`/v2/assets/${crypto.assetSymbol}`)
      expect(asset.networks.map(({ networkId }: { networkId: string }) => networkId)).toContain(crypto.networkId)
    }
    expectProblem(await caller.get('/v2/contacts?type=BANK'), 400, 'validation_error')
  })

  test('PATCH changes the label, never the destination', async () => {
    const id = contactId('cold-eth')
    const { body: before } = await caller.get(`/v2/contacts/${id}`)
    nowMs += 1_000
    const { body } = await caller.patch(`/v2/contacts/${id}`, { reference: 'vault-eth' })
    expect(body).toEqual({ ...before, reference: 'vault-eth', updatedAt: expect.not.stringMatching(before.updatedAt) })
    expect((await caller.get(`/v2/contacts/${id}`)).body).toEqual(body)
    const { body: withdrawal } = await withdraw({ assetSymbol: 'ETH', amount: '0.1', contactReference: 'vault-eth' })
    expect(withdrawal.withdrawalData.networkId).toBe('ETH')
    for (const field of ['networkId', 'assetSymbol', 'crypto', 'type']) {
      expectProblem(await caller.patch(`/v2/contacts/${id}`, { [field]: 'x' }), 400, 'validation_error')
    }
  })

  test('the reference of another contact is unprocessable, and an empty change invalid', async () => {
    const id = contactId('cold-btc')
    expectProblem(await caller.patch(`/v2/contacts/${id}`, { reference: 'subsidiary' }), 422, 'unprocessable')
    expectProblem(await caller.patch(`/v2/contacts/${id}`, {}), 400, 'validation_error')
    expectProblem(await caller.patch(`/v2/contacts/${id}`, { alias: '  ' }), 400, 'validation_error')
    expectProblem(await caller.patch('/v2/contacts/unknown', { alias: 'x' }), 404, 'not_found')
  })

  test('an alias that two contacts share is ambiguous', async () => {
    await caller.patch(`/v2/contacts/${contactId('cold-usdc-polygon')}`, { alias: 'Twin' })
    await caller.patch(`/v2/contacts/${contactId('exchange-usdc-eth')}`, { alias: 'Twin' })
    expectProblem(await withdraw({ assetSymbol: 'USDC', amount: '50', contactReference: 'Twin' }), 422, 'unprocessable')
  })

  test('they are not created through the API', async () => {
    expectProblem(await caller.post('/v2/contacts', { alias: 'x' }), 404, 'not_found')
  })
})

test('the books balance after all of this', async () => {
  expect((await caller.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
})

function amounts({ amount, fee, total }: Record<string, string>): object {
  return { amount, fee, total }
}
