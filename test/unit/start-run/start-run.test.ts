// A schedule, a request or a deposit starts one run under one name, however often it arrives.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertRequest } from '../../../core/contract/convert.ts'
import type { Policy } from '../../../core/contract/policies.ts'
import { runRequest } from '../../../core/contract/runs.ts'
import { withdrawRequest } from '../../../core/contract/withdraw.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import { createPinnedAccount } from '../../../core/journal/pinned-account.ts'
import { createVerification, recordVerification } from '../../../core/journal/verification.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { startRun } from '../../../functions/start-run/start-run.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStarter } from '../../helpers/memory-starter.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { policies as unscheduled } from '../../helpers/policies.ts'

const conversion = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const withdrawal = { assetSymbol: 'USDC', amount: '100', contactId: 'contact-1' }
const scheduled = { source: 'schedule', policy: 'balanced', scheduledTime: '2026-01-31T09:00:00Z' }
const event = (detailType: string, detail: unknown, account = '111111111111') => ({
  ...{ version: '0', id: 'bus-1', source: 'payroll', account, time: '2026-01-31T09:00:00Z', region: 'eu-west-1' },
  ...{ resources: [], 'detail-type': detailType, detail },
})
const asks = (detailType: string, rest: object, id = 'req-1') => event(detailType, { version: 1, id, ...rest })

const hourly = { expression: 'rate(1 hour)', timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 }
const policies = Object.fromEntries(
  Object.entries(unscheduled).map(([name, policy]) => [name, { ...policy, schedule: hourly }]),
)

const isVerified = async () => true

function setUp(startFault?: Parameters<typeof createMemoryStarter>[0]) {
  const starter = createMemoryStarter(startFault)
  const requesters = createRequesters(createMemoryStore(), randomUUID)
  const ports = { policies, starter, isVerified, requesters, clock: manualClock() }
  const start = async (input: unknown) => {
    const report = await startRun(input, ports)
    if (!('execution' in report)) throw new Error('nothing was started')
    return report
  }
  return { starter, start, ports, requesters }
}

describe('a schedule', () => {
  test.each([
    ['balanced', 'sluice-rebalance'],
    ['gas-money', 'sluice-rebalance'],
    ['btc-in', 'sluice-rebalance'],
    ['to-cold', 'sluice-sweep'],
    ['payout', 'sluice-sweep'],
  ])('of %s starts %s, with the policy by its name', async (policy, stateMachine) => {
    const { start, starter } = setUp()
    const report = await start({ ...scheduled, policy })
    expect(report).toEqual({ outcome: 'STARTED', stateMachine, execution: expect.stringMatching(`^${policy}-`) })
    const { input } = starter.executions.get(report.execution) ?? {}
    expect(input).toEqual({ policy, trigger: { by: 'schedule', id: '2026-01-31T09:00:00Z' } })
    expect(runRequest.safeParse(input).success).toBe(true)
  })

  test('delivered twice is one run, under way or ended; its next time is another', async () => {
    const { start, starter } = setUp()
    const first = await start(scheduled)
    expect(await start(scheduled)).toEqual(first)
    starter.end()
    expect(await start(scheduled)).toEqual({ ...first, outcome: 'ALREADY_STARTED' })
    await start({ ...scheduled, scheduledTime: '2026-01-31T10:00:00Z' })
    expect(starter.executions.size).toBe(2)
  })

  test.each([
    ['between two times of a rate', { ...hourly, expression: 'rate(2 hours)' }],
    ['before the start', { ...hourly, start: '2026-01-31T09:01:00Z' }],
    ['after the end', { ...hourly, end: '2026-01-31T08:59:59Z' }],
    ['of a policy that has lost its schedule', undefined],
  ])('starts nothing at a tick %s, and reports it', async (_when, schedule) => {
    const { starter, ports } = setUp()
    const { schedule: _hourly, ...balanced } = policies.balanced ?? {}
    const own = { balanced: { ...balanced, ...(schedule && { schedule }) } as Policy }
    expect(await startRun(scheduled, { ...ports, policies: own })).toEqual({
      ...{ outcome: 'NOT_DUE', policy: 'balanced', scheduledTime: '2026-01-31T09:00:00Z' },
    })
    expect(starter.executions.size).toBe(0)
  })

  test('starts nothing at a due tick before its keys are verified, reports it, and starts the next', async () => {
    const { starter, ports: verified } = setUp()
    const store = createMemoryStore()
    const ports = { ...verified, isVerified: createVerification(store) }
    expect(await startRun(scheduled, ports)).toEqual({
      ...{ outcome: 'NOT_VERIFIED', policy: 'balanced', scheduledTime: '2026-01-31T09:00:00Z' },
    })
    expect(starter.executions.size).toBe(0)
    await recordVerification(store, randomUUID, '2026-01-31T09:30:00.000Z')
    expect(await startRun({ ...scheduled, scheduledTime: '2026-01-31T10:00:00Z' }, ports)).toMatchObject({
      outcome: 'STARTED',
    })
  })

  test('waits although a key has opened an intent: nobody has seen whether it can sign', async () => {
    const { ports: verified } = setUp()
    const store = createMemoryStore()
    await createPinnedAccount(store, randomUUID).settle('account-1', 'test')
    const ports = { ...verified, isVerified: createVerification(store) }
    expect(await startRun(scheduled, ports)).toMatchObject({ outcome: 'NOT_VERIFIED' })
  })

  test('is tried again if nobody can say whether keys are verified', async () => {
    const { starter, ports } = setUp()
    const isUnknown = () => Promise.reject(new Transient('the journal did not answer'))
    await expect(startRun(scheduled, { ...ports, isVerified: isUnknown })).rejects.toThrow(Transient)
    expect(starter.executions.size).toBe(0)
  })
})

describe('a request', () => {
  test('for a conversion starts it, with the id of the requester', async () => {
    const { start, starter } = setUp()
    const report = await start(asks('Conversion Requested', { request: conversion }))
    expect(report).toMatchObject({ outcome: 'STARTED', stateMachine: 'sluice-convert' })
    const { input } = starter.executions.get(report.execution) ?? {}
    expect(input).toEqual({ ...conversion, requestId: 'req-1' })
    expect(convertRequest.safeParse(input).success).toBe(true)
  })

  test('for a withdrawal starts it, with the id of the requester', async () => {
    const { start, starter } = setUp()
    const report = await start(asks('Withdrawal Requested', { request: withdrawal }))
    expect(report).toMatchObject({ outcome: 'STARTED', stateMachine: 'sluice-withdraw' })
    const { input } = starter.executions.get(report.execution) ?? {}
    expect(input).toEqual({ ...withdrawal, requestId: 'req-1' })
    expect(withdrawRequest.safeParse(input).success).toBe(true)
  })

  test.each([
    ['Sweep Requested', 'to-cold', 'sluice-sweep'],
    ['Sweep Requested', 'payout', 'sluice-sweep'],
    ['Rebalance Requested', 'balanced', 'sluice-rebalance'],
    ['Rebalance Requested', 'gas-money', 'sluice-rebalance'],
  ])('%s of %s starts %s', async (detailType, policy, stateMachine) => {
    const { start, starter } = setUp()
    const report = await start(asks(detailType, { policy }))
    expect(report).toMatchObject({ outcome: 'STARTED', stateMachine })
    expect(starter.executions.get(report.execution)?.input).toEqual({ policy, trigger: { by: 'event', id: 'req-1' } })
  })

  test('put or delivered again is one execution, whatever EventBridge calls it', async () => {
    const { start, starter } = setUp()
    const first = await start(asks('Conversion Requested', { request: conversion }))
    starter.end()
    const again = {
      ...asks('Conversion Requested', { request: conversion }),
      id: 'bus-2',
      time: '2026-02-01T00:00:00Z',
    }
    expect(await start(again)).toEqual({ ...first, outcome: 'ALREADY_STARTED' })
    expect(starter.executions.size).toBe(1)
  })

  test('under an id that another request of the same account has is refused, not dropped', async () => {
    const { start, starter } = setUp()
    await start(asks('Conversion Requested', { request: conversion }))
    const other = asks('Conversion Requested', { request: { ...conversion, amount: '251' } })
    await expect(start(other)).rejects.toThrow('detail.id: expected an id of its own')
    await start({ ...other, account: '222222222222' })
    expect(starter.executions.size).toBe(2)
  })

  test('for a run under the id of another policy’s run is refused too: one id is one run', async () => {
    const { start, starter } = setUp()
    await start(asks('Rebalance Requested', { policy: 'balanced' }))
    await expect(start(asks('Rebalance Requested', { policy: 'gas-money' }))).rejects.toThrow('detail.id')
    expect(starter.executions.size).toBe(1)
  })

  test('is the same however its fields are ordered', async () => {
    const { start, starter } = setUp()
    const shuffled = fc.shuffledSubarray(Object.entries(conversion), { minLength: 5 })
    await fc.assert(
      fc.asyncProperty(shuffled, async (fields) => {
        await start(asks('Conversion Requested', { request: Object.fromEntries(fields) }))
        expect(starter.executions.size).toBe(1)
      }),
      { numRuns: 30 },
    )
  })
})

describe('wrong input starts nothing, and the message names the fault', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'schedule: expected'],
    ['a schedule without a time', { source: 'schedule', policy: 'balanced' }, 'schedule.scheduledTime'],
    ['a schedule of an unknown policy', { ...scheduled, policy: 'no-such' }, 'schedule.policy: treasury.json as it'],
    ['a schedule of a prototype’s field', { ...scheduled, policy: 'constructor' }, 'schedule.policy'],
    ['a field nobody knows', { ...scheduled, shadow: true }, 'unknown shadow'],
    ['another detail-type', asks('Anything Else', { policy: 'balanced' }), 'event.detail-type: expected one of'],
    ['another version', event('Sweep Requested', { version: 2, id: 'a', policy: 'to-cold' }), 'detail.version'],
    ['no id', event('Sweep Requested', { version: 1, policy: 'to-cold' }), 'detail.id'],
    ['an id that names no execution', asks('Sweep Requested', { policy: 'to-cold' }, 'a_2'), 'detail.id'],
    ['no account', { ...asks('Sweep Requested', { policy: 'to-cold' }), account: undefined }, 'event.account'],
    [
      'a conversion for an unknown policy',
      asks('Conversion Requested', { request: { ...conversion, policy: 'balancd' } }),
      'detail.request.policy: treasury.json as it is deployed has no policy balancd; did you mean balanced?',
    ],
    [
      'a withdrawal for an unknown policy',
      asks('Withdrawal Requested', { request: { ...withdrawal, policy: 'no-such' } }),
      'detail.request.policy: treasury.json as it is deployed has no policy no-such',
    ],
    [
      'a misspelt policy',
      asks('Sweep Requested', { policy: 'to-gold' }),
      'has no policy to-gold; did you mean to-cold?',
    ],
    [
      'what every object inherits',
      asks('Sweep Requested', { policy: 'constructor' }),
      'another name than "constructor"',
    ],
    [
      'an unknown policy',
      asks('Sweep Requested', { policy: 'no-such' }),
      'detail.policy: treasury.json as it is deployed has no policy no-such',
    ],
    ['a sweep of a rebalance policy', asks('Sweep Requested', { policy: 'balanced' }), 'this one is of kind rebalance'],
    [
      'a rebalance of a sweep policy',
      asks('Rebalance Requested', { policy: 'payout' }),
      'of kind convert-and-withdraw',
    ],
    [
      'a policy that is not in treasury.json',
      asks('Sweep Requested', { policy: policies['to-cold'] }),
      'detail.policy',
    ],
    [
      'a number for an amount',
      asks('Conversion Requested', { request: { ...conversion, amount: 250 } }),
      'detail.request.amount',
    ],
    [
      'the guards of another run',
      asks('Conversion Requested', { request: { ...conversion, run: 'r' } }),
      'detail.request.run',
    ],
    ['an id in the request', asks('Withdrawal Requested', { request: { ...withdrawal, requestId: 'r' } }), 'requestId'],
    ['no contact', asks('Withdrawal Requested', { request: { assetSymbol: 'USDC', amount: '1' } }), 'contactId'],
  ])('%s', async (_what, input, message) => {
    const { start, starter } = setUp()
    const error: unknown = await start(input).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect(String(error)).toContain(message)
    expect(starter.executions.size).toBe(0)
  })
})

test('a start whose answer is lost is made again by the redelivery, and is one run', async () => {
  const faults = ['lost', 'refused', undefined] as const
  let call = 0
  const { starter, start } = setUp(() => faults[call++])
  await expect(start(scheduled)).rejects.toThrow(Transient)
  await expect(start(scheduled)).rejects.toThrow(Transient)
  await start(scheduled)
  expect(starter.executions.size).toBe(1)
})

describe('the requester of a run is recorded before it is started', () => {
  test('a schedule, with the time that was due', async () => {
    const { start, requesters } = setUp()
    const { execution } = await start(scheduled)
    expect(await requesters.find(execution)).toMatchObject({ kind: 'schedule', by: '2026-01-31T09:00:00Z' })
  })

  test('an event, with its id and the account that put it; a movement by itself has nobody', async () => {
    const { start, requesters } = setUp()
    const { execution } = await start(asks('Rebalance Requested', { policy: 'balanced' }))
    expect(await requesters.find(execution)).toMatchObject({ kind: 'event', by: 'req-1 of account 111111111111' })
    const movement = await start(asks('Conversion Requested', { request: conversion }))
    expect(await requesters.find(movement.execution)).toBeUndefined()
  })

  test('even if the start itself fails, and the same id for another policy is refused', async () => {
    const { start, starter } = setUp(() => (starter.executions.size === 0 ? 'refused' : undefined))
    await expect(start(asks('Rebalance Requested', { policy: 'balanced' }))).rejects.toThrow(Transient)
    await expect(start(asks('Rebalance Requested', { policy: 'gas-money' }))).rejects.toThrow(/an id of its own/)
  })
})
