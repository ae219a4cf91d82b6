// A dead letter is put again only where that is the same request, and nothing private of it is shown.
import { expect, test } from 'vitest'
import { requestedName } from '../../../../core/triggers/names.ts'
import { resendable } from '../../../../operations/events/resendable.ts'
import { shownDetail } from '../../../../operations/events/shown-detail.ts'
import { askingText, readAsking, readDeadLetter } from '../../../../place/events/dead-letter.ts'
import { policies } from '../../../helpers/policies.ts'

const ACCOUNT = '111111111111'
const conversion = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const event = (changes: object = {}) => ({
  ...{ id: 'bus-1', source: 'payroll', account: ACCOUNT, 'detail-type': 'Conversion Requested' },
  ...{ detail: { version: 1, id: 'a-1', request: conversion }, ...changes },
})
const judge = (given: unknown) => resendable(readAsking(given), ACCOUNT, policies)

test('a request of this account is put unchanged, and names its execution', () => {
  const name = requestedName({ detailType: 'Conversion Requested', account: ACCOUNT, id: 'a-1' })
  const { detail } = event()
  expect(judge(event())).toEqual({
    event: { source: 'payroll', detailType: 'Conversion Requested', detail },
    start: { stateMachine: 'sluice-convert', name, input: { ...conversion, requestId: 'a-1' } },
  })
})

test.each([
  [
    'of another account, whose id would be another execution here',
    event({ account: '222222222222' }),
    'another execution',
  ],
  ['without an account', event({ account: undefined }), 'another execution'],
  [
    'that the function would refuse again',
    event({ detail: { version: 2, id: 'a-1' } }),
    'refused again: detail.version',
  ],
  ['of AWS itself', event({ 'detail-type': 'Step Functions Execution Status Change' }), 'asks for no movement'],
  [
    'of a schedule',
    { source: 'schedule', policy: 'balanced', scheduledTime: '2026-01-31T09:00:00Z' },
    'start of a schedule',
  ],
])('an event %s is not put, and the reason names no command, because pages show it too', (_what, given, why) => {
  const can = judge(given)
  expect(can).toMatchObject({ why: expect.stringContaining(why), instead: expect.any(String) })
  expect(JSON.stringify(can)).not.toContain('npx sluice')
})

test('the known fields of an event are shown, and the others are named', () => {
  const detail = {
    version: 1,
    id: 'a-1',
    token: 'hush',
    request: { ...conversion, note: 'hush', amount: { deep: 'hush' } },
  }
  const { amount: _amount, ...rest } = conversion
  const shown = shownDetail(detail)
  expect(shown).toEqual({
    shown: { version: 1, id: 'a-1', request: rest },
    withheld: ['token', 'request.amount', 'request.note'],
  })
  expect(shownDetail('hush')).toEqual({ shown: {}, withheld: ['detail'] })
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 'hush']))
  expect(shownDetail(many).withheld).toHaveLength(21)
})

test('a start by a deposit is not put again: running the policy has the same effect', () => {
  const can = judge({ source: 'deposit', delivery: 'ab'.repeat(32), policies: ['btc-in'] })
  expect(can).toMatchObject({
    why: expect.stringContaining('deposit'),
    instead: expect.stringContaining('run the policy'),
  })
})

test('an undelivered notice is named, and not put again', () => {
  const event = { id: 'e-1', source: 'sluice', 'detail-type': 'Policy Run Ended', detail: { execution: 'run-1' } }
  const body = JSON.stringify({ notice: 'chat', event })
  const { asked, reason } = readDeadLetter({ id: 'm-1', body, attributes: {} })
  expect(askingText(asked)).toBe('notice chat, Policy Run Ended, id e-1, source sluice')
  expect(reason).toBe('failed: the log of Notify says why')
  expect(judge({ notice: 'chat', event })).toMatchObject({
    instead: expect.stringContaining('a test of notice chat'),
    isToDrop: true,
  })
})
