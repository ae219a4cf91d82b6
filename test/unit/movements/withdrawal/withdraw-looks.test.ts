// Withdraw has sent, and polls for some seconds whether the withdrawal has ended before it leaves that to a wait.
import { describe, expect, test } from 'vitest'
import { KeyFault, Transient } from '../../../../core/errors.ts'
import type { Move } from '../../../../core/journal/moves.ts'
import { pollWithdrawal } from '../../../../functions/poll-withdrawal/poll-withdrawal.ts'
import { START_MS } from '../../../helpers/fake-conversion-service.ts'
import { fakeWithdrawalPorts, ROW } from '../../../helpers/fake-withdrawal-service.ts'

const PENDING = { ...ROW, status: 'PENDING' }
const ACCEPTED = { kind: 'accepted', withdrawal: PENDING } as const

/** Its row completes at `completeMs` after the start; absent: never. A poll may fail instead. */
function accepted({
  completeMs = Number.POSITIVE_INFINITY,
  timing = {},
  failsFromMs = Number.POSITIVE_INFINITY,
  fault = new Transient('no answer') as Error,
} = {}) {
  const set = fakeWithdrawalPorts({ answer: ACCEPTED }, { timing })
  const { fake } = set.shared
  set.ports.service.findWithdrawal = async () => {
    const passedMs = fake.nowMs - START_MS
    if (passedMs >= failsFromMs) throw fault
    return passedMs >= completeMs ? ROW : PENDING
  }
  return { ...set, passedMs: () => fake.nowMs - START_MS }
}

describe('an accepted withdrawal', () => {
  test.each([0, 1_000, 5_000])(
    'and completes after %i ms ends the run in the step that sent it',
    async (completeMs) => {
      const { check, send, world } = accepted({ completeMs })
      await check()
      expect(await send()).toMatchObject({ outcome: 'COMPLETED', withdrawalId: ROW.id })
      expect(world.sends).toBe(1)
    },
  )

  test('an accepted withdrawal that keeps moving is left to a first wait, and then to PollWithdrawal', async () => {
    const { check, send, shared, ports, passedMs } = accepted({ completeMs: 30_000 })
    await check()
    const sent = await send()
    expect(sent).toMatchObject({ outcome: 'PROCESSING', waits: 1, waitSeconds: 25, why: 'the withdrawal is pending' })
    expect(passedMs()).toBe(5_000)
    shared.fake.nowMs += 25_000
    expect(await pollWithdrawal({ intentId: 'intent-1', waits: 1 }, ports)).toMatchObject({ outcome: 'COMPLETED' })
  })

  test('an accepted withdrawal whose record was changed meanwhile is not reported, and the field is named', async () => {
    const { check, send, shared, ports } = accepted({ completeMs: 0 })
    await check()
    await send()
    const done = await shared.journal.find('intent-1', 'withdraw')
    if (done) await shared.journal.advance(done, { frozen: { ...done.frozen, contactId: 'c-2' } } as Move)
    const polled = pollWithdrawal({ intentId: 'intent-1', waits: 1 }, ports)
    await expect(polled).rejects.toThrow('its frozen.contactId is not as it was asked for')
  })

  test.each([new Transient('no answer'), new KeyFault('the key is revoked')])(
    'that cannot be read is read again after each wait, and ends STUCK only after the last: %s',
    async (fault) => {
      const { check, send, intent, ports, world } = accepted({ failsFromMs: 0, fault })
      await check()
      expect(await send()).toEqual({
        ...{ outcome: 'PROCESSING', intentId: 'intent-1', attempts: 1, withdrawalId: ROW.id, assetSymbol: 'USDC' },
        ...{ waits: 1, waitSeconds: 25, why: `accepted, and could not be looked at: ${fault.message}` },
        ...(fault instanceof KeyFault && { keyAtFault: true }),
      })
      expect(await intent()).toMatchObject({ state: 'DONE', ref: ROW.id })
      const outage = { outcome: 'PROCESSING', waits: 40, waitSeconds: 120, why: expect.stringContaining(fault.message) }
      expect(await pollWithdrawal({ intentId: 'intent-1', waits: 39 }, ports)).toMatchObject(outage)
      expect(await pollWithdrawal({ intentId: 'intent-1', waits: 40 }, ports)).toMatchObject({ outcome: 'STUCK' })
      ports.service.findWithdrawal = async () => ROW
      expect(await pollWithdrawal({ intentId: 'intent-1', waits: 1 }, ports)).toMatchObject({ outcome: 'COMPLETED' })
      expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
      expect(world.sends).toBe(1)
    },
  )

  test('an accepted withdrawal that cannot be polled any more is still under way', async () => {
    const { check, send, intent } = accepted({ failsFromMs: 1_000 })
    await check()
    expect(await send()).toMatchObject({ outcome: 'PROCESSING', waits: 1, waitSeconds: 25 })
    expect(await intent()).toMatchObject({ state: 'DONE' })
  })

  test('delays no other withdrawal of its asset while it is polled', async () => {
    const { check, send, shared, ports } = accepted()
    await check()
    const holders: unknown[] = []
    const { findWithdrawal } = ports.service
    ports.service.findWithdrawal = async (id) => {
      holders.push((await shared.lanes.take('account-1', 'USDC', 'another')).heldBy)
      return findWithdrawal(id)
    }
    await send()
    expect([...new Set(holders)]).toEqual([undefined])
  })

  test('is not reported from another account’s view in the meantime', async () => {
    const { check, send, intent, shared, ports } = accepted({ completeMs: 1_000 })
    await check()
    const { findWithdrawal } = ports.service
    ports.service.findWithdrawal = async (id) => {
      const seen = await findWithdrawal(id)
      Object.assign(shared.fake, { kid: 'svc_test_ba9876543210', account: 'account-2' })
      return seen
    }
    expect(await send()).toMatchObject({ outcome: 'PROCESSING', why: expect.stringContaining('the key was replaced') })
    expect(await send()).toMatchObject({
      outcome: 'PROCESSING',
      why: expect.stringContaining('is of account account-2'),
    })
    expect(await intent()).toMatchObject({ state: 'DONE' })
  })

  test('ends STUCK at once if no wait is configured', async () => {
    const { check, send } = accepted({ timing: { pollWaits: 0 } })
    await check()
    expect(await send()).toMatchObject({ outcome: 'STUCK', withdrawalId: ROW.id })
  })
})
