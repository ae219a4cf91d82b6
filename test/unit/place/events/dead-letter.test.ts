// A dead letter is shown by its reason and its origin, never by its private text.
import { expect, test } from 'vitest'
import { askingText, readAsking, readDeadLetter, reasonOf } from '../../../../place/events/dead-letter.ts'

const event = {
  ...{ id: 'bus-1', source: 'payroll', account: '111111111111', time: '2026-01-31T09:00:00Z' },
  ...{ 'detail-type': 'Conversion Requested', detail: { version: 1, id: 'a-1' } },
}

test('a dead letter is reported by its reason, never by its message', () => {
  const attributes = { ERROR_CODE: { StringValue: 'NO_PERMISSIONS' }, ERROR_MESSAGE: { StringValue: 'not allowed' } }
  expect(reasonOf({ id: '1', body: '{"secret":1}', attributes })).toBe('NO_PERMISSIONS: not allowed')
  const failed = { requestPayload: { secret: 1 }, responsePayload: { errorType: 'Refused', errorMessage: 'no policy' } }
  expect(reasonOf({ id: '2', body: JSON.stringify(failed), attributes: {} })).toBe('Refused: no policy')
  expect(reasonOf({ id: '3', body: 'secret', attributes: {} })).toBe('failed: without a message')
})

test('an event is identified by the id of its requester, whether a function or EventBridge gave it up', () => {
  const failed = { requestPayload: event, responsePayload: { errorType: 'Refused', errorMessage: 'no policy' } }
  const ofFunction = readDeadLetter({ id: 'letter', body: JSON.stringify(failed), attributes: {} })
  expect(ofFunction).toMatchObject({ letterId: 'letter', reason: 'Refused: no policy' })
  expect(ofFunction.asked).toMatchObject({ id: 'a-1', source: 'payroll', account: '111111111111', eventId: 'bus-1' })
  const ofRule = readDeadLetter({ id: 'letter', body: JSON.stringify(event), attributes: {} })
  expect(ofRule.asked).toEqual(ofFunction.asked)
  expect(askingText(ofRule.asked)).toBe('Conversion Requested, id a-1, source payroll')
})

test('the start of a schedule is identified by its time and its policy', () => {
  const asked = readAsking({ source: 'schedule', policy: 'core', scheduledTime: '2026-01-31T09:00:00Z' })
  expect(askingText(asked)).toBe('schedule of core, id 2026-01-31T09:00:00Z, source schedule')
  expect(asked.isSchedule).toBe(true)
})

test.each([undefined, null, 'text', 7, [], { detail: 'text' }])(
  'a letter without an event (%j) is still reported',
  (given) => {
    expect(askingText(readAsking(given))).toBe('an event without a type')
  },
)

test('the start by a deposit is reported with its policies, and the place of its reason', () => {
  const body = JSON.stringify({
    ...{ source: 'deposit', delivery: 'ab'.repeat(32), policies: ['sol-in', 'btc-in'] },
    receivedAt: '2026-11-23T04:00:00.000Z',
  })
  const { asked, reason } = readDeadLetter({ id: 'm-1', body, attributes: {} })
  expect(asked).toMatchObject({ id: 'ab'.repeat(32), isDeposit: true, time: '2026-11-23T04:00:00.000Z' })
  expect(askingText(asked)).toBe(`deposit for sol-in, btc-in, id ${'ab'.repeat(32)}, source deposit`)
  expect(reason).toContain('the log of StartOnDeposit')
})
