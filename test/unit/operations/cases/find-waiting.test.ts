// Tests which intents the list of cases finds: open intents, and intents whose last execution ended STUCK. The list
// reports what it did not check, and how to continue.
import { expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { createJournal } from '../../../../core/journal/journal.ts'
import { doneMove } from '../../../../core/journal/moves.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { findWaiting } from '../../../../operations/cases/find-waiting.ts'
import { armed, CONVERSION } from '../../../helpers/intents.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
const STUCK = { status: 'FAILED', error: 'STUCK' }

async function world(
  executions: Readonly<Record<string, { status: string; error?: string; cause?: string }>>,
  done: string[],
) {
  let ids = 0
  const store = createMemoryStore()
  const journal = createJournal(store, () => `stamp-${ids++}`)
  for (const intentId of done) {
    const opened = await journal.open({ intentId, ...CONVERSION, ...TIMES })
    const sent = await journal.advance(opened, armed(opened, `order-${intentId}`))
    await journal.advance(sent, doneMove(sent, `order-${intentId}`))
  }
  const described: string[] = []
  const reads = {
    journal,
    store,
    treasury: parseTreasury(JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } })),
    openIntents: async () => ({ intents: [] }),
    async *walkRequests() {},
    readRecord: async () => undefined,
    findExecution: async (_machine: StateMachine, name: string) => {
      described.push(name)
      return executions[name]
    },
    listFailed: async (machine: StateMachine, limit: number) => {
      const failed = Object.keys(executions).filter((name) => executions[name]?.status !== 'SUCCEEDED')
      const names = machine === StateMachine.Convert ? failed.slice(0, limit) : []
      return { names, isCutOff: machine === StateMachine.Convert && failed.length > limit }
    },
  }
  return { reads, described }
}

function looking() {
  const cutOff: string[] = []
  return {
    failed: 10,
    nowMs: 0,
    onMisfit: () => undefined,
    onCutOff: (message: string) => void cutOff.push(message),
    cutOff,
  }
}

test('a movement whose last execution ended STUCK waits; one that a later execution ended does not', async () => {
  const { reads, described } = await world(
    { stuck_3: STUCK, ended: STUCK, ended_2: { status: 'SUCCEEDED' }, zero: { status: 'FAILED', error: 'REJECTED' } },
    ['stuck', 'ended'],
  )
  const { waiting } = await findWaiting(reads, looking())
  expect(waiting).toMatchObject([
    { intentId: 'stuck', state: 'DONE', why: 'movement order-stuck exists and did not complete' },
  ])
  // From the listed entry on. An entry without a record is checked too, because a fault of ours may have prevented the
  // record.
  expect(described.sort()).toEqual(['ended', 'ended_2', 'ended_3', 'stuck_3', 'stuck_4', 'zero', 'zero_2'])
})

test('a movement whose last execution was stopped is followed by nobody, and waits', async () => {
  const { reads } = await world({ left: { status: 'ABORTED' }, late: { status: 'TIMED_OUT' } }, ['left', 'late'])
  const { waiting } = await findWaiting(reads, looking())
  expect(waiting).toMatchObject([
    { intentId: 'late', why: 'movement order-late exists, and nobody follows it: its last execution ran out of time' },
    { intentId: 'left', state: 'DONE' },
  ])
})

test('an intent that a fault of ours kept out of the journal is reported, unless it was entered again since', async () => {
  const cause = JSON.stringify({ outcome: 'OWN_FAULT', why: 'the journal did not answer a read' })
  const { reads } = await world(
    {
      kept: { status: 'FAILED', error: 'OWN_FAULT', cause },
      again: { status: 'FAILED', error: 'OWN_FAULT' },
      again_2: { status: 'SUCCEEDED' },
      other: { status: 'FAILED', error: 'States.Runtime' },
      recorded: { status: 'FAILED', error: 'OWN_FAULT' },
    },
    ['recorded'],
  )
  const { waiting, unopened } = await findWaiting(reads, looking())
  expect(waiting).toEqual([])
  expect(unopened).toMatchObject([
    {
      ...{ intentId: 'kept', kind: 'convert' },
      why: 'not begun: its last execution failed (stopped by a fault of ours): the journal did not answer a read',
    },
  ])
})

test('unchecked intents are reported, with the way to continue', async () => {
  const { reads } = await world({ a: STUCK, b: STUCK }, ['a', 'b'])
  const look = looking()
  const openIntents = async () => ({ intents: [], lookedAtUpTo: 'last' })
  await findWaiting({ ...reads, openIntents }, { ...look, failed: 1 })
  expect(look.cutOff).toEqual([
    'more intents are open: 5000 were read, and --after last reads the next',
    'the newest 1 of the failed executions of sluice-convert were read: --failed N reads more',
  ])
})
