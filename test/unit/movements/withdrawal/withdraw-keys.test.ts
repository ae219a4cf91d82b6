// Which key may prove the outcome of a withdrawal, and what a refusal of the key means.
import { describe, expect, test } from 'vitest'
import { KeyFault } from '../../../../core/errors.ts'
import { enterWithdraw } from '../../../helpers/entered.ts'
import { START_MS } from '../../../helpers/fake-conversion-service.ts'
import { fakeWithdrawalPorts, keySaid, LOST, ROW } from '../../../helpers/fake-withdrawal-service.ts'

const PAST_FENCE_MS = 165_001
const OTHER = { kid: 'svc_test_anotherkey00' }

/** A withdrawal that was sent, lost its answer, and made nothing. */
async function sent() {
  const set = fakeWithdrawalPorts({ answer: LOST })
  await set.check()
  await set.send()
  return set
}

describe('the absence of a row', () => {
  test('is a certified zero with the key that signed, and with a key of the same account', async () => {
    const { sendAt } = await sent()
    expect(await sendAt(PAST_FENCE_MS)).toMatchObject({ outcome: 'AGAIN', attempts: 2 })
    const replaced = await sent()
    Object.assign(replaced.shared.fake, OTHER)
    expect(await replaced.sendAt(PAST_FENCE_MS)).toMatchObject({ outcome: 'AGAIN', attempts: 2 })
  })

  test.each<[string, string | undefined]>([
    ['of another account', 'account-2'],
    ['that may not read its account', undefined],
  ])(
    'proves nothing with a key %s: the doubt stays, the lane is closed, and the reason is given',
    async (_, account) => {
      const { sendAt, shared, ports, intent, world } = await sent()
      Object.assign(shared.fake, { ...OTHER, account })
      const report = await sendAt(PAST_FENCE_MS)
      expect(report).toMatchObject({ outcome: 'UNCERTAIN', waits: 1 })
      expect(report.why).toContain('the key in use is svc_test_anotherkey00')
      expect(await intent()).toMatchObject({ state: 'ARMED', attemptNumber: 1 })
      expect(await ports.lanes.take('account-1', 'USDC', 'another-intent')).toMatchObject({ heldBy: 'intent-1' })
      expect(world.sends).toBe(1)
    },
  )
})

test('a row of another account does not count as this withdrawal', async () => {
  const { sendAt, shared, world, intent } = await sent()
  world.rows = [{ ...ROW, id: 'theirs' }]
  Object.assign(shared.fake, { ...OTHER, account: 'account-2' })
  expect(await sendAt(PAST_FENCE_MS)).toMatchObject({ outcome: 'UNCERTAIN' })
  expect(await intent()).toMatchObject({ state: 'ARMED' })
})

test('a key of another account sends nothing for an intent, and opens none in its journal', async () => {
  const { check, send, shared, world, intent } = fakeWithdrawalPorts()
  await check()
  Object.assign(shared.fake, { ...OTHER, account: 'account-2' })
  await expect(send()).rejects.toThrow(KeyFault)
  expect(await intent()).toMatchObject({ state: 'READY' })
  expect(world.sends).toBe(0)
  const other = fakeWithdrawalPorts()
  await other.shared.account.settle('account-2', 'test')
  await expect(other.check()).rejects.toThrow(KeyFault)
  expect(await other.intent()).toBeUndefined()
})

test('rows listed by a key of another account do not count as the earlier rows of a withdrawal that the right key signs', async () => {
  const { check, ports, shared, world, intent } = fakeWithdrawalPorts()
  const said = await check()
  const { fake } = shared
  const own = { kid: fake.kid, account: fake.account }
  Object.assign(fake, { ...OTHER, account: 'account-2' })
  const listWithdrawals = async () => {
    Object.assign(fake, own)
    return []
  }
  await expect(enterWithdraw(said, { ...ports, service: { ...ports.service, listWithdrawals } })).rejects.toThrow(
    'the key was replaced',
  )
  expect(await intent()).toMatchObject({ state: 'READY' })
  expect(world.sends).toBe(0)
})

test('a key that may not read its account opens a withdrawal only if an earlier one has pinned the account', async () => {
  const { check, shared, intent } = fakeWithdrawalPorts({}, { service: { account: undefined } })
  await expect(check()).rejects.toThrow('give it the scope accounts:read')
  expect(await intent()).toBeUndefined()
  await shared.account.settle('account-1', 'test')
  await check()
  expect((await intent())?.frozen.account).toBe('account-1')
})

describe.each(['insufficient_scope', 'key_revoked', 'two_factor_required', 'ip_not_allowed'])(
  'a withdrawal refused with %s',
  (code) => {
    const refused = { kind: 'unproven', said: keySaid(code) } as const

    test('is READY again past its fence, keeps its lane, and is sent once the key is right', async () => {
      const { check, send, sendAt, shared, world, intent } = fakeWithdrawalPorts({ answer: refused })
      await check()
      expect(await send()).toMatchObject({ outcome: 'UNCERTAIN' })
      const held = await sendAt(PAST_FENCE_MS)
      expect(held).toMatchObject({ outcome: 'HELD', waits: 1, why: `the service said ${code}`, keyAtFault: true })
      expect(await intent()).toMatchObject({ state: 'READY', attemptNumber: 2 })
      expect(shared.fake.keysForgotten).toBe(1)
      world.answer = { kind: 'accepted', withdrawal: { ...ROW, createdAt: new Date(START_MS + 151_000).toISOString() } }
      expect(await send(held)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 })
      expect(world.sends).toBe(2)
    })

    test('ends by its own time if no key is right', async () => {
      const { check, send, sendAt, world } = fakeWithdrawalPorts({ answer: refused })
      await check({ notAfter: '2026-01-01T00:10:00Z' })
      await send()
      const held = await sendAt(PAST_FENCE_MS)
      expect(held).toMatchObject({ outcome: 'HELD' })
      expect(await sendAt(600_000)).toMatchObject({ outcome: 'EXHAUSTED' })
      expect(world.sends).toBe(1)
    })
  },
)

test('an intent has its whole time if the machine that starts it is a quarter of an hour behind', async () => {
  const { check, shared, send, intent } = fakeWithdrawalPorts()
  shared.fake.nowMs = START_MS + 900_000
  await check({ notAfter: undefined })
  expect((await intent())?.notAfter).toBe('2026-01-01T00:30:00.000Z')
  expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
})
