// Each end and each wait for people is announced in the published shape, the same each time.
import { describe, expect, test } from 'vitest'
import { awaitedDetail, ResultEvent, resultDetail, switchDetail } from '../../../core/contract/events.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { announceEvent, approvalAwaited, executionEnded } from '../../../core/contract/triggers.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import {
  type Announcement,
  announce,
  announceWait,
  type ExecutionData,
  MOST_DETAIL_BYTES,
} from '../../../functions/announce/announce.ts'

const arnOf = (machine: string) => `arn:aws:states:eu-west-1:123456789012:stateMachine:${machine}`
const machines = new Map(Object.values(StateMachine).map((name) => [arnOf(name), name] as const))
const STOPPED_MS = Date.UTC(2026, 0, 31, 9)

/** The event of EventBridge for an ended execution. */
function ended(machine: string, status: string, data: object, name = 'intent-1') {
  const ids = { executionArn: `arn:aws:states:eu-west-1:123456789012:execution:${machine}:${name}`, name }
  const none = { input: '{}', output: null, error: null, cause: null }
  const detail = { ...ids, stateMachineArn: arnOf(machine), status, stopDate: STOPPED_MS, ...none, ...data }
  return executionEnded.parse({ detail })
}

function setUp(known: ExecutionData = {}) {
  const published: Announcement[] = []
  const asked: string[] = []
  const ports = {
    machines,
    describe: async (arn: string) => {
      asked.push(arn)
      return known
    },
    publish: async (event: Announcement) => void published.push(event),
  }
  return { published, asked, ports }
}

const FILLED = { outcome: 'FILLED', intentId: 'intent-1', attempts: 1, orderId: 'o-1', baseAmount: '1', fills: [] }
const SUMMARY = {
  ...{ outcome: 'PARTLY_SETTLED', runId: 'run-1', policy: 'balanced', kind: 'rebalance', tiesOut: true },
  ...{ why: 'one leg expired', legs: [{ key: 'sell-BTC-USD', intentId: 'a1', outcome: 'FILLED' }] },
}

/** Announces, and parses the announcements by their published schema. */
async function announceOnly(event: ReturnType<typeof ended>, known?: ExecutionData) {
  const { ports, published } = setUp(known)
  await announce(event, ports)
  const [only] = published
  if (only === undefined || published.length !== 1) throw new Error(`${published.length} events were told`)
  const detail = resultDetail[only.detailType as ResultEvent].parse(only.detail)
  return { ...only, detail }
}

test('a policy that halted itself is announced after the end of its run, each time with the same time', async () => {
  const tripped = { because: '3 runs in a row did not settle', at: '2026-01-31T08:59:00.000Z' }
  const output = JSON.stringify({ ...SUMMARY, outcome: 'NOTHING_MOVED', tripped })
  const { ports, published } = setUp()
  const event = ended(StateMachine.Rebalance, 'SUCCEEDED', { output })
  await announce(event, ports)
  await announce(event, ports)
  expect(published.map(({ detailType }) => detailType)).toEqual([
    ...['Policy Run Ended', 'Sending Halted'],
    ...['Policy Run Ended', 'Sending Halted'],
  ])
  expect(switchDetail['Sending Halted'].parse(published[1]?.detail)).toEqual({
    ...{ version: 1, scope: 'balanced', by: 'the breaker', isBreaker: true, runId: 'run-1', ...tripped },
  })
  expect(published[3]).toEqual(published[1])
})

describe('a movement that waits for people', () => {
  const terms = 'a'.repeat(64)
  const waits = {
    ...{
      kind: 'withdraw',
      execution: 'intent-1_2',
      executionArn: 'arn:aws:states:::execution:sluice-withdraw:intent-1_2',
    },
    enteredAt: '2026-01-31T09:00:00.123Z',
    request: { amount: '5', contactId: 'vault', policy: 'paying', run: 'run-1', requestId: 'req-1' },
    said: {
      ...{
        outcome: 'AWAITING_APPROVAL',
        intentId: 'intent-1',
        awaited: terms,
        settled: terms,
        waits: 1,
        waitSeconds: 15,
      },
      ...{ until: '2026-01-31T10:00:00.000Z', why: 'guards.approval waits for a person to approve it' },
    },
  }

  test('is announced as its own event, the same each time, with no amount and no payee', async () => {
    const { ports, published } = setUp()
    await announceWait(approvalAwaited.parse({ awaits: waits }), ports)
    await announceWait(approvalAwaited.parse({ awaits: waits }), ports)
    expect(published[0]).toMatchObject({
      ...{ detailType: 'Approval Awaited', executionArn: waits.executionArn },
      timeMs: Date.parse(waits.enteredAt),
    })
    expect(awaitedDetail.parse(published[0]?.detail)).toEqual(published[0]?.detail)
    expect(published[0]?.detail).toEqual({
      ...{ version: 1, id: 'req-1', execution: 'intent-1_2', kind: 'withdrawal', intentId: 'intent-1' },
      ...{ policy: 'paying', run: 'run-1', terms, at: waits.enteredAt },
      ...{ until: waits.said.until, why: waits.said.why },
    })
    expect(published[1]).toEqual(published[0])
  })

  test('names no policy and no run if it has none', async () => {
    const { ports, published } = setUp()
    await announceWait(approvalAwaited.parse({ awaits: { ...waits, kind: 'convert', request: {} } }), ports)
    expect(Object.keys(published[0]?.detail as object)).not.toEqual(expect.arrayContaining(['policy', 'run', 'id']))
    expect(published[0]?.detail).toMatchObject({ kind: 'conversion' })
  })

  test('differs from an end by its shape', () => {
    expect(announceEvent.parse({ awaits: waits })).toHaveProperty('awaits')
    expect(announceEvent.parse(ended(StateMachine.Convert, 'SUCCEEDED', {}))).toHaveProperty('detail')
  })
})

describe('an execution that succeeded', () => {
  test('announces its result, under the request’s id, in the published shape', async () => {
    const input = JSON.stringify({ baseAsset: 'BTC', policy: 'p', requestId: 'req-1' })
    const event = await announceOnly(
      ended(StateMachine.Convert, 'SUCCEEDED', { input, output: JSON.stringify(FILLED) }),
    )
    expect(event).toMatchObject({ detailType: 'Conversion Ended', timeMs: STOPPED_MS })
    expect(event.detail).toEqual({
      version: 1,
      id: 'req-1',
      execution: 'intent-1',
      endedAt: '2026-01-31T09:00:00.000Z',
      result: FILLED,
    })
  })

  test('of a withdrawal that a person started has no request’s id', async () => {
    const report = { outcome: 'COMPLETED', intentId: 'intent-1', withdrawalId: 'w-1' }
    const { detailType, detail } = await announceOnly(
      ended(StateMachine.Withdraw, 'SUCCEEDED', { output: JSON.stringify(report) }),
    )
    expect(detailType).toBe('Withdrawal Ended')
    expect(detail).not.toHaveProperty('id')
    expect(detail.result).toEqual(report)
  })

  test.each([StateMachine.Rebalance, StateMachine.Sweep])('of %s reports the summary of its run', async (machine) => {
    const input = JSON.stringify({ policy: 'balanced', trigger: { by: 'event', id: 'req-2' } })
    const { detailType, detail } = await announceOnly(
      ended(machine, 'SUCCEEDED', { input, output: JSON.stringify(SUMMARY) }),
    )
    expect(detailType).toBe('Policy Run Ended')
    expect(detail).toMatchObject({ id: 'req-2', result: SUMMARY })
  })

  test('without a leg names the policy of its input', async () => {
    const input = JSON.stringify({ policy: 'balanced', trigger: { by: 'schedule', id: '2026-01-31T09:00:00Z' } })
    const output = JSON.stringify({ outcome: 'ALREADY_RUNNING', runId: 'run-1', legs: [], phase: 1, why: 'busy' })
    const { detail } = await announceOnly(ended(StateMachine.Rebalance, 'SUCCEEDED', { input, output }))
    expect(detail).not.toHaveProperty('id')
    expect(detail.result).toEqual({
      outcome: 'ALREADY_RUNNING',
      runId: 'run-1',
      policy: 'balanced',
      legs: [],
      why: 'busy',
    })
  })
})

describe('an execution that did not succeed', () => {
  test('announces the report that its Fail state carries', async () => {
    const report = { outcome: 'NEEDS_ATTENTION', intentId: 'intent-1', orderId: 'o-1', why: 'no proof' }
    const cause = JSON.stringify(report)
    const { detail } = await announceOnly(ended(StateMachine.Convert, 'FAILED', { error: 'NEEDS_ATTENTION', cause }))
    expect(detail.result).toEqual(report)
  })

  test.each([
    [StateMachine.Convert, 'TIMED_OUT', {}, { intentId: 'intent-1' }],
    [StateMachine.Withdraw, 'ABORTED', {}, { intentId: 'intent-1' }],
    [StateMachine.Sweep, 'FAILED', { error: 'States.Runtime', cause: 'no such path' }, { runId: 'intent-1', legs: [] }],
    [StateMachine.Rebalance, 'FAILED', { error: 'NEEDS_ATTENTION', cause: '{"Error":"Defect"}' }, { legs: [] }],
  ])('of %s, %s without a report, calls a person and claims nothing', async (machine, status, data, ids) => {
    const { detail } = await announceOnly(ended(machine, status, data, 'intent-1_2'))
    expect(detail).toMatchObject({ execution: 'intent-1_2', result: { outcome: 'NEEDS_ATTENTION', ...ids } })
    expect(detail.result.why).toContain(`the execution ended ${status}`)
    expect(detail.result.why).not.toContain('no such path')
  })
})

test('fields that EventBridge leaves out are read', async () => {
  const known = { input: '{"requestId":"req-1"}', output: JSON.stringify(FILLED) }
  const large = ended(StateMachine.Convert, 'SUCCEEDED', { input: null, output: null })
  expect((await announceOnly(large, known)).detail).toMatchObject({ id: 'req-1', result: FILLED })
  const report = JSON.stringify({ outcome: 'STUCK', intentId: 'intent-1' })
  const causeless = ended(StateMachine.Convert, 'FAILED', { cause: null })
  expect((await announceOnly(causeless, { input: '{}', error: 'STUCK', cause: report })).detail.result.outcome).toBe(
    'STUCK',
  )
})

test('present fields are not read again', async () => {
  const { ports, asked } = setUp()
  await announce(ended(StateMachine.Convert, 'SUCCEEDED', { output: JSON.stringify(FILLED) }), ports)
  await announce(ended(StateMachine.Convert, 'ABORTED', {}), ports)
  expect(asked).toEqual([])
})

test('a result too large for an event leaves lists out, and says so; its outcome stays', async () => {
  const fill = { id: 'f', sequence: 1, baseAmount: '1', quoteAmount: '1', rate: '1', executedAt: 'x'.repeat(200) }
  const output = JSON.stringify({ ...FILLED, fills: Array(2_000).fill(fill) })
  const { detail } = await announceOnly(ended(StateMachine.Convert, 'SUCCEEDED', { output }))
  expect(JSON.stringify(detail).length).toBeLessThan(MOST_DETAIL_BYTES)
  expect(detail.result).toMatchObject({ outcome: 'FILLED', orderId: 'o-1', why: expect.stringContaining('fills') })
  const legs = Array(3_000).fill({ key: 'k'.repeat(64), intentId: 'a'.repeat(40), outcome: 'FILLED' })
  const run = await announceOnly(
    ended(StateMachine.Sweep, 'SUCCEEDED', { output: JSON.stringify({ ...SUMMARY, legs }) }),
  )
  expect(run.detail.result).toMatchObject({ outcome: 'PARTLY_SETTLED', legs: [], why: expect.stringContaining('legs') })
})

test('an execution of another machine is refused, and nothing is announced', async () => {
  const { ports, published } = setUp()
  await expect(announce(ended('theirs', 'SUCCEEDED', { output: '{}' }), ports)).rejects.toThrow(Refused)
  expect(published).toEqual([])
})

test('if the bus refuses it, the function fails, and Lambda tries again', async () => {
  const { ports } = setUp()
  const publish = async () => {
    throw new Transient('EventBridge did not take an event')
  }
  const event = ended(StateMachine.Convert, 'SUCCEEDED', { output: JSON.stringify(FILLED) })
  await expect(announce(event, { ...ports, publish })).rejects.toThrow(Transient)
})

test('every kind of result has its event', () => {
  expect(Object.keys(resultDetail).sort()).toEqual(Object.values(ResultEvent).sort())
})
