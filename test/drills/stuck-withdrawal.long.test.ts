// The runbook's steps close a withdrawal that the service does not end, once.
import { expect, test } from 'vitest'
import { drill, startDesk } from './drill.ts'

test('a withdrawal that the service does not end is reported, waited for, and closed once', async () => {
  const desk = await startDesk(
    { timing: { pollWaits: 1, pollInsideSeconds: 0, pollFirstWaitSeconds: 1 } },
    { profile: 'slow' },
  )
  const [contact] = desk.sandbox.contacts
  const input = desk.file(
    'withdraw.json',
    JSON.stringify({ assetSymbol: 'USDC', amount: '100', contactId: contact?.id }),
  )
  const stuck = await desk.sluice('run', 'withdraw', input, '--id', 'rent', '--json')
  expect(stuck.exitCode, stuck.stderr).toBe(3)
  const { intentId, withdrawalId } = JSON.parse(stuck.stdout)
  const [attention] = await drill('A withdrawal is stuck', desk, {
    values: { INTENT: intentId, WITHDRAWAL: withdrawalId },
    byHand: {
      'ask the service why it does not go on, with the id of the withdrawal': () =>
        desk.control(`/withdrawals/${withdrawalId}`, { status: 'COMPLETED' }).then(() => undefined),
    },
  })
  expect(attention?.stderr).toContain(`sluice cases again ${intentId}`)
  expect(attention?.stderr).not.toContain('sluice cases resolve')
  const { movements } = await desk.control<{ movements: unknown[] }>('/oracle')
  expect(movements).toHaveLength(1)
})
