// Lists and single movements: which parts of an answer are read, and how they are requested. All movements with rebased
// figures are also read rebased.
import { describe, expect, it } from 'vitest'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { all, asking } from './asking.ts'
import {
  BALANCE,
  CONTACT,
  cursorPage,
  DEPOSIT,
  ENTRY,
  FILL,
  ORDER,
  offsetPage,
  WITHDRAWAL,
} from './movement-answers.ts'

describe('a rebased read', () => {
  const cases: readonly [string, unknown, (client: ServiceClient) => Promise<unknown>, unknown, unknown][] = [
    [
      'a withdrawal',
      WITHDRAWAL,
      (client) => client.rebased.withdrawal('w-1'),
      { assetSymbol: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1', networkId: 'SOLANA' },
      { assetSymbol: 'AAPLX', amount: '4', fee: '0.2', total: '4.2' },
    ],
    [
      'an order',
      ORDER,
      (client) => client.rebased.order('o-1'),
      { baseAsset: 'AAPLSPV', baseAmount: '2', rate: '100' },
      {
        baseAsset: 'AAPLX',
        quoteAsset: 'USD',
        baseAmount: '4',
        filledBaseAmount: '4',
        quoteAmount: '200',
        filledQuoteAmount: '200',
        rate: '50',
      },
    ],
    [
      'a fill',
      cursorPage(FILL),
      async (client) => (await all(client.rebased.walkFills()))[0],
      { baseAsset: 'AAPLSPV', baseAmount: '2', rate: '100', order: { status: 'FILLED', filledBaseAmount: '2' } },
      {
        baseAsset: 'AAPLX',
        quoteAsset: 'USD',
        baseAmount: '4',
        quoteAmount: '200',
        rate: '50',
        filledBaseAmount: '4',
        filledQuoteAmount: '200',
      },
    ],
    [
      'a balance',
      [BALANCE],
      async (client) => (await client.rebased.balances())[0],
      { assetSymbol: 'AAPLSPV', balance: '2', balanceFrozen: '1' },
      {
        assetSymbol: 'AAPLX',
        balance: '4',
        balanceFrozen: '2',
        balancePending: '0',
        balanceCapacityTotal: '10',
        balanceCapacityAvailable: '8',
        balanceCapacitySpent: '2',
      },
    ],
    [
      'a deposit',
      offsetPage(DEPOSIT),
      async (client) => (await all(client.rebased.walkDeposits()))[0],
      { assetSymbol: 'AAPLSPV', amount: '2', multiplier: '2' },
      { assetSymbol: 'AAPLX', amount: '4' },
    ],
  ]

  it.each(cases)('of %s keeps the settled figures where they are, and the others apart', async (...row) => {
    const [, json, ask, settled, rebased] = row
    const { result } = await asking(json, ask)
    expect(result).toMatchObject(settled as object)
    expect((result as { rebased: unknown }).rebased).toEqual(rebased)
  })

  it('a rebased read that is answered in other units is a Defect', async () => {
    const { error } = await asking({ ...ORDER, assetFormat: 'base' }, (client) => client.rebased.order('o-1'))
    expect(error).toMatchObject({ name: 'Defect', message: expect.stringContaining('assetFormat is not as promised') })
  })
})

describe('a settled read', () => {
  it('a settled read of withdrawals and deposits uses the base block', async () => {
    const settled = { assetSymbol: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1', multiplier: '2' }
    const one = await asking(WITHDRAWAL, (client) => client.findWithdrawal('w-1'))
    expect(one.result).toMatchObject(settled)
    expect(one.sent?.target).toBe('/v2/withdrawals/w-1?assetFormat=base')
    const list = await asking(offsetPage(WITHDRAWAL), (client) =>
      client.listWithdrawals({ assetSymbol: 'AAPLSPV' }, 10),
    )
    expect(list.result).toMatchObject([settled])
    expect(list.sent?.target).toBe('/v2/withdrawals?page=1&limit=100&assetSymbol=AAPLSPV&assetFormat=base')
    const deposits = await asking(offsetPage(DEPOSIT), (client) => all(client.walkDeposits()))
    expect(deposits.result).toMatchObject([{ assetSymbol: 'AAPLSPV', amount: '2' }])
    const odd = { ...DEPOSIT, base: { ...DEPOSIT.base, amount: '0E-8' } }
    const shown = await asking(offsetPage(odd), (client) => all(client.walkDeposits()))
    expect(shown.result).toMatchObject([{ assetSymbol: 'AAPLSPV', amount: 'unreadable: 0E-8' }])
  })

  it.each(['1e3', '-1', '1,5', 'NaN', '9'.repeat(31), 2])(
    'is a Defect with the total %j, whose value it does not repeat',
    async (total) => {
      const broken = { ...WITHDRAWAL, base: { ...WITHDRAWAL.base, total } }
      const { error } = await asking(broken, (client) => client.findWithdrawal('w-1'))
      expect(error).toMatchObject({ name: 'Defect' })
      expect(String(error)).toContain('base.total is not as promised')
      if (String(total).length > 3) expect(String(error)).not.toContain(String(total))
    },
  )

  it('a settled read of a withdrawal without a readable time is a Defect, because the time separates it from earlier rows', async () => {
    for (const createdAt of ['yesterday', '2026-01-31', '2026-01-31T09:00:00'])
      expect((await asking({ ...WITHDRAWAL, createdAt }, (c) => c.withdrawal('w-1'))).error).toMatchObject({
        name: 'Defect',
        message: expect.stringContaining('createdAt is not as promised'),
      })
  })

  it('may have a status, a sub-type or a kind of contact that is newer than this client', async () => {
    const { result } = await asking({ ...WITHDRAWAL, status: 'HELD', subType: 'CARD' }, (c) => c.withdrawal('w-1'))
    expect(result).toMatchObject({ status: 'HELD', subType: 'CARD' })
    const contact = await asking({ ...CONTACT, type: 'CARD', crypto: undefined }, (c) => c.contact('c-1'))
    expect(contact.result).toMatchObject({ type: 'CARD' })
  })

  it('a settled read of a withdrawal off chain has null for a network that the description does not promise', async () => {
    const { result } = await asking(
      { ...WITHDRAWAL, subType: 'EXTERNAL_FIAT_BANK', bankReference: 'REF-1', withdrawalData: { iban: 'X' } },
      (client) => client.withdrawal('w-1'),
    )
    expect(result).toMatchObject({ networkId: null, evmChainId: null, bankReference: 'REF-1' })
  })

  it('a settled read of entries and deposits in unknown shapes gives null for unreadable fields', async () => {
    const odd = { id: 7, amount: 1e99, source: 'FILL', createdAt: null, more: true }
    const ledger = await asking(offsetPage(odd), (client) => all(client.walkLedger()))
    expect(ledger.result).toEqual([
      { id: null, type: null, assetSymbol: null, amount: null, source: null, orderId: null, createdAt: null },
    ])
  })

  it('an amount of the ledger in another notation counts as unreadable, and its text is kept', async () => {
    const odd = { ...ENTRY, amount: '0E-8' }
    const ledger = await asking(offsetPage(odd), (client) => all(client.walkLedger()))
    expect(ledger.result).toEqual([{ ...ENTRY, amount: null, amountShown: '0E-8' }])
  })
})

describe('a record that differs from the requested one', () => {
  it.each<[string, unknown, (client: ServiceClient) => Promise<unknown>]>([
    ['withdrawal', WITHDRAWAL, (client) => client.withdrawal('w-2')],
    ['contact', CONTACT, (client) => client.contact('c-2')],
    ['renamed contact', CONTACT, (client) => client.renameContact('c-2', { alias: 'New' })],
    ['fill of an order', cursorPage(FILL), (client) => all(client.walkFillsOf('o-2'))],
  ])('is a Defect: %s', async (_what, json, ask) => {
    expect((await asking(json, ask)).error).toMatchObject({ name: 'Defect' })
  })
})

describe('renaming a contact', () => {
  it('sends the given labels, as JSON, with the bearer secret and no signature', async () => {
    const { result, sent } = await asking(CONTACT, (client) => client.renameContact('c-1', { alias: 'Cold ü' }))
    expect(result).toMatchObject({ id: 'c-1', alias: 'Cold storage' })
    expect(sent).toMatchObject({ method: 'PATCH', target: '/v2/contacts/c-1' })
    expect(sent?.body.toString()).toBe('{"alias":"Cold ü"}')
    expect(sent?.headers['x-api-key']).toBeUndefined()
  })

  it.each([{}, { alias: '' }, { alias: 'a\nb' }, { reference: 'x'.repeat(257) }])(
    'to %j is refused before anything leaves',
    async (labels) => {
      const { error, sent } = await asking(CONTACT, (client) => client.renameContact('c-1', labels))
      expect(error).toMatchObject({ name: 'Refused' })
      expect(sent).toBeUndefined()
    },
  )
})
