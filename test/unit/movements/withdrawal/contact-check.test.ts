// A contact that differs from its plan, or from its check, is not paid.
import { expect, test } from 'vitest'
import type { PayeeFacts } from '../../../../core/contract/payee.ts'
import type { PlanLeg } from '../../../../core/contract/plan.ts'
import { policy } from '../../../../core/contract/policies.ts'
import { type FakeWithdrawals, fakeWithdrawalPorts, LOST } from '../../../helpers/fake-withdrawal-service.ts'
import { storedRun } from '../../../helpers/stored-run.ts'

const LEG = { assetSymbol: 'USDC', amount: '100', contactId: 'vault' }
const END = '2026-01-02T00:00:00Z'
const SWEEP = { kind: 'sweep', rules: [{ assets: ['USDC'], contactId: 'vault' }] }
const PAYEE: PayeeFacts = {
  ...{ contactId: 'vault', alias: 'vault', reference: null, type: 'INTERNAL', assetSymbol: null, networkId: null },
  ...{ bank: null, updatedAt: '2025-06-01T00:00:00Z' },
}

/** A leg of a run that was planned for the contact's state in June. */
async function planned(change: Partial<FakeWithdrawals> = {}) {
  const fakes = fakeWithdrawalPorts(change, { parts: { policies: { cold: SWEEP } } })
  const asPlanned = policy.parse(SWEEP)
  const leg: PlanLeg = {
    kind: 'withdraw',
    ...{ key: 'rule1-withdraw-USDC', phase: 1, value: '100', reason: 'more than its target', request: LEG },
    ...{ assetSymbol: 'USDC', contactId: 'vault', payee: PAYEE, fee: '1', total: '101', isCanary: false },
  }
  const run = storedRun({ policy: 'cold', asPlanned, notAfter: END, intentId: 'intent-1', leg })
  await fakes.shared.store.create(run)
  return { ...fakes, check: () => fakes.check({ policy: 'cold', run: 'run-1', notAfter: END }) }
}

test('a leg whose contact equals its plan is sent, after another read', async () => {
  const { check, send, world } = await planned()
  expect(await check()).toMatchObject({ outcome: 'CHECKED' })
  expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
  expect(world.contactsRead).toBe(2)
})

test.each<[Partial<PayeeFacts>, string]>([
  [{ updatedAt: '2026-01-01T00:00:00Z' }, 'its updatedAt was 2025-06-01T00:00:00Z and is 2026-01-01T00:00:00Z'],
  [{ networkId: 'TRON' }, 'its networkId was null and is TRON'],
  [{ assetSymbol: 'BTC' }, 'its assetSymbol was null and is BTC'],
  [{ bank: 'Another Bank, account …9999' }, 'its bank was null and is Another Bank'],
  [{ type: 'BANK_ACCOUNT' }, 'its type was INTERNAL and is BANK_ACCOUNT'],
])(
  'a leg whose contact has changed since its plan ends REJECTED by name, with nothing sent: %o',
  async (contact, why) => {
    const { check, send, world, intent } = await planned({ contact })
    expect(await check()).toMatchObject({ outcome: 'RECORDED' })
    expect(await send()).toMatchObject({
      ...{ outcome: 'REJECTED', guardedBy: 'contact' },
      why: expect.stringContaining(`contact vault has changed since it was planned: ${why}`),
    })
    expect(world.sends).toBe(0)
    expect(await intent()).toMatchObject({ state: 'REJECTED', guardedBy: 'contact' })
  },
)

test('a changed label alone has no effect', async () => {
  const { check, send } = await planned({ contact: { alias: 'cold vault', reference: 'v' } })
  await check()
  expect(await send()).toMatchObject({ outcome: 'COMPLETED' })
})

test('a contact that changes while the withdrawal waits for its turn is not paid', async () => {
  const parts = { guards: { quietHours: [{ from: '00:00', to: '06:00' }] } }
  const { check, send, shared, world } = fakeWithdrawalPorts({}, { parts })
  await check()
  const held = await send()
  expect(held).toMatchObject({ outcome: 'HELD' })
  world.contact = { networkId: 'TRON' }
  shared.fake.nowMs = Date.parse('2026-01-01T06:00:00Z')
  expect(await send(held)).toMatchObject({
    ...{ outcome: 'REJECTED', guardedBy: 'contact' },
    why: 'contact vault has changed since it was checked: its networkId was null and is TRON',
  })
  expect(world.sends).toBe(0)
})

test('a contact that changes while an attempt is in doubt is not paid again', async () => {
  const { check, sendAt, world } = fakeWithdrawalPorts({ answer: LOST })
  await check()
  await sendAt(0)
  world.contact = { updatedAt: '2026-01-01T00:01:00Z' }
  expect(await sendAt(400_000)).toMatchObject({ outcome: 'AGAIN' })
  expect(await sendAt(401_000)).toMatchObject({ outcome: 'REJECTED', guardedBy: 'contact' })
  expect(world.sends).toBe(1)
})
