// Tests records that intents share: lanes, budgets and halts.

import { beforeEach, describe, expect, test } from 'vitest'
import { READS_AT_ONCE } from '../../../core/bounded.ts'
import { intentName } from '../../../core/contract/records.ts'
import { type Budgets, createBudgets } from '../../../core/journal/budgets.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { createLanes, type Lanes } from '../../../core/journal/lanes.ts'
import { escalateMove, type Move, nextAttemptMove, zeroMove } from '../../../core/journal/moves.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let store: MemoryStore
let journal: Journal
let lanes: Lanes
let budgets: Budgets
let ids = 0
const newId = () => `id-${++ids}`
const amount = (text: string) => parseDecimal(text, 'amount')

beforeEach(() => {
  store = createMemoryStore()
  journal = createJournal(store, newId)
  lanes = createLanes(store, journal, newId)
  budgets = createBudgets(store, journal, newId)
})

const open = (intentId: string): Promise<Intent> =>
  journal.open({
    ...WITHDRAWAL,
    intentId,
    createdAt: '2026-01-01T00:00:00Z',
    notAfter: '2026-01-02T00:00:00Z',
  })

async function end(intentId: string): Promise<void> {
  const intent = await journal.find(intentId, 'withdraw')
  if (intent) await journal.advance(intent, zeroMove(intent, 'EXHAUSTED', 'EXHAUSTED', 'time ran out'))
}

describe('a lane', () => {
  test('is held by one intent, which may take it again', async () => {
    await open('first')
    await open('second')
    expect(await lanes.take('account', 'USDC', 'first')).not.toHaveProperty('heldBy')
    expect(await lanes.take('account', 'USDC', 'first')).not.toHaveProperty('heldBy')
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
  })

  test('is separate for each asset and account', async () => {
    await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    expect(await lanes.take('account', 'BTC', 'second')).not.toHaveProperty('heldBy')
    expect(await lanes.take('another', 'USDC', 'second')).not.toHaveProperty('heldBy')
  })

  test('is free once its holder has ended, and not before', async () => {
    const first = await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    await journal.advance(first, armed(first, 'order'))
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
    await end('first')
    expect(await lanes.take('account', 'USDC', 'second')).not.toHaveProperty('heldBy')
  })

  test('passes on if its holder has armed nothing and lets others pass, and the holder can no longer arm by its earlier read', async () => {
    const first = await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    expect(await lanes.take('account', 'USDC', 'second', { mayOvertake: async () => false })).toMatchObject({
      heldBy: 'first',
    })
    expect(await lanes.take('account', 'USDC', 'second', { mayOvertake: async () => true })).not.toHaveProperty(
      'heldBy',
    )
    await expect(journal.advance(first, armed(first, 'order'))).rejects.toThrow('another execution moved intent first')
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'second' })
  })

  test('does not pass on if its holder has read its record since, and has taken the lane again', async () => {
    await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    const interrupted = {
      find: journal.find,
      async advance<Kind extends Intent>(intent: Kind, move: Move): Promise<Kind> {
        const anew = await journal.advance(intent, move)
        expect(await lanes.take('account', 'USDC', 'first')).not.toHaveProperty('heldBy')
        return anew
      },
    }
    const overtaking = createLanes(store, interrupted, newId).take('account', 'USDC', 'second', {
      mayOvertake: async () => true,
    })
    await expect(overtaking).rejects.toThrow('other intents took the lane of USDC meanwhile')
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
    const first = await journal.find('first', 'withdraw')
    expect(first && (await journal.advance(first, armed(first, 'order')))).toMatchObject({ state: 'ARMED' })
  })

  test('does not pass on from a holder that has armed an attempt, even one that certainly moved nothing', async () => {
    const first = await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    const armedFirst = await journal.advance(first, armed(first, 'order'))
    const anybody = { mayOvertake: async () => true }
    expect(await lanes.take('account', 'USDC', 'second', anybody)).toMatchObject({ heldBy: 'first' })
    await journal.advance(armedFirst, nextAttemptMove(armedFirst))
    expect(await lanes.take('account', 'USDC', 'second', anybody)).toMatchObject({ heldBy: 'first' })
  })

  test('has a place for each intent that may go beside all of its holders, until the lane is full', async () => {
    const beside = { mayGoBeside: () => true }
    const ids = Array.from({ length: 65 }, (_, at) => `side-${at}`)
    for (const id of ids) await open(id)
    for (const id of ids.slice(0, 64))
      expect(await lanes.take('account', 'USDC', id, beside)).not.toHaveProperty('heldBy')
    const full = { heldBy: 'side-0', why: 'is one of 64 that are not settled yet' }
    expect(await lanes.take('account', 'USDC', 'side-64', beside)).toEqual(full)
    expect(await lanes.take('account', 'USDC', 'side-3', beside)).not.toHaveProperty('heldBy')
    await end('side-7')
    expect(await lanes.take('account', 'USDC', 'side-64', beside)).not.toHaveProperty('heldBy')
  })

  test('whose two holders have come into conflict goes to the first of them, and the other can no longer arm by its earlier read', async () => {
    await open('first')
    const second = await open('second')
    const apart = { mayGoBeside: () => true }
    for (const id of ['first', 'second']) await lanes.take('account', 'USDC', id, apart)
    // From here on each is in the way of the other.
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
    expect(await lanes.take('account', 'USDC', 'first')).not.toHaveProperty('heldBy')
    await expect(journal.advance(second, armed(second, 'order'))).rejects.toThrow(
      'another execution moved intent second',
    )
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
    await end('first')
    expect(await lanes.take('account', 'USDC', 'second')).not.toHaveProperty('heldBy')
  })

  test('whose two holders have come into conflict goes to the second if it alone has sent before, so neither waits for the other', async () => {
    const first = await open('first')
    const second = await open('second')
    const apart = { mayGoBeside: () => true }
    for (const id of ['first', 'second']) await lanes.take('account', 'USDC', id, apart)
    const armedSecond = await journal.advance(second, armed(second, 'order'))
    await journal.advance(armedSecond, nextAttemptMove(armedSecond))
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'second' })
    expect(await lanes.take('account', 'USDC', 'second')).not.toHaveProperty('heldBy')
    await expect(journal.advance(first, armed(first, 'order'))).rejects.toThrow('another execution moved intent first')
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'second' })
  })

  test('whose second holder has armed does not go to the first, although they have come into conflict', async () => {
    await open('first')
    const second = await open('second')
    const apart = { mayGoBeside: () => true }
    for (const id of ['first', 'second']) await lanes.take('account', 'USDC', id, apart)
    await journal.advance(second, armed(second, 'order'))
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'second' })
  })

  test('lets an intent wait for any holder that it may not go beside, and for one that waits for a person', async () => {
    for (const id of ['first', 'second', 'third']) await open(id)
    await lanes.take('account', 'USDC', 'first')
    const only = (name: string) => ({ mayGoBeside: ({ intentId }: { intentId: string }) => intentId === name })
    expect(await lanes.take('account', 'USDC', 'second', only('first'))).not.toHaveProperty('heldBy')
    expect(await lanes.take('account', 'USDC', 'third', only('first'))).toMatchObject({ heldBy: 'second' })
    expect(await lanes.take('account', 'USDC', 'third', only('second'))).toMatchObject({ heldBy: 'first' })
    const first = await journal.find('first', 'withdraw')
    const sent = first && (await journal.advance(first, armed(first, 'order')))
    if (sent) await journal.advance(sent, escalateMove(sent, 'NEEDS_ATTENTION', 'two rows', []))
    const asked = { heldBy: 'first', why: 'waits for a person' }
    expect(await lanes.take('account', 'USDC', 'second', { mayGoBeside: () => true })).toEqual(asked)
  })

  test('names those beside an intent that may have sent something, also after they are settled', async () => {
    const beside = { mayGoBeside: () => true }
    for (const id of ['first', 'second', 'third']) {
      await open(id)
      await lanes.take('account', 'USDC', id, beside)
    }
    const sendersBeside = async (intentId: string) =>
      (await lanes.findSenders('account', 'USDC', intentId)).map((sender) => sender.intentId)
    const second = await journal.find('second', 'withdraw')
    if (second) await journal.advance(second, armed(second, 'order'))
    expect(await sendersBeside('first')).toEqual(['second'])
    expect(await sendersBeside('second')).toEqual([])
    await end('second')
    expect(await sendersBeside('first')).toEqual(['second'])
    await open('fourth')
    const taken = await lanes.take('account', 'USDC', 'fourth', beside)
    expect(taken.senders?.map(({ intentId }) => intentId)).toEqual(['second'])
    expect(await sendersBeside('first')).toContain('second')
  })

  test('keeps the last sixteen settled senders while anybody who was beside them is in it, and the last one alone after that', async () => {
    const beside = { mayGoBeside: () => true }
    const ids = Array.from({ length: 20 }, (_, at) => `settled-${at}`)
    for (const id of ['in doubt', 'last', 'next', ...ids]) await open(id)
    await lanes.take('account', 'USDC', 'in doubt', beside)
    for (const id of ids) {
      await lanes.take('account', 'USDC', id, beside)
      const intent = await journal.find(id, 'withdraw')
      if (intent) await journal.advance(intent, armed(intent, 'order'))
      await end(id)
    }
    await lanes.take('account', 'USDC', 'last', beside)
    expect(store.records.get('L#account#USDC')).toMatchObject({ holders: [...ids.slice(4), 'in doubt', 'last'] })
    await end('in doubt')
    // Another process of it may have sent meanwhile.
    await lanes.take('account', 'USDC', 'last', beside)
    expect(store.records.get('L#account#USDC')).toMatchObject({ holders: [...ids.slice(4), 'last'] })
    await end('last')
    await lanes.take('account', 'USDC', 'next', beside)
    expect(store.records.get('L#account#USDC')).toMatchObject({ holders: ['next'], before: 'settled-19' })
  })

  test('names the intent that armed the last attempt, also after others that sent nothing', async () => {
    const first = await open('first')
    await lanes.take('account', 'USDC', 'first')
    await journal.advance(first, armed(first, 'order'))
    await end('first')
    for (const id of ['second', 'third']) {
      await open(id)
      // Twice, because a step may be entered again.
      const lanesOf = [await lanes.take('account', 'USDC', id), await lanes.take('account', 'USDC', id)]
      expect(lanesOf.map(({ before }) => before?.intentId)).toEqual(['first', 'first'])
      await end(id)
    }
  })

  test('is closed for all while any lost intent of the asset waits for a person', async () => {
    for (const id of ['first', 'lost-1', 'lost-2']) await open(id)
    await lanes.take('account', 'USDC', 'first')
    await lanes.closeForLost('USDC', 'lost-1')
    await lanes.closeForLost('usdc', 'lost-2')
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'lost-1' })
    expect(await lanes.take('account', 'BTC', 'first')).not.toHaveProperty('heldBy')
    await end('lost-1')
    expect(await lanes.take('account', 'USDC', 'first')).toMatchObject({ heldBy: 'lost-2' })
    await open('lost-3')
    await lanes.closeForLost('USDC', 'lost-3')
    await end('lost-2')
    expect(await lanes.findLost('USDC')).toBe('lost-3')
    await end('lost-3')
    expect(await lanes.take('account', 'USDC', 'first')).not.toHaveProperty('heldBy')
  })

  test('stays closed while a person decides about its holder', async () => {
    const first = await open('first')
    await open('second')
    await lanes.take('account', 'USDC', 'first')
    const armedFirst = await journal.advance(first, armed(first, 'order'))
    await journal.advance(armedFirst, { state: 'ESCALATED', outcome: 'NEEDS_ATTENTION', why: 'two rows' })
    expect(await lanes.take('account', 'USDC', 'second')).toMatchObject({ heldBy: 'first' })
  })

  test('a lane of an account whose id contains the separator belongs to no other account', async () => {
    await open('first')
    await open('second')
    await lanes.take('a#USDC', 'BTC', 'first')
    expect(await lanes.take('a', 'USDC#BTC', 'second')).not.toHaveProperty('heldBy')
  })
})

const NOON = Date.parse('2026-01-01T12:00:00Z')
const FIRST_OF_JANUARY = { fromMs: NOON, toMs: NOON + 60_000 }

describe('a budget', () => {
  const BUDGET = { scope: '*', assetSymbol: 'USDC', span: FIRST_OF_JANUARY, isRolling: false }
  const reserve = (intentId: string, text: string) =>
    budgets.reserve(BUDGET, intentName('withdraw', intentId), amount(text), amount('100'))

  test('reserves up to its limit to the last digit, and reports the rest', async () => {
    await open('first')
    await open('second')
    expect(await reserve('first', '60')).toBeUndefined()
    expect(await reserve('second', '40.000000000000000001')).toBe(amount('40'))
    expect(await reserve('second', '40')).toBeUndefined()
  })

  test('counts an intent once, however often it asks', async () => {
    await open('first')
    await open('second')
    await reserve('first', '60')
    await reserve('first', '60')
    expect(await reserve('second', '40')).toBeUndefined()
  })

  test('counts an intent of the other kind with the same id separately', async () => {
    await open('first')
    const CONVERTED = { ...CONVERSION, intentId: 'first', createdAt: '2026-01-01T00:00:00Z' }
    const converted = await journal.open({ ...CONVERTED, notAfter: '2026-01-02T00:00:00Z' })
    await reserve('first', '60')
    const ofOther = (text: string) => budgets.reserve(BUDGET, 'convert#first', amount(text), amount('100'))
    expect(await ofOther('50')).toBe(amount('40'))
    expect(await ofOther('40')).toBeUndefined()
    // The end of one gives back nothing of the other.
    await journal.advance(converted, zeroMove(converted, 'EXHAUSTED', 'EXPIRED_OUT', 'time ran out'))
    await open('second')
    expect(await reserve('second', '50')).toBe(amount('40'))
  })

  test('no longer counts the reservation of an intent that certainly moved nothing', async () => {
    await open('first')
    await open('second')
    await reserve('first', '60')
    expect(await reserve('second', '50')).toBe(amount('40'))
    await end('first')
    expect(await reserve('second', '50')).toBeUndefined()
  })

  test('of 10 intents that reserve in a budget at once, no more succeed than the budget has room for', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `intent-${at}`)
    await Promise.all(names.map(open))
    const tryTo = (name: string): Promise<unknown> => reserve(name, '30').catch(() => tryTo(name))
    const answers = await Promise.all(names.map(tryTo))
    expect(answers.filter((left) => left === undefined)).toHaveLength(3)
  })
})

describe('a budget with many reservations', () => {
  const BUDGET = { scope: '*', assetSymbol: 'USDC', span: FIRST_OF_JANUARY, isRolling: false }
  const HOLDERS = 1_500
  const names = Array.from({ length: HOLDERS }, (_, at) => `intent-${at}`)

  /** All of them reserved one, and are now in `state`. Reads are counted, and return in the next turn. */
  function reservedBy(state: string | ((name: string) => string)) {
    const reads = { total: 0, underWay: 0, mostAtOnce: 0 }
    const find = async (intentId: string) => {
      reads.total += 1
      reads.underWay += 1
      reads.mostAtOnce = Math.max(reads.mostAtOnce, reads.underWay)
      await new Promise(setImmediate)
      reads.underWay -= 1
      return { intentId, state: typeof state === 'string' ? state : state(intentId) } as never
    }
    const counted = createBudgets(store, { find }, newId)
    const reserve = (intentId: string, text = '1') =>
      counted.reserve(BUDGET, intentName('withdraw', intentId), amount(text), amount(String(HOLDERS)))
    return { reads, reserve, left: () => counted.left(BUDGET, amount(String(HOLDERS))) }
  }
  const key = 'B#*#2026-01-01#USDC'
  const reserved = () => Object.keys(store.records.get(key)?.reserved ?? {})

  beforeEach(async () => {
    await store.create({
      pk: key,
      version: 1,
      format: 1,
      stamp: 's',
      reserved: Object.fromEntries(names.map((name) => [intentName('withdraw', name), '1'])),
    })
  })

  test('reads their holders several at a time, not one by one', async () => {
    const { reads, reserve, left } = reservedBy('ARMED')
    expect(await reserve('next')).toBe(amount('0'))
    expect(reads).toMatchObject({ total: HOLDERS, mostAtOnce: READS_AT_ONCE })
    expect(await left()).toBe(amount('0'))
    expect(reads.mostAtOnce).toBe(READS_AT_ONCE)
  })

  test('reads no more of them once there is room', async () => {
    const { reads, reserve } = reservedBy('REJECTED')
    expect(await reserve('next')).toBeUndefined()
    // And some more, because a record of this length is shortened.
    expect(reads.total).toBeLessThanOrEqual(READS_AT_ONCE + 64)
  })

  test('reads an ended intent once, and an open one each time', async () => {
    const open = new Set(names.slice(0, 3))
    const { reads, reserve } = reservedBy((name) => (open.has(name) ? 'ARMED' : 'DONE'))
    expect(await reserve('next')).toBe(amount('0'))
    expect(reads.total).toBe(HOLDERS)
    expect(await reserve('next')).toBe(amount('0'))
    expect(reads.total).toBe(HOLDERS + open.size)
  })

  test('no longer counts a doubt once it ends with zero', async () => {
    let state = 'ESCALATED'
    const { reserve } = reservedBy(() => state)
    expect(await reserve('next')).toBe(amount('0'))
    state = 'REJECTED'
    expect(await reserve('next')).toBeUndefined()
  })

  test('is written without the certified zeros known at that time', async () => {
    const { reads, reserve, left } = reservedBy((name) => (name.endsWith('0') ? 'REJECTED' : 'DONE'))
    expect(await left()).toBe(amount('150'))
    expect(await reserve('next', '3')).toBeUndefined()
    expect(reads.total).toBe(HOLDERS)
    expect(reserved()).toEqual(['(settled 2026-01-01)', 'withdraw#next'])
    expect(store.records.get(key)?.reserved).toMatchObject({ '(settled 2026-01-01)': '1350' })
  })
})

describe('a halt', () => {
  const halts = () => createHalts(store, newId)
  const HALT = { scope: '*', by: 'ada', because: 'audit', at: '2026-01-01T00:00:00Z' }

  test('a halt of everything stops every policy, and movements without a policy', async () => {
    await halts().halt(HALT)
    expect(await halts().find('sweep')).toEqual(HALT)
    expect(await halts().find(undefined)).toEqual(HALT)
  })

  test('a halt of one policy stops that one only', async () => {
    await halts().halt({ ...HALT, scope: 'sweep' })
    expect(await halts().find('sweep')).toMatchObject({ scope: 'sweep', by: 'ada' })
    expect(await halts().find('rebalance')).toBeUndefined()
    expect(await halts().find(undefined)).toBeUndefined()
  })

  test('ends when it is resumed, and the record says by whom', async () => {
    await halts().halt(HALT)
    await halts().resume({ ...HALT, by: 'grace', because: 'audit over' })
    expect(await halts().find('sweep')).toBeUndefined()
    expect(store.records.get('H#*')).toMatchObject({ halted: false, by: 'grace' })
  })

  test('takes effect whoever else changes the switch at the same time, and the last decision is recorded', async () => {
    const names = ['ada', 'bob', 'grace']
    await Promise.all(names.map((by) => halts().halt({ ...HALT, by })))
    expect(store.records.get('H#*')).toMatchObject({ halted: true, version: names.length })
    await Promise.allSettled([halts().resume(HALT), halts().halt({ ...HALT, by: 'bob' })])
    expect(await halts().find('sweep')).toMatchObject({ by: 'bob' })
  })

  const TRIP = { scope: 'sweep', by: 'the breaker', because: '3 runs did not settle (run r-3)', at: HALT.at }
  const WORD = { scope: 'sweep', by: 'grace', because: 'looked at', at: HALT.at }

  test('a halt of a breaker stops its policy until a person releases that trip, and the next trip stops it again', async () => {
    await halts().trip(TRIP)
    expect(await halts().find('sweep')).toEqual({ ...TRIP, trip: 1 })
    expect(await halts().find('rebalance')).toBeUndefined()
    await halts().resume(WORD)
    expect(await halts().find('sweep')).toBeUndefined()
    await halts().trip({ ...TRIP, because: 'again' })
    expect(await halts().find('sweep')).toEqual({ ...TRIP, because: 'again', trip: 2 })
  })

  describe('that two people must release', () => {
    const twoPeople = () => createHalts(store, newId, { resumedBy: 'two-people' })
    const resumeBy = async (by: string, at = '2026-01-01T01:00:00Z') =>
      (await twoPeople().resume({ ...HALT, by, at, because: 'over' }, await twoPeople().findOf('*'))).isLifted
    const isHalted = async () => (await twoPeople().find(undefined)) !== undefined

    test('stays after the decision of one, however often and under whatever role, and ends with that of another', async () => {
      await twoPeople().halt(HALT)
      expect(await resumeBy('role/One/Ada')).toBe(false)
      expect(await resumeBy('role/Two/ada')).toBe(false)
      expect(await isHalted()).toBe(true)
      expect(await resumeBy('role/One/bob')).toBe(true)
      expect(await isHalted()).toBe(false)
      expect(store.records.get('H#*')).toMatchObject({ halted: false, by: 'role/One/bob' })
      expect(store.records.get('H#*')).not.toHaveProperty('resuming')
    })

    test('shows the first decision for a day, as long as it refers to this halt', async () => {
      const firstWordAt = (at: string, halt = HALT) => twoPeople().findFirstResume(halt, Date.parse(at))
      await twoPeople().halt(HALT)
      expect(await firstWordAt('2026-01-01T01:00:00Z')).toBeUndefined()
      await resumeBy('role/One/ada')
      expect(await firstWordAt('2026-01-02T00:59:59.999Z')).toEqual({
        ...{ by: 'role/One/ada', because: 'over', at: '2026-01-01T01:00:00Z', until: '2026-01-02T01:00:00.000Z' },
      })
      expect(await firstWordAt('2026-01-02T01:00:00Z')).toBeUndefined()
      expect(await firstWordAt('2026-01-01T02:00:00Z', { ...HALT, because: 'another' })).toBeUndefined()
      await resumeBy('role/One/bob')
      expect(await firstWordAt('2026-01-01T02:00:00Z')).toBeUndefined()
    })

    test('stays if the first decision is a day old, or another halt came after it', async () => {
      await twoPeople().halt(HALT)
      expect(await resumeBy('ada')).toBe(false)
      expect(await resumeBy('bob', '2026-01-02T01:00:00Z')).toBe(false)
      await twoPeople().halt({ ...HALT, because: 'another alarm' })
      expect(await resumeBy('ada', '2026-01-02T01:00:00Z')).toBe(false)
      expect(await isHalted()).toBe(true)
      expect(await resumeBy('bob', '2026-01-02T01:00:00Z')).toBe(true)
    })

    test('can be a trip, even if nobody has switched its policy before', async () => {
      await twoPeople().trip(TRIP)
      expect((await twoPeople().resume(WORD)).isLifted).toBe(false)
      expect(await twoPeople().find('sweep')).toEqual({ ...TRIP, trip: 1 })
      expect((await twoPeople().resume({ ...WORD, by: 'bob' })).isLifted).toBe(true)
      expect(await twoPeople().find('sweep')).toBeUndefined()
    })
  })

  test('a halt of a breaker stays unchanged when the breaker trips again', async () => {
    await halts().trip(TRIP)
    await halts().trip({ ...TRIP, because: 'again' })
    expect(await halts().findOf('sweep')).toEqual([{ ...TRIP, trip: 1 }])
  })

  test('a halt of a breaker never touches the record of people', async () => {
    await halts().halt({ ...HALT, scope: 'sweep' })
    const before = store.records.get('H#sweep')
    await halts().trip(TRIP)
    expect(store.records.get('H#sweep')).toEqual(before)
    expect(await halts().findOf('sweep')).toEqual([
      { ...HALT, scope: 'sweep' },
      { ...TRIP, trip: 1 },
    ])
  })

  test('a halt of a person and one of a breaker are released separately, or both at once', async () => {
    const person = { ...HALT, scope: 'sweep' }
    await halts().halt(person)
    await halts().trip(TRIP)
    await halts().resume(WORD, [{ ...TRIP, trip: 1 }])
    expect(await halts().findOf('sweep')).toEqual([person])
    await halts().trip(TRIP)
    await halts().resume(WORD, [person])
    expect(await halts().findOf('sweep')).toEqual([{ ...TRIP, trip: 2 }])
    await halts().halt(person)
    await halts().resume(WORD)
    expect(await halts().findOf('sweep')).toEqual([])
  })

  test('a halt of a breaker that is released leaves the list of halts, and keeps its text', async () => {
    await halts().trip(TRIP)
    expect(store.records.get('T#sweep#1')).toMatchObject({ listed: 'HALTS' })
    await halts().resume(WORD)
    expect(store.records.get('T#sweep#1')?.listed).toBeUndefined()
    expect(store.records.get('T#sweep#1')).toMatchObject({ because: TRIP.because })
  })

  test('a halt of a breaker that tripped again while a person read the former trip is not released with it', async () => {
    await halts().trip(TRIP)
    const shown = await halts().findOf('sweep')
    await halts().resume(WORD)
    await halts().trip({ ...TRIP, because: 'again' })
    await expect(halts().resume(WORD, shown)).rejects.toThrow('somebody else changed')
    expect(await halts().find('sweep')).toMatchObject({ trip: 2 })
  })

  test('two halts are not released together once one of them is over', async () => {
    const person = { ...HALT, scope: 'sweep' }
    await halts().halt(person)
    await halts().trip(TRIP)
    const shown = await halts().findOf('sweep')
    await halts().resume(WORD, [person])
    await expect(halts().resume(WORD, shown)).rejects.toThrow('somebody else changed')
    expect(await halts().findOf('sweep')).toEqual([{ ...TRIP, trip: 1 }])
  })
})
