// An intent that a rebuild makes DONE records that, and the steps continue from it.
import { expect, test } from 'vitest'
import { findUnproven } from '../../../../core/movements/follows.ts'
import { writeIntent } from '../../../../operations/journal/write-repair.ts'
import { fakeWithdrawalPorts, LOST, ROW, WITHDRAW_REQUEST } from '../../../helpers/fake-withdrawal-service.ts'

test.each(['READY', 'ARMED'])('a withdrawal that was %s, and is DONE in its executions', async (state) => {
  const set = fakeWithdrawalPorts({ rows: [ROW], answer: LOST })
  const { journal } = set.shared
  await set.check()
  if (state === 'ARMED') await set.send()
  const intent = await set.intent()
  const evidence = { intentId: 'intent-1', kind: 'withdraw', request: WITHDRAW_REQUEST }
  const repair = { write: 'done', movementId: ROW.id } as const
  const connection = { journal } as unknown as Parameters<typeof writeIntent>[1]
  expect(await writeIntent({ evidence, intent, repair } as never, connection, 0)).toBe(`DONE by ${ROW.id}`)
  const rebuilt = await set.intent()
  expect(rebuilt).toMatchObject({ state: 'DONE', ref: ROW.id, params: WITHDRAW_REQUEST })
  expect(rebuilt && findUnproven(rebuilt, await journal.findClaim('withdraw', ROW.id))).toBeUndefined()
})
