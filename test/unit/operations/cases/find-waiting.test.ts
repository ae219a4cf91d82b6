// Tests which intents the list of cases finds: open intents, and intents whose last execution ended STUCK. The list
// reports what it did not check, and how to continue.

import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../../core/contract/policies.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../../../core/contract/states.ts'
import { createJournal } from '../../../../core/journal/journal.ts'
import { doneMove } from '../../../../core/journal/moves.ts'
import { fieldsOfRun } from '../../../../core/runs/record/run-record.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { findWaiting } from '../../../../operations/cases/find-waiting.ts'
import type { HistoryStep } from '../../../../place/executions/execution-history.ts'
import type { Advice } from '../../../../place/next-step.ts'
import { onTheWayText } from '../../../../views/movements/request-columns.ts'
import { decisionKey } from '../../../helpers/decision-key.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../../helpers/intents.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'
import { spell } from '../../../helpers/spell.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
const STUCK = { status: 'FAILED', error: 'STUCK' }

async function world(
  executions: Readonly<Record<string, { status: string; error?: string; cause?: string }>>,
  done: string[],
  steps: Readonly<Record<string, readonly HistoryStep[]>> = {},
  asked: typeof CONVERSION | typeof WITHDRAWAL = CONVERSION,
) {
  const machineOfAll = MACHINE_OF_INTENTS[asked.kind]
  let ids = 0
  const store = createMemoryStore()
  const journal = createJournal(store, () => `stamp-${ids++}`)
  for (const intentId of done) {
    const opened = await journal.open({ intentId, ...asked, ...TIMES })
    const sent = await journal.advance(opened, armed(opened, `order-${intentId}`))
    await journal.advance(sent, doneMove(sent, `order-${intentId}`))
  }
  const described: string[] = []
  const reads = {
    decisionKey,
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
    findHistory: async (_machine: StateMachine, name: string) => ({
      name,
      status: 'RUNNING',
      steps: steps[name] ?? [],
    }),
    listExecutions: async (machine: StateMachine, kind: string, limit: number) => {
      const listed = kind === 'running' ? ['RUNNING'] : ['FAILED', 'ABORTED', 'TIMED_OUT']
      const failed = Object.keys(executions).filter((name) => listed.includes(executions[name]?.status ?? ''))
      const names = machine === machineOfAll ? failed.slice(0, limit) : []
      return { names, isCutOff: machine === machineOfAll && failed.length > limit }
    },
  }
  return { reads, described }
}

function looking() {
  const cutOff: Advice[] = []
  return {
    failed: 10,
    nowMs: 0,
    onMisfit: () => undefined,
    onCutOff: (message: Advice) => void cutOff.push(message),
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
    {
      intentId: 'stuck',
      state: 'DONE',
      why: expect.stringMatching(/^movement order-stuck exists, and its end is not known: /),
    },
  ])
  // From the listed entry on. An entry without a record is checked too, because a fault of ours may have prevented the
  // record.
  expect(described.sort()).toEqual(['ended', 'ended_2', 'ended_3', 'stuck_3', 'stuck_4', 'zero', 'zero_2'])
})

test('a withdrawal that ended STUCK because its refund is due is said to be failed', async () => {
  const cause = JSON.stringify({ outcome: 'STUCK', why: 'it ended as failed', isRefundDue: true })
  const { reads } = await world({ due: { ...STUCK, cause } }, ['due'])
  const { waiting } = await findWaiting(reads, looking())
  expect(waiting).toMatchObject([
    {
      why: 'the service calls movement order-due failed, and shows no refund: it ended as failed',
      next: expect.stringContaining('ask the operator of the service'),
    },
  ])
})

test('a leg whose end its run has read needs nobody, though its own execution ended STUCK', async () => {
  const withdrawal = 'stuck'
  const { reads } = await world({ [withdrawal]: STUCK }, [withdrawal])
  const journal = {
    ...reads.journal,
    find: async (...asked: Parameters<typeof reads.journal.find>) => {
      const intent = await reads.journal.find(...asked)
      return intent && { ...intent, params: { ...intent.params, run: 'rb-1' } }
    },
  }
  const asPlanned = policySchema.parse({ kind: 'rebalance', weights: { BTC: '1' } })
  const record = (outcome: string) => async () => ({
    ...fieldsOfRun({
      ...{ runId: 'rb-1', policy: 'core', kind: asPlanned.kind, outcome: 'SETTLED', startedAt: TIMES.createdAt },
      ...{ version: 1, entry: 1, request: { policy: 'core' }, requestHash: 'h', asPlanned, policyHash: 'h' },
      ...{ notAfter: TIMES.notAfter, phases: [], results: { [withdrawal]: { outcome } } },
    }),
    ...{ pk: 'R#rb-1', format: 1, version: 1, stamp: 'settled' },
  })
  const found = (outcome: string) =>
    findWaiting({ ...reads, journal, readRecord: record(outcome) } as unknown as typeof reads, looking())
  expect((await found('PROCESSING')).waiting).toHaveLength(1)
  expect(await found('FILLED')).toMatchObject({ waiting: [], onTheWay: [] })
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
  expect(look.cutOff.map(spell)).toEqual([
    'more intents are open: 5000 were read, and --after last reads the next',
    'the newest 1 of the failed executions of sluice-convert were read: --failed N reads more',
  ])
})

const left = (output: object): HistoryStep => ({
  did: 'left',
  at: TIMES.createdAt,
  state: 'any',
  output: { ...output },
})

test('a request whose key is refused before its first record needs a person, by its own id', async () => {
  const failed: HistoryStep = { did: 'failed', at: TIMES.createdAt, state: 'Quote', error: 'KeyFault', message: '401' }
  const { reads } = await world({ asked: { status: 'RUNNING' } }, [], { asked: [failed] })
  expect((await findWaiting(reads, looking())).stalled).toEqual([
    { intentId: 'asked', kind: 'convert', cause: 'key refused', why: '401' },
  ])
})

test.each([
  ['waits for another key', { outcome: 'HELD', keyAtFault: true, why: 'GET: 401' }, 'key refused'],
  ['is sent, and cannot be read with its key', { outcome: 'PROCESSING', keyAtFault: true, why: '401' }, 'key refused'],
  ['is called failed, without its refund', { outcome: 'PROCESSING', isRefundDue: true, why: 'FAILED' }, 'refund due'],
])('a movement that %s needs a person while its execution is under way', async (_what, output, cause) => {
  const { reads } = await world({ asked: { status: 'RUNNING' } }, [], { asked: [left(output)] })
  expect((await findWaiting(reads, looking())).stalled).toMatchObject([{ intentId: 'asked', cause }])
})

test('a refund stays due while the service cannot be read', async () => {
  const due = left({ outcome: 'PROCESSING', isRefundDue: true, why: 'FAILED' })
  const { reads } = await world({ asked: { status: 'RUNNING' } }, [], {
    asked: [due, left({ outcome: 'PROCESSING', why: 'no answer' })],
  })
  expect((await findWaiting(reads, looking())).stalled).toMatchObject([{ cause: 'refund due', why: 'FAILED' }])
})

test('a withdrawal that failed without its refund is not said to be on its way', async () => {
  const steps = { asked: [left({ outcome: 'PROCESSING', isRefundDue: true })] }
  const { reads } = await world({ asked: { status: 'RUNNING' } }, ['asked'], steps, WITHDRAWAL)
  const [sent = expect.fail()] = (await findWaiting(reads, looking())).onTheWay
  expect(onTheWayText(sent)).toMatch(
    /sent and not confirmed since .*: the service calls it failed, and shows no refund$/,
  )
})

test('a key that was refused before the latest report needs nobody', async () => {
  const steps = [left({ outcome: 'HELD', keyAtFault: true }), left({ outcome: 'PROCESSING' })]
  const { reads } = await world({ asked: { status: 'RUNNING' } }, [], { asked: steps })
  expect((await findWaiting(reads, looking())).stalled).toEqual([])
})

test('a withdrawal that the service accepted is on its way while its execution runs, and once nobody follows it', async () => {
  const ends = { running: { status: 'RUNNING' }, stuck: STUCK, ended: { status: 'SUCCEEDED' } }
  const { reads } = await world(ends, Object.keys(ends), {}, WITHDRAWAL)
  const { onTheWay } = await findWaiting(reads, looking())
  expect(onTheWay.map(({ intentId, amount, asset }) => [intentId, amount, asset])).toEqual([
    ['running', '100', 'USDC'],
    ['stuck', '100', 'USDC'],
  ])
})
