// Guards of a withdrawal: what CheckWithdrawal freezes, and what Withdraw checks right before ARM.
import { describe, expect, test } from 'vitest'
import type { AssetTerms } from '../../../../core/movements/withdrawal/ports.ts'
import type { FakeTreasury } from '../../../helpers/fake-conversion-service.ts'
import { type FakeWithdrawals, fakeWithdrawalPorts, ROW } from '../../../helpers/fake-withdrawal-service.ts'

/** Reading the rows takes `rowsMs`. */
const portsOf = (parts: FakeTreasury, prices: Record<string, string> = {}, rowsMs = 0) =>
  fakeWithdrawalPorts({ rowsMs }, { parts, service: { prices } })

test('the value of a unit is frozen only if a bound in values applies to the withdrawal', async () => {
  const guards = { contacts: { vault: { largest: '90' } } }
  const toVault = portsOf({ guards }, { 'USDC-USD BUY': '0.99' })
  await toVault.check()
  expect((await toVault.intent())?.frozen.unitValues).toEqual({ USD: '0.99' })
  expect(await toVault.send()).toMatchObject({
    ...{ outcome: 'REJECTED', why: 'guards.contacts.vault.largest is 90 USD, and this is 99' },
  })
  const elsewhere = portsOf({ guards })
  await elsewhere.check({ contactId: 'bank' })
  expect((await elsewhere.intent())?.frozen).not.toHaveProperty('unitValues')
  expect(await elsewhere.send()).toMatchObject({ outcome: 'COMPLETED' })
})

test('a bound in values without a market price refuses the withdrawal, and opens no intent', async () => {
  const { check, intent } = portsOf({ guards: { total: { daily: '1' } } })
  await expect(check()).rejects.toThrow('guards.total cannot be checked: no market tells what USDC is worth in USD')
  expect(await intent()).toBeUndefined()
})

test('an unknown policy opens no intent', async () => {
  await expect(portsOf({}).check({ policy: 'nightly' })).rejects.toThrow('treasury.json has no policy nightly')
})

test('in quiet hours it waits with neither lane nor reservation, so that others can have them', async () => {
  const guards = { quietHours: [{ from: '00:01', to: '06:00' }], dailyOutflow: { USDC: '100' } }
  const { check, send, shared, world } = portsOf({ guards })
  await check()
  // A token that lives for half a minute could be accepted a minute after that.
  const held = await send()
  expect(held).toMatchObject({ outcome: 'HELD', why: expect.stringContaining('until 2026-01-01T06:00:00.000Z') })
  expect([...shared.store.records.keys()]).toEqual(['A#account', 'I#withdraw#intent-1'])
  shared.fake.nowMs = Date.parse('2026-01-01T06:00:00Z')
  expect(await send(held)).toMatchObject({ outcome: 'COMPLETED' })
  expect(world.sends).toBe(1)
})

test('while sending is halted it waits with neither lane nor reservation', async () => {
  const { check, send, shared } = portsOf({ guards: { dailyOutflow: { USDC: '100' } } })
  const halt = { scope: '*', by: 'ada', because: 'an audit', at: '2026-01-01T00:00:00Z' }
  await shared.halts.halt(halt)
  await check()
  const held = await send()
  expect(held).toMatchObject({ outcome: 'HELD' })
  expect([...shared.store.records.keys()]).toEqual(['H#*', 'A#account', 'I#withdraw#intent-1'])
  await shared.halts.resume(halt)
  expect(await send(held)).toMatchObject({ outcome: 'COMPLETED' })
})

test('slow reads of rows do not carry it into quiet hours', async () => {
  const guards = { quietHours: [{ from: '00:02', to: '06:00' }] }
  const { check, send, world, intent } = portsOf({ guards }, {}, 60_000)
  await check()
  expect(await send()).toMatchObject({ outcome: 'HELD' })
  expect(world.sends).toBe(0)
  expect((await intent())?.state).toBe('READY')
})

test('a clock that is set forward while a send is prepared does not hide quiet hours', async () => {
  const guards = { quietHours: [{ from: '00:03', to: '00:04' }] }
  const { check, send, world, ports, shared } = portsOf({ guards }, {}, 180_000)
  const prepare = ports.sender.prepareWithdrawal
  ports.sender.prepareWithdrawal = (...args) => {
    shared.fake.nowMs += 120_000
    return prepare(...args)
  }
  await check()
  expect(await send()).toMatchObject({ outcome: 'HELD' })
  expect(world.sends).toBe(0)
})

test('no more than the requested maximum leaves, however the fee has grown since', async () => {
  const { check, send, world, intent } = portsOf({})
  await check({ most: '99.99' })
  expect(await intent()).toMatchObject({
    ...{ state: 'REJECTED', outcome: 'REJECTED', guardedBy: 'largest' },
    why: '100 USDC would leave, fee included, and 99.99 is the most that was asked for',
  })
  expect(await send()).toMatchObject({ outcome: 'REJECTED', guardedBy: 'largest' })
  expect(world.sends).toBe(0)
  const enough = portsOf({})
  await enough.check({ most: '100' })
  expect(await enough.send()).toMatchObject({ outcome: 'COMPLETED' })
})

test('a process that dies after it opened a withdrawal above the maximum leaves nothing to send', async () => {
  const { check, send, world, ports } = portsOf({})
  const { advance } = ports.journal
  ports.journal.advance = () => Promise.reject(new Error('died'))
  await check({ most: '99.99' }).catch(() => undefined)
  ports.journal.advance = advance
  expect(await send()).toMatchObject({ outcome: 'REJECTED', guardedBy: 'largest' })
  expect(world.sends).toBe(0)
})

test('a withdrawal that waited over midnight counts on the day of its send', async () => {
  const { check, sendAt, shared } = portsOf({ guards: { dailyOutflow: { USDC: '100' } } })
  await check({ notAfter: '2026-01-03T00:00:00Z' })
  expect(await sendAt(26 * 3_600_000)).toMatchObject({ outcome: 'COMPLETED' })
  expect([...shared.store.records.keys()].filter((pk) => pk.startsWith('B#'))).toEqual(['B#*#2026-01-02#USDC'])
})

test('a send in the last minutes of a day also counts on the next day', async () => {
  const { check, sendAt, shared } = portsOf({ guards: { dailyOutflow: { USDC: '100' } } })
  await check({ notAfter: '2026-01-03T00:00:00Z' })
  await sendAt(24 * 3_600_000 - 60_000)
  const days = [...shared.store.records.keys()].filter((pk) => pk.startsWith('B#'))
  expect(days).toEqual(['B#*#2026-01-01#USDC', 'B#*#2026-01-02#USDC'])
})

describe('a fee that has risen since the checks', () => {
  const networks = (withdrawalFee: string, minimumWithdrawal = '1') => [
    { networkId: 'ETH', withdrawalFee, minimumWithdrawal },
  ]
  const row = { ...ROW, subType: 'EXTERNAL_CRYPTO', networkId: 'ETH', fee: '2.5', total: '102.5' }

  /** Checked at a fee of 1, and sent at one of 2.5. */
  async function risen(asked: object, guards: object, change: Partial<FakeWithdrawals> = {}) {
    const external = { type: 'EXTERNAL_CRYPTO', networkId: 'ETH' }
    const balances = [{ assetSymbol: 'USDC', balance: '1000', balanceFrozen: '0' }]
    const fakes = fakeWithdrawalPorts(
      {
        asset: { networks: networks('1') },
        contact: external,
        answer: { kind: 'accepted', withdrawal: row },
        ...change,
      },
      { parts: { guards }, service: { balances } },
    )
    expect(await fakes.check({ feeMode: 'add', ...asked })).toMatchObject({ outcome: 'CHECKED' })
    fakes.world.asset = { networks: networks('2.5') }
    return fakes
  }

  test('and breaks no bound is paid, and the record has it beside the fee of the checks', async () => {
    const { send, intent, shared } = await risen({ most: '102.5', keep: '897.5' }, { dailyOutflow: { USDC: '102.5' } })
    expect(await send()).toMatchObject({ outcome: 'COMPLETED', fee: '2.5', total: '102.5' })
    expect(await intent()).toMatchObject({ frozen: { fee: '1', total: '101' }, attempt: { fee: '2.5' } })
    expect(shared.store.records.get('B#*#2026-01-01#USDC')?.reserved).toEqual({ 'withdraw#intent-1': '102.5' })
  })

  test('and has fallen again counts as the dearer fee of the checks', async () => {
    const { send, world, intent } = await risen({}, { dailyOutflow: { USDC: '100.9' } })
    world.asset = { networks: networks('0.5') }
    expect(await send()).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('this needs 101') })
    expect(await intent()).toMatchObject({ state: 'REJECTED', guardedBy: 'budget' })
  })

  test.each<[string, Partial<AssetTerms>, string]>([
    ['the minimum', { networks: networks('1', '100.5') }, 'at least 100.5 under feeMode add'],
    ['the increment', { amountIncrement: '30', networks: networks('1') }, '100 USDC is no multiple of 30'],
  ])('%s that has risen beyond the amount ends it, with nothing sent', async (_, asset, why) => {
    const { send, world, intent } = await risen({}, {})
    world.asset = asset
    expect(await send()).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining(why) })
    expect(await intent()).not.toHaveProperty('guardedBy')
    expect(world.sends).toBe(0)
  })
})
