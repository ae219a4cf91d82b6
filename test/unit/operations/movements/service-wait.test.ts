// Tests when a movement that the service has accepted is read again.
import { expect, test } from 'vitest'
import { serviceWaitOf } from '../../../../operations/movements/service-wait.ts'

const AT = '2026-01-31T09:00:00.000Z'
const report = { intentId: 'wd-1', attempts: 1, withdrawalId: 'w-1', waits: 2, why: 'the withdrawal is pending' }
const left = (output: object, state = 'PollWithdrawal') => ({ did: 'left' as const, at: AT, state, output })
const processing = left({ ...report, outcome: 'PROCESSING', waitSeconds: 3_600 })
const history = (steps: readonly object[], status = 'RUNNING') =>
  ({ name: 'wd-1', status, startedAt: AT, steps }) as never
const intent = (changes: object = {}) =>
  ({
    ...{ kind: 'withdraw', intentId: 'wd-1', state: 'DONE', attempt: {}, attemptNumber: 1, ref: 'w-1' },
    ...{ frozen: { subTypes: ['EXTERNAL_FIAT_BANK'] }, params: {} },
    ...changes,
  }) as never

test('a payout that was read an hour ago is read again at that time, and says that it waits for a bank', () => {
  expect(serviceWaitOf(intent(), [history([processing, { did: 'entered', at: AT, state: 'WaitToPoll' }])])).toEqual({
    ...{ readAt: AT, nextAt: '2026-01-31T10:00:00.000Z', isBank: true, why: 'the withdrawal is pending' },
  })
  const other = intent({ frozen: { subTypes: ['INTERNAL'] } })
  expect(serviceWaitOf(other, [history([processing])])).toMatchObject({ isBank: false })
})

test('the time of the last read is that of the step which read, and not of the wait after it', () => {
  const waited = { ...left(processing.output, 'WaitToPoll'), at: '2026-01-31T10:00:00.000Z' }
  expect(serviceWaitOf(intent(), [history([processing, waited])])).toMatchObject({ readAt: AT })
})

test.each([
  ['it is not sent', intent({ state: 'READY' }), [history([processing])]],
  ['its execution has ended', intent(), [history([processing], 'FAILED')]],
  ['a later execution has seen its end', intent(), [history([processing]), history([processing], 'SUCCEEDED')]],
  ['its end was read last', intent(), [history([processing, left({ ...report, outcome: 'COMPLETED' })])]],
  ['no execution of it is known', intent(), []],
])('nothing waits for the service where %s', (_why, asked, histories) => {
  expect(serviceWaitOf(asked, histories)).toBeUndefined()
})
