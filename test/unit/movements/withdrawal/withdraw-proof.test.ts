// Tests the proofs that Withdraw accepts for its movement, and the cases that it leaves to a person.
import { describe, expect, test } from 'vitest'
import type { WithdrawalState } from '../../../../core/service/ports.ts'
import { conclude } from '../../../../functions/conclude/conclude.ts'
import { withdrawalConclusion } from '../../../../functions/conclude/conclusions.ts'
import { type FakePorts, START_MS } from '../../../helpers/fake-conversion-service.ts'
import {
  type FakeWithdrawals,
  fakeWithdrawalPorts,
  LOST,
  ROW,
  WITHDRAW_REQUEST,
} from '../../../helpers/fake-withdrawal-service.ts'

const FENCE_MS = 165_000
const EARLIER = new Date(START_MS - 3_600_000).toISOString()
const daysAgo = (days: number) => new Date(START_MS - days * 86_400_000).toISOString()
const row = (id: string, change: Partial<WithdrawalState> = {}): WithdrawalState => ({ ...ROW, id, ...change })

/** Its send makes `made`, and the answer is lost. */
function lost(made: WithdrawalState, change: Partial<FakeWithdrawals> = {}) {
  const set = fakeWithdrawalPorts({ answer: LOST, ...change })
  set.world.onSend = () => set.world.rows.push(made)
  return set
}

describe('a matching row, if the list before the send was empty', () => {
  const agoMs = (ms: number) => new Date(START_MS - ms).toISOString()

  test.each([
    ['an hour before the send', EARLIER],
    ['more than the leeway and a minute before the send', agoMs(121_000)],
  ])('goes to a person if it is dated %s, because it may be older than the send', async (_when, createdAt) => {
    const set = lost(row('theirs', { createdAt }))
    await set.check()
    await set.send()
    expect(await set.sendAt(FENCE_MS + 1)).toMatchObject({
      outcome: 'NEEDS_ATTENTION',
      why: expect.stringContaining('it is dated before the send, and was perhaps there before it'),
    })
    expect(set.world.sends).toBe(1)
  })

  test.each([
    ['to the minute of the send', agoMs(59_999)],
    ['by a clock that is behind as far as the leeway', agoMs(119_000)],
    ['after the send', agoMs(-1_000)],
  ])('is adopted if it is dated %s', async (_how, createdAt) => {
    const set = lost(row('new', { createdAt }))
    await set.check()
    expect(await set.send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'new' })
  })
})

describe('a row that has the id of an order', () => {
  test('belongs to the withdrawal after a conversion has claimed that order: it is not sent again', async () => {
    const { check, send, shared, world, intent } = lost(row('1000001'))
    await shared.journal.claim('convert', '1000001', 'conversion-1')
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: '1000001' })
    expect(world.sends).toBe(1)
    expect(await intent()).toMatchObject({ state: 'DONE', ref: '1000001', attemptNumber: 1 })
  })

  test('belongs to the withdrawal if the service names it in its answer', async () => {
    const { check, send, shared } = fakeWithdrawalPorts({ answer: { kind: 'accepted', withdrawal: row('1000001') } })
    await shared.journal.claim('convert', '1000001', 'conversion-1')
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: '1000001' })
  })
})

describe('a matching row, on an account to which others write', () => {
  test('goes to a person if a row from before the send is unclaimed', async () => {
    const { check, send, sendAt, intent, world } = lost(row('new'), { rows: [row('by hand', { createdAt: EARLIER })] })
    await check()
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'new' }] },
      why: 'new rows that may be this withdrawal: 1; others write to this account',
    })
    expect(await intent()).toMatchObject({ state: 'ESCALATED' })
    expect(world.sends).toBe(1)
  })

  test('goes to a person if another row came after the send and is unclaimed', async () => {
    const { check, send, sendAt, world } = lost(row('new'))
    world.onSend = () => world.rows.push(row('new'), row('theirs', { amount: '7', total: '7' }))
    await check()
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'new' }] })
    expect(world.sends).toBe(1)
  })

  test('is adopted if each row of the day is another intent’s of this journal, or is older than a day', async () => {
    const old = row('long ago', { createdAt: '2025-12-01T00:00:00Z' })
    const { check, send, shared } = lost(row('new'), { rows: [row('ours', { createdAt: EARLIER }), old] })
    await shared.journal.claim('withdraw', 'ours', 'another-intent')
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'new' })
  })

  test('goes to a person if a row of the day was declared foreign', async () => {
    const { check, send, sendAt, shared } = lost(row('new'), { rows: [row('theirs', { createdAt: EARLIER })] })
    await shared.journal.claim('withdraw', 'theirs', '(foreign)')
    await check()
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
  })

  test.each([undefined, true])('goes to a person if it is the first row and service.shared is %s', async (shared) => {
    const { check, send, sendAt, world } = lost(row('new'), { shared })
    await check()
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    const why = shared ? 'others write' : 'others may write to this account, because service.shared is not false'
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'new' }], why: expect.stringContaining(why) },
    })
    expect(world.sends).toBe(1)
  })

  test('needs nobody’s decision if the service named it in its answer', async () => {
    const { check, send } = fakeWithdrawalPorts({ rows: [row('by hand', { createdAt: EARLIER })] })
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'row-1' })
  })
})

describe('beside a withdrawal of the asset whose record the journal has lost', () => {
  /** Its run concludes it, after the table was restored to an older copy. */
  async function lose(ports: FakePorts, assetSymbol = 'USDC'): Promise<void> {
    const input = {
      ...{ execution: 'lost-1', startedAt: EARLIER, request: { ...WITHDRAW_REQUEST, assetSymbol } },
      ...{ kind: 'withdraw' as const, fault: { Error: 'IntentLost', Cause: 'not in the journal' } },
    }
    await conclude(input, withdrawalConclusion, ports)
    await conclude(input, withdrawalConclusion, ports)
  }
  const settle = async (ports: FakePorts) => {
    const intent = await ports.journal.find('lost-1', 'withdraw')
    if (intent) await ports.journal.advance(intent, { state: 'REJECTED', outcome: 'REJECTED', why: 'a person said so' })
  }

  test.each(['USDC', 'usdc'])('none is sent until a person has settled it, asked for as %s', async (assetSymbol) => {
    const { check, send, shared, world } = fakeWithdrawalPorts()
    await lose(shared, assetSymbol)
    await check()
    const why = 'withdrawal lost-1 of USDC is not settled yet, and its record was lost'
    expect(await send()).toMatchObject({ outcome: 'HELD', why })
    expect(world.sends).toBe(0)
    await settle(shared)
    expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
  })

  test('a withdrawal of another asset is sent', async () => {
    const { check, send, shared } = fakeWithdrawalPorts()
    await lose(shared, 'BTC')
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
  })

  test('a send from before this was noticed adopts no row by its figures, and a person names its owner', async () => {
    const { check, send, sendAt, shared, world } = lost(row('of lost-1'))
    const { onSend } = world
    await check()
    world.onSend = () => undefined
    await send()
    onSend()
    await lose(shared)
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'of lost-1' }] },
      why: expect.stringContaining('withdrawal lost-1, whose record the journal has lost'),
    })
    expect(await shared.journal.findClaim('withdraw', 'of lost-1')).toBeUndefined()
  })
})

describe('after more withdrawals of the asset than can be listed', () => {
  const history = Array.from({ length: 10_001 }, (_, at) => row(`old-${at}`, { createdAt: '2025-06-01T00:00:00Z' }))

  test('a withdrawal is sent, and its doubt is settled by its own row', async () => {
    const { check, send, world } = lost(row('new'), { rows: [...history] })
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'new' })
    expect(world.asked.map(({ startDate }) => startDate)).toEqual(Array(2).fill('2025-12-28T00:00:00.000Z'))
  })

  test('that nothing moved is certified, whenever it is checked', async () => {
    const { check, send, sendAt, world } = fakeWithdrawalPorts({ rows: [...history], answer: LOST })
    await check()
    await send()
    expect(await sendAt(7 * 86_400_000)).toMatchObject({ outcome: 'AGAIN', attempts: 2 })
    expect(world.asked.at(-1)).toMatchObject({
      ...{ startDate: '2025-12-28T00:00:00.000Z', endDate: '2026-01-05T00:02:45.000Z' },
    })
  })
})

describe('a list that lacks a row known to the journal', () => {
  const earlier = (id: string, change: Partial<WithdrawalState> = {}) => row(id, { createdAt: EARLIER, ...change })

  test('proves nothing after a send: the doubt stays until the list is complete', async () => {
    const { check, send, sendAt, world, intent } = lost(row('new'), { rows: [earlier('old-1'), earlier('old-2')] })
    await check()
    world.onSend = () => {
      world.rows = []
    }
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    const why = "the service's list of USDC withdrawals lacks old-1, which is one of them"
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({ outcome: 'UNCERTAIN', why: expect.stringContaining(why) })
    expect(await intent()).toMatchObject({ state: 'ARMED', attemptNumber: 1 })
    world.rows = [earlier('old-1'), earlier('old-2'), row('new')]
    expect(await send()).toMatchObject({ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'new' }] })
    expect(world.sends).toBe(1)
  })

  test('includes a list without a row that an earlier check took for perhaps its own', async () => {
    const { check, send, sendAt, world, intent } = lost(row('new', { networkId: 'eth' }))
    await check()
    expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
    expect(await intent()).toMatchObject({ attempt: { seen: [{ id: 'new', at: ROW.createdAt }] } })
    world.rows = []
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({
      outcome: 'UNCERTAIN',
      why: expect.stringContaining('lacks new'),
    })
    expect(world.sends).toBe(1)
  })

  test('keeps the next withdrawal of the asset from being sent', async () => {
    const { check, send, world } = fakeWithdrawalPorts({ rows: [earlier('theirs')] })
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'row-1' })
    const checked = await check({}, 'intent-2')
    const next = () => send(checked)
    world.rows = []
    const lacks = (id: string) => `the service's list of USDC withdrawals lacks ${id}, which is one of them`
    expect(await next()).toMatchObject({ outcome: 'HELD', why: lacks('theirs') })
    // The row of the previous withdrawal: the journal knows only its id, and the service its date.
    world.rows = [earlier('theirs')]
    expect(await next()).toMatchObject({ outcome: 'HELD', why: lacks('row-1') })
    expect(world.sends).toBe(1)
    world.rows = [earlier('theirs'), ROW]
    world.answer = { kind: 'accepted', withdrawal: row('row-2') }
    expect(await next()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: 'row-2' })
  })

  test('proves nothing either if that row is older than two days: the doubt stays, and nothing is sent again', async () => {
    const old = row('old', { createdAt: daysAgo(3), amount: '7', total: '7' })
    const { check, send, sendAt, world, intent } = lost(row('new'), { rows: [old] })
    world.onSend = () => {
      world.rows = []
    }
    await check()
    await send()
    expect(await sendAt(FENCE_MS + 1)).toMatchObject({
      outcome: 'UNCERTAIN',
      why: expect.stringContaining('lacks old'),
    })
    expect(await intent()).toMatchObject({ state: 'ARMED', attemptNumber: 1 })
    expect(world.sends).toBe(1)
  })

  test('proves nothing in a weekly payout, because the list reaches back to the payout of the week before', async () => {
    const week = 7 * 86_400_000
    const { check, send, shared, world } = fakeWithdrawalPorts()
    world.onSend = () => world.rows.push(ROW)
    await check()
    expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
    shared.fake.nowMs = START_MS + week
    const checked = await check({ notAfter: '2026-01-10T00:00:00Z' }, 'intent-2')
    world.rows = []
    expect(await send(checked)).toMatchObject({ outcome: 'HELD', why: expect.stringContaining('lacks row-1') })
    world.rows = [ROW]
    world.answer = LOST
    world.onSend = () => {
      world.rows = []
    }
    expect(await send(checked)).toMatchObject({ outcome: 'UNCERTAIN' })
    shared.fake.nowMs += FENCE_MS
    expect(await send(checked)).toMatchObject({ outcome: 'UNCERTAIN', why: expect.stringContaining('lacks row-1') })
    expect(world.sends).toBe(2)
  })

  test('is complete without the rows that are now older than two days', async () => {
    const { check, send, shared, world } = fakeWithdrawalPorts({ rows: [earlier('theirs'), ROW] })
    world.answer = { kind: 'accepted', withdrawal: row('row-2') }
    world.onSend = () => world.rows.push(row('row-2'))
    await check()
    await send()
    shared.fake.nowMs += 4 * 86_400_000 + 1
    const checked = await check({ notAfter: '2026-01-06T00:00:00Z' }, 'intent-2')
    world.answer = { kind: 'accepted', withdrawal: row('row-3', { createdAt: '2026-01-05T00:00:00Z' }) }
    expect(await send(checked)).toMatchObject({ outcome: 'COMPLETED' })
  })

  test('must contain a row that is exactly two days old, and may lack one a millisecond older', async () => {
    const border = row('border', { createdAt: new Date(START_MS).toISOString() })
    const { check, send, shared, world } = fakeWithdrawalPorts({ rows: [border] })
    await check()
    await send()
    const checked = await check({ notAfter: '2026-01-04T00:00:00Z' }, 'intent-2')
    world.rows = [ROW]
    shared.fake.nowMs = START_MS + 2 * 86_400_000
    expect(await send(checked)).toMatchObject({ outcome: 'HELD' })
    shared.fake.nowMs += 1
    world.answer = { kind: 'accepted', withdrawal: row('row-2', { createdAt: '2026-01-03T00:00:00Z' }) }
    expect(await send(checked)).toMatchObject({ outcome: 'COMPLETED' })
  })
})

describe('a yes that names', () => {
  test.each<[string, WithdrawalState[], WithdrawalState]>([
    ['a row from before the send', [row('row-1', { createdAt: EARLIER })], row('row-1', { createdAt: EARLIER })],
    ['a row from before the send that an empty list lacked', [], row('row-1', { createdAt: EARLIER })],
    ['a row older than a day', [], row('row-1', { createdAt: '2025-06-01T00:00:00Z' })],
    ['a row of another amount', [], row('row-1', { amount: '50', total: '50' })],
    ['a row of another asset', [], row('row-1', { assetSymbol: 'BTC' })],
    ['a row of another network', [], row('row-1', { networkId: 'eth' })],
  ])('%s is left to a person: the row is not claimed, and nothing is sent again', async (_, rows, named) => {
    const { check, send, sendAt, intent, shared, world } = fakeWithdrawalPorts({
      ...{ rows, answer: { kind: 'accepted', withdrawal: named } },
    })
    await check()
    expect(await send()).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', candidates: [{ id: 'row-1' }] },
      why: expect.stringContaining('the service said yes and named withdrawal row-1'),
    })
    expect(await intent()).toMatchObject({ state: 'ESCALATED', attempt: { accepted: true } })
    expect(await shared.journal.findClaim('withdraw', 'row-1')).toBeUndefined()
    expect(await sendAt(10 * FENCE_MS)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect(world.sends).toBe(1)
  })
})
