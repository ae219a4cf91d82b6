// Movements that are under way together leave at least the floor of each asset.
import { beforeEach, describe, expect, test } from 'vitest'
import { intentName } from '../../../core/contract/records.ts'
import { createFloors, type Floors } from '../../../core/journal/floors.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { doneMove, nextAttemptMove, zeroMove } from '../../../core/journal/moves.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import type { OrderState } from '../../../core/service/ports.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let store: MemoryStore
let journal: Journal
let floors: Floors
let ids = 0
const newId = () => `id-${++ids}`
const dec = (text: string) => parseDecimal(text, 'test')

beforeEach(() => {
  store = createMemoryStore()
  journal = createJournal(store, newId)
  floors = createFloors(store, journal, newId)
})

const AT = '2026-01-05T00:00:00Z'
const END = '2026-01-06T00:00:00Z'

const open = (intentId: string): Promise<Intent> =>
  journal.open({
    ...{ ...CONVERSION, intentId },
    ...{ createdAt: AT, notAfter: END },
  })

const OWN_KEY = { kid: 'svc_test_0123456789ab', account: 'account-1' }

/** The balance that the service reports; `looks`: number of reads. `order`: the order of every other movement. */
function held(
  balance: string,
  balanceFrozen = '0',
  order?: Partial<OrderState>,
  key: Partial<typeof OWN_KEY> = OWN_KEY,
) {
  const service = {
    ...{ looks: 0, keyInUse: async () => key.kid ?? '', accountOfKey: async () => key.account },
    ...{ forgetKeys: () => undefined, findOrder: async () => order && { ...FILLED_ORDER, ...order } },
    balances: async () => {
      service.looks += 1
      return [{ assetSymbol: 'BTC', balance, balanceFrozen }]
    },
  }
  return service
}

const hold = (intentId: string, amount: string, keep: string, service = held('1.2')) =>
  floors.hold(intentName('convert', intentId), dec(amount), { assetSymbol: 'BTC', keep: dec(keep) }, service)

describe('a floor', () => {
  test.each([
    ['0.2', '1', '1.2', '0', undefined],
    ['1', '1', '1.2', '0', '1 BTC is to stay, and this would leave 0.2'],
    ['0.200000000000000001', '1', '1.2', '0', 'this would leave 0.999999999999999999'],
    ['0.2', '1', '1.2', '0.1', 'this would leave 0.9'],
    ['0.2', '0', '0.1', '0', 'this would leave -0.1'],
    ['0.2', '0', '-3', '0', 'this would leave -3.2'],
  ])('%s of it, %s to stay, of %s with %s frozen: %s', async (amount, keep, balance, frozen, why) => {
    await open('first')
    const service = held(balance, frozen)
    const refusal = await hold('first', amount, keep, service)
    if (why === undefined) expect(refusal).toBeUndefined()
    else expect(refusal).toEqual({ why: expect.stringContaining(why), guardedBy: 'floor' })
    expect(service.looks).toBe(1)
  })

  test('a floor of an asset that is not held refuses every movement', async () => {
    const none = { ...held('0'), balances: async () => [] }
    expect(await floors.hold('convert#first', dec('1'), { assetSymbol: 'BTC', keep: dec('0') }, none)).toMatchObject({
      ...{ guardedBy: 'floor', why: expect.stringContaining('this would leave -1') },
    })
  })
})

describe('a conversion whose order was accepted', () => {
  const SALE = { ...CONVERSION, params: { ...CONVERSION.params, side: 'SELL' } } as const
  const PARTLY = { status: 'PARTIALLY_FILLED', filledBaseAmount: '0.05', filledQuoteAmount: '2500' }

  async function placed() {
    await journal.open({ ...SALE, intentId: 'first', createdAt: AT, notAfter: END })
    await hold('first', '0.2', '1')
    const first = (await journal.find('first', 'convert')) as Intent
    const sent = await journal.advance(first, armed(first, 'order-1'))
    await journal.advance(sent, doneMove(sent, 'order-1'))
    await open('second')
  }

  test.each<[string, Partial<OrderState> | undefined]>([
    ['NEW', { status: 'NEW', filledBaseAmount: '0', filledQuoteAmount: '0' }],
    ['of an unknown status', { status: 'SETTLING', filledBaseAmount: '0' }],
    ['filled in part', PARTLY],
    ['not visible yet', undefined],
  ])('counts while that is %s: another waits after one read', async (_, order) => {
    await placed()
    const service = held('1.2', '0', order)
    expect(await hold('second', '0.2', '1', service)).toEqual({
      ...{ guardedBy: 'floor', isForNow: true },
      why: 'keep: 1 BTC is to stay, and how much of it first will take is not certain yet',
    })
    expect(service.looks).toBe(1)
  })

  test.each(['FILLED', 'FAILED'])('counts no more once that is %s, and leaves the list', async (status) => {
    await placed()
    expect(await hold('second', '0.1', '1', held('1.1', '0', { status }))).toBeUndefined()
    expect(store.records.get('F#BTC')?.taking).toEqual({ 'convert#second': '0.1' })
  })

  test('counts the unfilled part of the amount that it sells, and stays in the list unchanged', async () => {
    await placed()
    // 0.05 of 0.2 are taken: 0.15 will be.
    expect(await hold('second', '0.1', '0.9', held('1.15', '0', PARTLY))).toBeUndefined()
    expect(store.records.get('F#BTC')?.taking).toEqual({ 'convert#first': '0.2', 'convert#second': '0.1' })
    expect(await hold('second', '0.1', '0.900000000000000001', held('1.15', '0', PARTLY))).toMatchObject({
      isForNow: true,
    })
  })

  test('counts whole, whatever a key of another account sees under its id', async () => {
    await placed()
    const stray = { kid: 'svc_test_anotherkey00', account: 'account-2' }
    const refusal = await hold('second', '0.2', '1', held('1.2', '0', { status: 'FILLED' }, stray))
    expect(refusal).toMatchObject({
      isForNow: true,
      why: expect.stringContaining('the key in use is svc_test_anotherkey00'),
    })
    expect(store.records.get('F#BTC')?.taking).toEqual({ 'convert#first': '0.2' })
  })
})

describe('movements that are under way together', () => {
  test('are counted, from the moment when the first may go', async () => {
    await open('first')
    await open('second')
    expect(await hold('first', '0.1', '1')).toBeUndefined()
    expect(await hold('second', '0.1', '1')).toBeUndefined()
    await open('third')
    expect(await hold('third', '0.1', '1')).toEqual({
      ...{ guardedBy: 'floor', isForNow: true },
      why: 'keep: 1 BTC is to stay, and how much of it first, second will take is not certain yet',
    })
    // A movement without a floor is not affected.
    expect(await hold('third', '0.1', '0.9')).toBeUndefined()
  })

  test('are no longer counted once they are a certified zero, or their order is filled and thus in the balance', async () => {
    const first = await open('first')
    await open('second')
    await hold('first', '0.2', '1')
    await journal.advance(first, zeroMove(first, 'REJECTED', 'REJECTED', 'no'))
    expect(await hold('second', '0.2', '1')).toBeUndefined()
    const third = await open('third')
    const sent = await journal.advance(third, armed(third, 'order-1'))
    await journal.advance(sent, doneMove(sent, 'order-1'))
    expect(await hold('third', '0.1', '1', held('2', '0', {}))).toBeUndefined()
    expect(store.records.get('F#BTC')?.taking).toEqual({ 'convert#second': '0.2', 'convert#third': '0.1' })
  })

  test('are counted by their kind, if a withdrawal has the id of a conversion', async () => {
    await open('first')
    await hold('first', '0.2', '1')
    const { createdAt, notAfter } = await open('other')
    await journal.open({ ...WITHDRAWAL, intentId: 'first', createdAt, notAfter })
    const floor = { assetSymbol: 'BTC', keep: dec('1') }
    expect(await floors.hold('withdraw#first', dec('0.2'), floor, held('1.2'))).toMatchObject({ isForNow: true })
  })

  test('that end while another reads are read again at once', async () => {
    const first = await open('first')
    await open('second')
    await hold('first', '0.2', '1')
    const service = held('1.2')
    const { balances } = service
    service.balances = async () => {
      if (service.looks === 1) await journal.advance(first, zeroMove(first, 'REJECTED', 'REJECTED', 'no'))
      return balances()
    }
    expect(await hold('second', '0.2', '1', service)).toBeUndefined()
    expect(service.looks).toBe(3)
  })

  test('of 8 that start together no more are sent than the floor allows', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `intent-${at}`)
    await Promise.all(names.map(open))
    const answers = await Promise.all(names.map((name) => hold(name, '1', '2', held('5'))))
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(3)
    expect(answers.filter((refusal) => refusal?.isForNow)).toHaveLength(5)
  })
})

test('a repeated request for no more reads and writes nothing new; for more, others count more', async () => {
  const first = await open('first')
  await hold('first', '0.1', '1')
  const before = store.records.get('F#BTC')
  await journal.advance(first, nextAttemptMove(first))
  expect(await hold('first', '0.05', '1')).toBeUndefined()
  expect(store.records.get('F#BTC')).toEqual(before)
  expect(await hold('first', '0.15', '1')).toBeUndefined()
  expect(store.records.get('F#BTC')?.taking).toEqual({ 'convert#first': '0.15' })
})
