// Tests how balances, orders and contacts become the figures that a planner may use.
import { describe, expect, test } from 'vitest'
import { IntentState } from '../../../core/contract/records.ts'
import { formatDecimal } from '../../../core/money/decimal.ts'
import type { BookedEntry } from '../../../core/movements/withdrawal/booking.ts'
import { positionsOf } from '../../../core/runs/plan/take-snapshot.ts'
import { readContacts, withOnTheirWay } from '../../../core/runs/plan/under-way.ts'
import type { OpenOrder } from '../../../core/runs/ports.ts'
import type { PolicyRecord, ReachedContact } from '../../../core/runs/record/policy-record.ts'
import { START_MS } from '../../helpers/fake-conversion-service.ts'
import { bookedNow } from '../../helpers/fake-withdrawal-service.ts'
import { runWorld } from '../../helpers/run-world.ts'

const zero = 0n as never
const facts = (assetSymbol: string) => ({
  ...{ assetSymbol, assetClass: 'CRYPTO', increment: 1n as never, networks: [] },
  ...{ maxIndicativeAmount: zero, minimumWithdrawal: zero, minimumInternalWithdrawal: zero },
})
const ASSETS = new Map(['A', 'USD'].map((code) => [code, facts(code)]))

const balance = (assetSymbol: string, held: string, frozen = '0', pending = '0') => ({
  ...{ assetSymbol, balance: held, balanceFrozen: frozen, balancePending: pending },
})
const order = (
  side: 'BUY' | 'SELL',
  baseAmount: string,
  filledBaseAmount: string,
  onBook: Partial<OpenOrder> = {},
): OpenOrder => ({
  ...{ id: 'o', status: 'NEW', side, market: 'A-USD', rate: '100', baseAsset: 'A', quoteAsset: 'USD' },
  ...{ baseAmount, filledBaseAmount, quoteAmount: String(Number(baseAmount) * 100) },
  ...{ filledQuoteAmount: String(Number(filledBaseAmount) * 100), ...onBook },
})

function figures(balances: Parameters<typeof positionsOf>[0], orders: readonly OpenOrder[] = []) {
  const positions = positionsOf(balances, orders, ASSETS, new Map([['USD', 'i-1']]))
  return Object.fromEntries(
    [...positions].map(([code, { spendable, holding, inDoubt }]) => [
      code,
      [formatDecimal(spendable), formatDecimal(holding), inDoubt],
    ]),
  )
}

describe('a position', () => {
  test('is the unfrozen amount now, and includes the pending amount once all is under way', () => {
    expect(figures([balance('A', '10', '4', '1')])).toMatchObject({ A: ['6', '7', undefined] })
  })

  test('counts the remaining costs and proceeds of an open order, whether or not it shows in the balance', () => {
    const sells = [order('SELL', '5', '2')]
    const expected = { A: ['7', '7', undefined], USD: ['50', '350', 'i-1'] }
    expect(figures([balance('A', '10'), balance('USD', '50')], sells)).toEqual(expected)
    expect(figures([balance('A', '10', '3'), balance('USD', '50', '0', '300')], sells)).toEqual(expected)
  })

  test('counts incoming amounts of an asset that is not held, and subtracts amounts owed on credit', () => {
    expect(figures([balance('USD', '50')], [order('BUY', '2', '0')])).toEqual({
      USD: ['0', '0', 'i-1'],
      A: ['0', '2', undefined],
    })
  })

  test('is never below zero, and left out for an unknown asset', () => {
    expect(figures([balance('A', '-3'), balance('X', '7')])).toEqual({
      A: ['0', '0', undefined],
      USD: ['0', '0', 'i-1'],
    })
    expect(figures([balance('A', '3')], [order('SELL', '2', '0', { baseAsset: null })])).toMatchObject({
      A: ['3', '3', undefined],
    })
  })
})

describe('a contact', () => {
  const CHANGED = '2026-01-01T00:00:00Z'

  async function read(
    reached: ReachedContact,
    more: { status?: string; onItsWay?: string; state?: string; entries?: BookedEntry[]; isLedgerEmpty?: boolean } = {},
  ) {
    const { ports } = runWorld()
    const { journal, service, treasury } = ports
    const intent = {
      ref: 'w-1',
      createdAt: '2026-01-03T00:00:00Z',
      notAfter: '2026-01-03T00:05:00Z',
      frozen: {},
      state: more.state ?? IntentState.Done,
    }
    const row = { id: 'w-1', status: more.status ?? 'PENDING', total: '10', createdAt: '2026-01-03T00:00:00Z' }
    const memory: PolicyRecord = { policy: 'p', version: 1, failuresInRow: 0, contacts: { c1: reached } }
    const contacts = await readContacts(['c1'], memory, {
      journal: { ...journal, find: async () => intent as never },
      treasury,
      service: {
        ...service,
        findContact: async (id) => ({
          id,
          type: 'EXTERNAL_CRYPTO',
          ...{ alias: 'Cold', reference: 'vault-7', updatedAt: CHANGED },
          crypto: { assetSymbol: 'A', networkId: 'N' },
        }),
        findWithdrawal: async () => row as never,
        ledgerOf: async () => more.entries ?? [],
        async *walkLedger() {
          if (!more.isLedgerEmpty) yield bookedNow(START_MS + 30 * 86_400_000)
        },
      },
    })
    const onTheirWay = new Map(more.onItsWay ? [['c1', more.onItsWay]] : [])
    return withOnTheirWay(contacts, { inDoubt: new Map(), onTheirWay }).get('c1')
  }

  test('has its stated destination, and is not proven before a withdrawal has reached it', async () => {
    expect(await read({})).toEqual({
      payee: {
        ...{ contactId: 'c1', alias: 'Cold', reference: 'vault-7', type: 'EXTERNAL_CRYPTO' },
        ...{ assetSymbol: 'A', networkId: 'N', bank: null, updatedAt: CHANGED },
      },
      isProven: false,
    })
  })

  test('is proven only by a withdrawal after its last change', async () => {
    expect(await read({ provenAt: '2026-01-02T00:00:00Z' })).toMatchObject({ isProven: true })
    expect(await read({ provenAt: '2025-12-31T00:00:00Z' })).toMatchObject({ isProven: false })
    expect(await read({ provenAt: CHANGED })).toMatchObject({ isProven: false })
  })

  test('a contact whose labels were edited after a payment is shown with the labels of that payment', async () => {
    const paidAs = { alias: 'Cold storage', reference: 'vault-7' }
    expect((await read({ provenAt: CHANGED, paidAs }))?.payee).toMatchObject({ alias: 'Cold', paidAs })
    const same = await read({ provenAt: CHANGED, paidAs: { alias: 'Cold', reference: 'vault-7' } })
    expect(same?.payee).not.toHaveProperty('paidAs')
  })

  test('shows the amounts on their way to it, until they have arrived or come back', async () => {
    expect(await read({ unfinished: 'i-1' })).toMatchObject({ isProven: false, onItsWay: 'i-1' })
    expect(await read({ unfinished: 'i-1' }, { status: 'COMPLETED' })).toMatchObject({ isProven: true })
    expect(await read({ unfinished: 'i-1' }, { status: 'COMPLETED' })).not.toHaveProperty('onItsWay')
    expect(await read({ unfinished: 'i-1' }, { status: 'FAILED' })).not.toHaveProperty('onItsWay')
    expect(await read({ unfinished: 'i-1' }, { status: 'FAILED', isLedgerEmpty: true })).toMatchObject({
      onItsWay: 'i-1',
    })
    const legs = ['debit', 'credit'].map((type) => ({ type, amount: '10' }))
    const refund = { type: 'refund', amount: '10' }
    expect(await read({ unfinished: 'i-1' }, { status: 'FAILED', entries: legs })).toMatchObject({ onItsWay: 'i-1' })
    const back = await read({ unfinished: 'i-1' }, { status: 'FAILED', entries: [...legs, refund, refund] })
    expect(back).not.toHaveProperty('onItsWay')
    expect(await read({ unfinished: 'i-1' }, { state: IntentState.Exhausted })).not.toHaveProperty('onItsWay')
    expect(await read({}, { onItsWay: 'i-2' })).toMatchObject({ onItsWay: 'i-2' })
  })

  test('a contact that the service does not know is left out', async () => {
    const memory: PolicyRecord = { policy: 'p', version: 0, failuresInRow: 0, contacts: {} }
    expect((await readContacts(['c1'], memory, runWorld().ports)).size).toBe(0)
  })
})
