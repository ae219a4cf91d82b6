import { beforeEach, describe, expect, test } from 'vitest'
import type { Finding, ReconcileInput } from '../../../core/contract/reconcile.ts'
import { FOREIGN, IntentKind, IntentState, listing } from '../../../core/contract/records.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import { Transient } from '../../../core/errors.ts'
import { createWatermarks, type Watermarks } from '../../../core/journal/watermarks.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import type { AuditedEntry, AuditedFill, AuditedOrder, ReconcilePorts } from '../../../functions/reconcile/ports.ts'
import { reconcile } from '../../../functions/reconcile/reconcile.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const timing = timingSchema.parse({})
const NOW = '2026-02-01T12:00:00.000Z'
const NOW_S = Date.parse(NOW) / 1000
const YESTERDAY = '2026-01-31T12:00:00.000Z'
const EARLIER = '2026-02-01T10:00:00.000Z'

const order: AuditedOrder = {
  ...{ id: 'order-1', status: 'FILLED', side: 'BUY', market: 'BTC-USDC', createdAt: EARLIER, rate: '100' },
  ...{ baseAmount: '0.5', filledBaseAmount: '0.5', quoteAmount: '50', filledQuoteAmount: '50' },
}
const fills: readonly AuditedFill[] = [
  { id: 'f1', orderId: order.id, sequence: 1, baseAmount: '0.2', quoteAmount: '20', rate: '100', executedAt: EARLIER },
  { id: 'f2', orderId: order.id, sequence: 2, baseAmount: '0.3', quoteAmount: '30', rate: '100', executedAt: EARLIER },
]
const withdrawal: WithdrawalState = {
  ...{ id: 'row-1', subType: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'eth', status: 'COMPLETED' },
  ...{ amount: '99', fee: '1', total: '100', createdAt: EARLIER, transactionHash: null, bankReference: null },
}

/** As claims name them. */
const ORDER = `${IntentKind.Convert} ${order.id}`
const WITHDRAWAL = `${IntentKind.Withdraw} ${withdrawal.id}`

const entry = (source: AuditedEntry['source'], amount: string, more: Partial<AuditedEntry> = {}): AuditedEntry => ({
  ...{ id: `entry-${source?.id}-${amount}`, type: 'DEBIT', assetSymbol: 'USDC', amount, source },
  ...{ orderId: source?.type === 'fill' ? order.id : null, createdAt: EARLIER, ...more },
})
/** What the lists show, posted. */
const ledgerOf = ({ fills, withdrawals }: Pick<World, 'fills' | 'withdrawals'>): readonly AuditedEntry[] => [
  ...fills.flatMap(({ id, baseAmount, quoteAmount }) => [
    entry({ type: 'fill', id }, baseAmount),
    entry({ type: 'fill', id }, quoteAmount),
  ]),
  ...withdrawals.map(({ id, total }) => entry({ type: 'withdrawal', id }, total)),
  entry({ type: 'deposit', id: 'deposit-1' }, '7'),
]

const armedAt = (time: string) => ({ iat: Date.parse(time) / 1000, exp: Date.parse(time) / 1000 + 30 })
const base = { version: 3, attemptNumber: 1, notAfter: EARLIER, state: IntentState.Done }
const conversion = {
  ...{ ...base, intentId: 'convert-1', kind: IntentKind.Convert, ref: order.id, params: { side: 'BUY' } },
  attempt: {
    ...armedAt(EARLIER),
    ...{ orderId: order.id, quoteExpiresAt: null, terms: { baseAmount: '0.5', quoteAmount: '50' } },
  },
}
const payment = {
  ...{ ...base, intentId: 'withdraw-1', kind: IntentKind.Withdraw, ref: withdrawal.id, attempt: armedAt(EARLIER) },
  frozen: {
    ...{ assetSymbol: 'USDC', amount: '100', feeMode: 'deduct', subTypes: ['EXTERNAL_CRYPTO'], networkId: 'eth' },
    ...{ fee: '1', total: '100' },
  },
}

interface World {
  orders: AuditedOrder[]
  fills: readonly AuditedFill[]
  withdrawals: WithdrawalState[]
  /** Undefined: what the lists show, posted. */
  ledger: readonly AuditedEntry[] | undefined
  /** By kind and movement. */
  claims: Record<string, string>
  intents: { intentId: string; state: string; attempt?: { iat: number } }[]
  isShared: boolean
  /** Whether the walk of withdrawals fails. */
  isCutShort: boolean
  told: Finding[]
  watermarks: Watermarks
  nowS: number
}
let world: World
beforeEach(() => {
  let stamps = 0
  world = {
    ...{
      orders: [order],
      fills,
      withdrawals: [withdrawal],
      ledger: undefined,
      isShared: false,
      isCutShort: false,
      told: [],
      nowS: NOW_S,
    },
    claims: { [ORDER]: conversion.intentId, [WITHDRAWAL]: payment.intentId },
    intents: [conversion, payment],
    watermarks: createWatermarks(createMemoryStore(), () => `stamp-${++stamps}`),
  }
})

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void> {
  yield* items
}

function audit(input: ReconcileInput = {}) {
  const listed = ({ state, attempt }: World['intents'][number]) =>
    state === IntentState.Done ? listing.doneInHour(Math.floor((attempt?.iat ?? 0) / 3600)) : listing.open
  const ports: ReconcilePorts = {
    journal: {
      find: async (id) => world.intents.find(({ intentId }) => intentId === id) as never,
      findClaim: async (kind, id) => world.claims[`${kind} ${id}`],
    },
    index: { list: async (name) => world.intents.filter((intent) => listed(intent) === name).map((i) => i.intentId) },
    watermarks: world.watermarks,
    service: {
      clock: {
        measure: async () => {},
        ensure: async () => {},
        nowMs: () => 0,
        reachedMs: () => world.nowS * 1000,
        atMostMs: () => world.nowS * 1000,
      },
      walkOrders: () => each(world.orders),
      walkFills: () => each(world.fills),
      walkWithdrawals: () => {
        if (world.isCutShort) throw new Transient('the list changed')
        return each(world.withdrawals)
      },
      walkLedger: ({ sourceId }) =>
        each(
          (world.ledger ?? ledgerOf(world)).filter(({ source }) => sourceId === undefined || source?.id === sourceId),
        ),
      findOrder: async (id) => world.orders.find((each) => each.id === id),
      findWithdrawal: async (id) => world.withdrawals.find((each) => each.id === id),
    },
    tell: (finding) => world.told.push(finding),
    timing,
    isShared: world.isShared,
  }
  return reconcile(input, ports)
}

const found = async () => (await audit()).findings.map(({ finding, message }) => [finding, message])

test('what moved as its intents froze it ties out', async () => {
  expect(await audit()).toEqual({
    ...{ outcome: 'TIES_OUT', since: YESTERDAY, through: '2026-02-01T11:42:15.000Z', findings: [], findingsTotal: 0 },
    ...{ orders: 1, fills: 2, withdrawals: 1, entries: 6, intents: 2, foreign: 0 },
  })
})

describe('movements without an intent', () => {
  test('are found, and told as they are found', async () => {
    world.claims = {}
    world.intents = []
    const { outcome, findings, findingsTotal } = await audit()
    expect([outcome, findingsTotal]).toEqual(['FINDINGS', 2])
    expect(findings.map(({ finding, movementId }) => [finding, movementId])).toEqual([
      ['unclaimed_movement', order.id],
      ['unclaimed_movement', withdrawal.id],
    ])
    expect(world.told).toEqual(findings)
  })

  test('are others’ business where the account is shared', async () => {
    world.claims = {}
    world.intents = []
    world.isShared = true
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', foreign: 2, findings: [] })
  })

  test('are others’ business where a person declared them so', async () => {
    world.claims = { [ORDER]: FOREIGN, [WITHDRAWAL]: FOREIGN }
    world.intents = []
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', foreign: 2, findings: [] })
  })

  test('are left for the next audit while a claim may still be under way', async () => {
    world.claims = {}
    world.intents = []
    world.orders = [{ ...order, createdAt: '2026-02-01T11:42:15.001Z' }]
    world.withdrawals = []
    expect(await found()).toEqual([])
    world.nowS += 1
    expect(await found()).toMatchObject([['unclaimed_movement', expect.any(String)]])
    world.nowS += 3600
    expect(await found()).toEqual([])
  })

  test('are judged also when their time cannot be read', async () => {
    world.claims = {}
    world.intents = []
    world.orders = [{ ...order, createdAt: 'lately' }]
    world.withdrawals = []
    expect(await found()).toHaveLength(1)
  })
})

describe('claims', () => {
  test.each([
    ['by an intent that is not there', [], 'is not in the journal'],
    [
      'by an intent that ended with zero',
      [{ ...conversion, state: IntentState.Rejected, ref: undefined }],
      'is REJECTED',
    ],
    [
      'by an intent that is done by another',
      [{ ...conversion, ref: 'order-2', attempt: armedAt(NOW) }],
      'DONE without it',
    ],
  ])('%s prove nothing', async (_, intents, why) => {
    world.intents = [...intents, payment]
    expect(await found()).toEqual([['unproven_claim', expect.stringContaining(why)]])
  })

  test('by an intent that stopped before it was done are for the overdue to tell', async () => {
    world.intents = [{ ...conversion, state: IntentState.Armed }, payment]
    expect(await found()).toEqual([['overdue_intent', expect.stringContaining('ARMED')]])
  })
})

describe('terms', () => {
  test('that were lost with the record of their intent cannot be compared, and that is told', async () => {
    // A person named the movements.
    const { attempt: _order, ...converted } = conversion
    const { attempt: _row, ...paid } = { ...payment, frozen: {} }
    world.intents = [converted, paid]
    world.withdrawals = [{ ...withdrawal, assetSymbol: null }]
    expect(await found()).toEqual([
      ['differing_terms', expect.stringContaining('the intent was never armed')],
      ['differing_terms', expect.stringContaining('the intent was never armed')],
    ])
  })

  test.each([
    [{ side: 'SELL' }, 'its side is SELL, not BUY'],
    [{ baseAmount: '0.6' }, 'its base amount is 0.6, not 0.5'],
    [{ quoteAmount: '50.000001' }, 'its quote amount is 50.000001, not 50'],
    [{ filledBaseAmount: '0.4' }, 'its fills add up to a baseAmount of 0.5, not 0.4'],
  ])('an order with %o differs', async (change, why) => {
    world.orders = [{ ...order, ...change }]
    expect(await found()).toEqual([['differing_terms', expect.stringContaining(why)]])
  })

  test('amounts are compared by value, and fills only once the order is filled', async () => {
    world.orders = [{ ...order, quoteAmount: '50.00', status: 'PARTIALLY_FILLED', filledBaseAmount: '0.2' }]
    expect(await found()).toEqual([])
  })

  test.each([
    [{ total: '101' }, 'a total of 100 was asked for'],
    [{ networkId: 'polygon' }, 'on polygon'],
    [{ assetSymbol: 'EUR' }, 'its asset is EUR, not USDC'],
    [{ subType: 'INTERNAL' }, 'it is INTERNAL'],
  ])('a withdrawal with %o differs', async (change, why) => {
    world.withdrawals = [{ ...withdrawal, ...change }]
    expect(await found()).toEqual([['differing_terms', expect.stringContaining(why)]])
  })

  test('a movement of the other kind differs, and is not the one that its intent is done by', async () => {
    world.claims = { [ORDER]: payment.intentId, [WITHDRAWAL]: conversion.intentId }
    world.intents = [
      { ...conversion, ref: withdrawal.id },
      { ...payment, ref: order.id },
    ] as never
    expect((await found()).map(([type]) => type)).toEqual([
      ...['differing_terms', 'differing_terms', 'missing_movement', 'missing_movement'],
    ])
  })
})

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

  test.each([
    [{ type: 'withdrawal', id: withdrawal.id }, '98', '100, 99, 1'],
    [{ type: 'fill', id: 'f1' }, '0.3', '0.2, 20'],
  ])('has an entry of %o over another amount', async (source, amount, figures) => {
    withEntry(entry(source, amount))
    expect(await found()).toEqual([['differing_entry', expect.stringContaining(figures)]])
  })

  test('has the fee and what arrives apart, and the refund later', async () => {
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

  test('is judged where its entries say no more than a source and an amount', async () => {
    world.ledger = ledgerOf(world).map((each) => ({
      ...each,
      id: null,
      type: null,
      assetSymbol: null,
      createdAt: null,
    }))
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', entries: 0 })
  })

  test('is left after five hundred older entries in a row, and what was not met is asked for by its source', async () => {
    const old = Array.from({ length: 500 }, (_, n) =>
      entry({ type: 'deposit', id: `old-${n}` }, '1', { createdAt: '2026-01-01T00:00:00Z' }),
    )
    world.ledger = [...old, ...ledgerOf(world)]
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', entries: 0 })
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

  test('is one once it is COMPLETED', async () => {
    withoutEntry('COMPLETED')
    expect(await found()).toEqual([['missing_entry', expect.stringContaining('withdrawal row-1')]])
  })

  test.each([
    ['a fill', 'fill', ['missing_entry']],
    ['a deposit', 'DEPOSIT', ['missing_entry']],
    // The types are an open set: it may be the withdrawal's, so nothing is proven to lack.
    ['something that is not described', 'MOVEMENT', []],
  ])('is judged so where the entries with its id are of %s', async (_what, type, types) => {
    withoutEntry('COMPLETED')
    world.ledger = [...(world.ledger ?? []), entry({ type, id: withdrawal.id }, '100', { orderId: order.id })]
    expect((await found()).map(([finding]) => finding)).toEqual(types)
  })
})

describe('intents', () => {
  test('that are done by a withdrawal which is not there are found also where an order has its id', async () => {
    world.withdrawals = []
    world.claims = { [ORDER]: conversion.intentId }
    world.intents = [conversion, { ...payment, ref: order.id }] as never
    expect(await found()).toEqual([['missing_movement', expect.stringContaining(`withdrawal ${order.id}`)]])
  })

  test('that are done by what the service does not show are found', async () => {
    world.orders = []
    world.withdrawals = []
    expect(await found()).toEqual([
      ['missing_movement', expect.stringContaining(order.id)],
      ['missing_movement', expect.stringContaining(withdrawal.id)],
    ])
  })

  test('whose movement is dated past the audit’s end are looked up by its id', async () => {
    world.orders = [{ ...order, createdAt: '2026-02-01T11:59:00.000Z' }]
    expect(await found()).toEqual([])
  })

  test.each([
    ['ARMED', conversion, armedAt('2026-02-01T11:42:15.000Z'), []],
    ['ARMED', conversion, armedAt('2026-02-01T11:42:14.000Z'), ['overdue_intent']],
    ['ARMED', payment, armedAt('2026-02-01T11:42:15.000Z'), []],
    ['ARMED', payment, armedAt('2026-02-01T11:42:14.000Z'), ['overdue_intent']],
  ])('%s are overdue a quarter of an hour past the fence, and not before', async (state, intent, attempt, types) => {
    Object.assign(world, { orders: [], withdrawals: [], fills: [], claims: {} })
    world.intents = [{ ...intent, state, attempt: { ...intent.attempt, ...attempt } }]
    expect((await found()).map(([type]) => type)).toEqual(types)
  })

  test.each([
    ['2026-02-01T11:45:00.000Z', 0],
    ['2026-02-01T11:44:59.999Z', 1],
  ])('READY with notAfter %s: %i findings', async (notAfter, count) => {
    Object.assign(world, { orders: [], withdrawals: [], fills: [], claims: {} })
    world.intents = [{ ...payment, state: IntentState.Ready, notAfter } as never]
    expect(await found()).toHaveLength(count)
  })
})

describe('the watermark', () => {
  test('moves to where the walk ended, and the next goes on from there', async () => {
    const { through } = await audit()
    world.nowS += 3600
    expect((await audit()).since).toBe(through)
  })

  test('stays where a walk does not come to its end', async () => {
    const { through } = await audit()
    world.nowS += 3600
    world.isCutShort = true
    await expect(audit()).rejects.toThrow('the list changed')
    world.isCutShort = false
    expect((await audit()).since).toBe(through)
  })

  test('stays where an audit looks back, and goes on a week at a time after a long silence', async () => {
    const { through } = await audit()
    await audit({ since: '2026-01-01T00:00:00Z' })
    world.nowS += 30 * 86_400
    expect(await audit()).toMatchObject({
      since: through,
      through: new Date(Date.parse(through) + 7 * 86_400_000).toISOString(),
    })
  })
})

test('the report names the first 200 findings, and every one is told', async () => {
  world.claims = {}
  world.intents = []
  world.orders = Array.from({ length: 250 }, (_, n) => ({ ...order, id: `order-${n}` }))
  const { findings, findingsTotal } = await audit()
  expect([findings.length, findingsTotal, world.told.length]).toEqual([200, 251, 251])
})
