// Tests a record that somebody has made DONE with a movement of another intent.
import { expect, test } from 'vitest'
import type { WithdrawIntent } from '../../../../core/journal/intent.ts'
import type { Move } from '../../../../core/journal/moves.ts'
import { conclude } from '../../../../functions/conclude/conclude.ts'
import { withdrawalConclusion } from '../../../../functions/conclude/conclusions.ts'
import { pollWithdrawal } from '../../../../functions/poll-withdrawal/poll-withdrawal.ts'
import { START_MS } from '../../../helpers/fake-conversion-service.ts'
import { type FakeWithdrawals, fakeWithdrawalPorts, LOST, ROW } from '../../../helpers/fake-withdrawal-service.ts'

const ANOTHERS = { ...ROW, id: 'anothers' }

async function made(holder: string, change: Partial<FakeWithdrawals>, isSent: boolean) {
  const set = fakeWithdrawalPorts({ rows: [ANOTHERS], ...change })
  await set.shared.journal.claim('withdraw', ANOTHERS.id, holder)
  await set.check()
  if (isSent) await set.send()
  const intent = (await set.intent()) as WithdrawIntent
  await set.shared.journal.advance(intent, { state: 'DONE', ref: ANOTHERS.id } as Move)
  return set
}

test.each([
  ['READY', 'its state is not as it was asked for'],
  ['ARMED', 'its movement anothers is claimed by intent intent-0'],
])('a record that was %s is not COMPLETED by the row of another intent', async (state, why) => {
  const set = await made('intent-0', { answer: LOST }, state === 'ARMED')
  await expect(set.send()).rejects.toThrow(why)
  await expect(pollWithdrawal({ intentId: 'intent-1' }, set.ports)).rejects.toThrow(why)
  const { journal } = set.ports
  const input = {
    ...{ execution: 'intent-1', startedAt: new Date(START_MS).toISOString(), kind: 'withdraw' as const },
    ...{ request: (await set.intent())?.params, fault: { Error: 'Defect', Cause: why } },
  }
  const lanes = { closeForLost: () => Promise.reject(new Error('no lane is closed')) }
  const ports = { journal, lanes, clock: set.ports.clock, timing: set.ports.timing }
  expect(await conclude(input as never, withdrawalConclusion, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
})

test('nor by a row of its own claim that differs from the request', async () => {
  const set = await made('intent-1', { answer: LOST, rows: [{ ...ANOTHERS, amount: '5', total: '5' }] }, true)
  await expect(set.send()).rejects.toThrow('withdrawal anothers is not what intent intent-1 asked for')
})
