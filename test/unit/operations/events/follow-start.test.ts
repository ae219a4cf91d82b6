// A person who puts an event learns its execution or its refusal within a bounded time.
import { expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { followStart } from '../../../../operations/events/follow-start.ts'

const input = { policy: 'core', trigger: { by: 'event', id: 'a-1' } }
const start = { stateMachine: StateMachine.Rebalance, name: 'rebalance-1', input }
const execution = (text: object) => ({
  ...{ executionArn: 'arn', name: start.name, status: 'RUNNING', input: JSON.stringify(text) },
})

/** `begunAfterMs`: when the execution exists. `keptAfterMs`: when the letter of event `bus-1` exists. */
function world({
  begunAfterMs,
  keptAfterMs,
  text = input,
}: {
  begunAfterMs?: number
  keptAfterMs?: number
  text?: object
}) {
  const time = { nowMs: 0 }
  const clock = {
    nowMs: () => time.nowMs,
    sleep: async (ms: number) => {
      time.nowMs += ms
    },
  }
  const is = (afterMs = Number.POSITIVE_INFINITY) => time.nowMs >= afterMs
  let reads = 0
  const letterOf = (eventId: string) => ({
    ...{
      letterId: `letter-of-${eventId}`,
      reason: 'Refused: no policy',
      sentAt: '2026-01-31T09:00:00Z',
      ageSeconds: 0,
    },
    asked: {
      ...{ id: 'a-1', source: 'sluice-trigger', detailType: 'Rebalance Requested', account: '1', eventId },
      ...{ time: undefined, detail: {}, isSchedule: false, isDeposit: false, isFile: false },
    },
  })
  const connection = {
    find: async () => (is(begunAfterMs) ? execution(text) : undefined),
    deadLetters: {
      look: async () => {
        reads += 1
        // Another event with the same id was refused earlier.
        return { letters: [letterOf('bus-0'), ...(is(keptAfterMs) ? [letterOf('bus-1')] : [])], hasMore: false }
      },
    },
  }
  const follow = () => followStart({ connection, start, eventId: 'bus-1', clock, waitMs: 240_000 })
  return { follow, time, reads: () => reads }
}

test('an execution that starts soon is found without reading the dead letters', async () => {
  const { follow, reads } = world({ begunAfterMs: 700 })
  expect(await follow()).toEqual({ kind: 'begun', execution: execution(input) })
  expect(reads()).toBe(0)
})

test('an execution with this name and another input refuses the event', async () => {
  const { follow } = world({ begunAfterMs: 0, text: { ...input, policy: 'other' } })
  expect(await follow()).toEqual({ kind: 'refused', reason: expect.stringContaining('an id of its own') })
})

test('a new refusal is read from the letter of this put', async () => {
  const { follow, reads } = world({ keptAfterMs: 180_000 })
  expect(await follow()).toEqual({ kind: 'refused', reason: 'Refused: no policy', letterId: 'letter-of-bus-1' })
  expect(reads()).toBeLessThan(25)
})

test('the wait is bounded', async () => {
  const { follow, time } = world({})
  expect(await follow()).toEqual({ kind: 'unknown' })
  expect(time.nowMs).toBe(240_000)
})
