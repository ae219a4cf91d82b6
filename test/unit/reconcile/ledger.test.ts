// Compares the ledger with the lists: entries too many, too few, or of another amount.
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditedEntry } from '../../../functions/reconcile/ports.ts'
import { audit, entry, fills, found, ledgerOf, order, startAnew, withdrawal, world } from './audited-world.ts'

const OLD_MS = Date.parse('2026-01-01T00:00:00.000Z')

beforeEach(startAnew)

describe('the ledger', () => {
  const withEntry = (...more: AuditedEntry[]) => {
    world.ledger = [...more, ...ledgerOf(world)]
  }

  test('has an entry of a withdrawal that no list shows', async () => {
    withEntry(entry({ type: 'withdrawal', id: 'row-9' }, '5'))
    expect(await found()).toEqual([['unlisted_entry', expect.stringContaining('row-9')]])
  })

  test('has an entry of a fill that is in no list, and whose order cannot be read', async () => {
    withEntry(entry({ type: 'FILL', id: 'f9' }, '5', { orderId: 'order-9' }))
    expect(await found()).toEqual([['unlisted_entry', expect.stringContaining('f9')]])
  })

  test('may have an entry of a fill from before the walk, whose order can be read', async () => {
    withEntry(entry({ type: 'fill', id: 'f0' }, '5'))
    expect(await found()).toEqual([])
  })

  test('has entries of movements that no intent claims and no list shows, though each can be read by its id', async () => {
    const hidden = { ...order, id: 'hidden', baseAmount: '0.7' }
    world.unlisted = { orders: [hidden], withdrawals: [{ ...withdrawal, id: 'row-9' }] }
    const [fill] = fills
    world.fills = [...fills, { ...fill, id: 'f9', orderId: hidden.id } as (typeof fills)[number]]
    withEntry(
      entry({ type: 'fill', id: 'f8' }, '1', { orderId: hidden.id }),
      entry({ type: 'withdrawal', id: 'row-9' }, '99'),
      entry({ type: 'withdrawal', id: 'row-9' }, '1'),
    )
    const { findings, orders, withdrawals } = await audit()
    expect(findings.map(({ finding, movementId }) => [finding, movementId])).toEqual([
      ['unclaimed_movement', 'hidden'],
      ['unclaimed_movement', 'row-9'],
    ])
    expect([orders, withdrawals]).toEqual([2, 2])
  })

  test('has entries of movements that no list shows, and that belong to their intents', async () => {
    world.unlisted = { orders: world.orders, withdrawals: world.withdrawals }
    world.ledger = ledgerOf(world)
    world.orders = []
    world.withdrawals = []
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', orders: 1, withdrawals: 1 })
  })

  test('has entries of movements from before the judged span, which need no explanation', async () => {
    const createdAt = '2026-01-20T00:00:00.000Z'
    world.unlisted = {
      orders: [{ ...order, id: 'old', createdAt }],
      withdrawals: [{ ...withdrawal, id: 'old-row', createdAt }],
    }
    withEntry(
      entry({ type: 'fill', id: 'f8' }, '1', { orderId: 'old' }),
      entry({ type: 'withdrawal', id: 'old-row' }, '99'),
    )
    expect(await found()).toEqual([])
  })

  test.each([
    [{ type: 'withdrawal', id: withdrawal.id }, '98', '100, 99, 1'],
    [{ type: 'fill', id: 'f1' }, '0.3', '0.2, 20'],
  ])('has an entry of %o over another amount', async (source, amount, figures) => {
    withEntry(entry(source, amount))
    expect(await found()).toEqual([['differing_entry', expect.stringContaining(figures)]])
  })

  test('has the fee and the arriving amount apart, and the refund later', async () => {
    const source = { type: 'withdrawal', id: withdrawal.id }
    withEntry(entry(source, '99'), entry(source, '1.00'), entry(source, '100', { type: 'REFUND' }))
    expect(await found()).toEqual([])
  })

  test('lacks the entries of a fill and of a withdrawal', async () => {
    world.ledger = ledgerOf(world).filter(({ source }) => source?.id !== 'f2' && source?.id !== withdrawal.id)
    expect(await found()).toEqual([
      ['missing_entry', expect.stringContaining('fill f2')],
      ['missing_entry', expect.stringContaining('withdrawal row-1')],
    ])
  })

  test('is judged even if its entries have no more than a source and an amount', async () => {
    world.ledger = ledgerOf(world).map((each) => ({
      ...each,
      id: null,
      type: null,
      assetSymbol: null,
      createdAt: null,
    }))
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', entries: 0 })
  })

  const old = (count: number, dateOf: (nth: number) => number = () => 0) =>
    Array.from({ length: count }, (_, nth) =>
      entry({ type: 'deposit', id: `old-${nth}` }, '1', { createdAt: new Date(OLD_MS + dateOf(nth)).toISOString() }),
    )

  test.each([
    ['whose dates fall', [...old(500, (nth) => -nth)], 0],
    ['behind younger ones', [...ledgerOf({ fills, withdrawals: [withdrawal] }), ...old(500)], 6],
  ])('is no longer read after five hundred consecutive older entries %s', async (_how, first, entries) => {
    world.ledger = [...first, ...ledgerOf(world)]
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', entries })
  })

  test.each([
    ['at one time', () => 0],
    ['one after the other', (nth: number) => nth],
  ])('is read to its end if the oldest come first, with six hundred older entries %s', async (_how, dateOf) => {
    world.ledger = [...old(600, dateOf), ...ledgerOf(world), entry({ type: 'withdrawal', id: 'unlisted' }, '100')]
    expect(await audit()).toMatchObject({
      entries: 7,
      findings: [{ finding: 'unlisted_entry', movementId: 'unlisted' }],
    })
  })
})

describe('a withdrawal without an entry in the ledger', () => {
  const withoutEntry = (status: string) => {
    world.withdrawals = [{ ...withdrawal, status }]
    world.ledger = ledgerOf({ fills, withdrawals: [] })
  }

  test.each(['PENDING', 'PROCESSING', 'FAILED', 'CANCELLED'])('is no finding while it is %s', async (status) => {
    withoutEntry(status)
    expect(await found()).toEqual([])
  })

  test('is a finding once it is COMPLETED', async () => {
    withoutEntry('COMPLETED')
    expect(await found()).toEqual([['missing_entry', expect.stringContaining('withdrawal row-1')]])
  })

  test.each([
    ['a fill', 'fill', ['missing_entry']],
    ['a deposit', 'DEPOSIT', ['missing_entry']],
    // The types are an open set: it may be the withdrawal's type, so no entry is proven to be missing.
    ['something that is not described', 'MOVEMENT', []],
  ])('is judged so if the entries with its id are of %s', async (_what, type, types) => {
    withoutEntry('COMPLETED')
    world.ledger = [...(world.ledger ?? []), entry({ type, id: withdrawal.id }, '100', { orderId: order.id })]
    expect((await found()).map(([finding]) => finding)).toEqual(types)
  })
})
