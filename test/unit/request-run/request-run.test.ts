// A person requests a run on AWS. The requester is written before the run is started, and stays.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { requestRunRequest } from '../../../core/contract/people.ts'
import type { Policy } from '../../../core/contract/policies.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import { createPages, pageHashes } from '../../../core/journal/pages.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { createRuns, newRun } from '../../../core/runs/record/runs.ts'
import { requestRun } from '../../../functions/request-run/request-run.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStarter } from '../../helpers/memory-starter.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { policies } from '../../helpers/policies.ts'

const RUN = `rb-${'a1'.repeat(16)}`
const ANA = 'arn:aws:sts::111111111111:assumed-role/Ops/ana'
const BOB = 'arn:aws:sts::111111111111:assumed-role/Ops/bob'

function setUp(fault?: Parameters<typeof createMemoryStarter>[0]) {
  const store = createMemoryStore()
  const starter = createMemoryStarter(fault)
  const requesters = createRequesters(store, randomUUID)
  const pages = createPages(store)
  const ports = { policies, starter, requesters, pages, runs: createRuns(store, randomUUID), clock: manualClock() }
  const ask = (by: string, policy = 'balanced') => requestRun({ run: RUN, request: { policy } }, by, ports)
  return { ask, starter, requesters, runs: ports.runs, ports }
}

test('asked twice by the same person, it is one run, and its requester is the signer', async () => {
  const { ask, starter, requesters } = setUp()
  expect(await ask(ANA)).toEqual({ outcome: 'STARTED', by: ANA, run: RUN })
  expect(await ask(ANA)).toEqual({ outcome: 'STARTED', by: ANA, run: RUN })
  starter.end()
  expect(await ask(ANA)).toEqual({ outcome: 'ALREADY_STARTED', by: ANA, run: RUN })
  expect([...starter.executions.values()].map(({ input }) => input)).toEqual([
    { policy: 'balanced', trigger: { by: 'person' } },
  ])
  expect(await requesters.find(RUN)).toMatchObject({ kind: 'person', by: ANA })
})

test('a run that ended in shadow mode is entered again under the next name, and any other end is not', async () => {
  const { ask, starter, runs } = setUp()
  await ask(ANA)
  starter.end()
  const policy = policies.balanced as Policy
  const requestedPolicy = { name: 'balanced', policy, policyHash: 'b'.repeat(64) }
  const at = '2026-01-01T00:00:00.000Z'
  const request = { policy: 'balanced', trigger: { by: 'person' as const } }
  const begun = newRun({ runId: RUN, startedAt: at, entry: 1, request, requestedPolicy, notAfter: at })
  const run = await runs.open({ ...begun, outcome: 'SHADOWED' })
  expect(await ask(ANA)).toEqual({ outcome: 'STARTED', by: ANA, run: RUN, execution: `${RUN}_2` })
  await expect(ask(BOB)).rejects.toThrow(`was asked for by ${ANA}: ask under another id`)
  starter.end()
  await runs.advance(run, { outcome: 'SETTLED', entry: 2 })
  expect(await ask(ANA)).toEqual({ outcome: 'ALREADY_STARTED', by: ANA, run: RUN })
  expect([...starter.executions.keys()]).toHaveLength(2)
})

test('after a crash between the record and the start, the same person continues, and nobody else', async () => {
  let isDown = true
  const { ask, starter, requesters } = setUp(() => (isDown ? 'refused' : undefined))
  await expect(ask(ANA)).rejects.toThrow(Transient)
  isDown = false
  await expect(ask(BOB)).rejects.toThrow(`was asked for by ${ANA}: ask under another id`)
  expect(starter.executions.size).toBe(0)
  expect(await ask(ANA)).toMatchObject({ outcome: 'STARTED' })
  expect(await requesters.find(RUN)).toMatchObject({ by: ANA })
})

test('the same id for another policy, or an unknown policy, starts nothing', async () => {
  const { ask, starter } = setUp()
  await ask(ANA)
  await expect(ask(ANA, 'gas-money')).rejects.toThrow(/already asked for with another request/)
  await expect(ask(ANA, 'balance')).rejects.toThrow(Refused)
  expect(starter.executions.size).toBe(1)
})

test.each([
  ['a policy of its own', { run: RUN, request: { policy: policies.balanced } }],
  ['the name of a run that a schedule or an event starts', { run: 'balanced-0123', request: { policy: 'balanced' } }],
  ['a later entry of a run', { run: `${RUN}_2`, request: { policy: 'balanced' } }],
  ['a schedule as what started it', { run: RUN, request: { policy: 'balanced', trigger: { by: 'schedule' } } }],
  ['an event as what started it', { run: RUN, request: { policy: 'balanced', trigger: { by: 'person', id: 'e-1' } } }],
  ['a name of who asks', { run: RUN, request: { policy: 'balanced' }, by: ANA }],
])('a body with %s is refused', (_what, body) => {
  expect(requestRunRequest.safeParse(body).success).toBe(false)
})

test('the rows of a long file are written before the start, and rows of other pages are refused', async () => {
  const { starter, ports } = setUp()
  const rows = Array.from({ length: 150 }, (_, index) => ({
    id: `r${index}`,
    contactId: 'c',
    asset: 'EUR',
    amount: '1',
  }))
  const request = { policy: 'balanced', pages: pageHashes(rows) }
  await expect(requestRun({ run: RUN, request, rows: rows.slice(1) }, ANA, ports)).rejects.toThrow('got others')
  expect([...starter.executions]).toEqual([])
  expect(await requestRun({ run: RUN, request, rows }, ANA, ports)).toMatchObject({ outcome: 'STARTED' })
  expect(await ports.pages.read(request.pages)).toEqual(rows)
})
