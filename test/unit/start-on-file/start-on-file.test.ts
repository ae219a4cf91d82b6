// A payout file of S3 starts one run, waits for its policy, or is refused whole. The journal and Step Functions are in memory.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FileRefused } from '../../../core/contract/events.ts'
import { objectCreated } from '../../../core/contract/triggers.ts'
import { Transient } from '../../../core/errors.ts'
import { createPages } from '../../../core/journal/pages.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { createRuns, newRun } from '../../../core/runs/record/runs.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { startOnFile } from '../../../functions/start-on-file/start-on-file.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStarter } from '../../helpers/memory-starter.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const { policies } = parseTreasury(
  JSON.stringify({
    service: { url: 'https://service.example', stage: 'test' },
    policies: {
      salaries: {
        ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
        files: { bucket: 'company-payouts', prefix: 'salaries/' },
      },
    },
  }),
)
const AT = '2026-01-01T00:00:00.000Z'
const row = (id: string, amount = '10') => JSON.stringify({ id, contactId: 'contact-1', asset: 'EUR', amount })
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(`row-${at}`)).join('\n')

interface Given {
  readonly text?: string
  readonly key?: string
  readonly size?: number
  readonly versionId?: string | undefined
}

function setUp(fault?: Parameters<typeof createMemoryStarter>[0]) {
  const store = createMemoryStore()
  const starter = createMemoryStarter(fault)
  const runs = createRuns(store, randomUUID)
  const requesters = createRequesters(store, randomUUID)
  const refused: FileRefused[] = []
  const reads: string[] = []
  let isVerified = true
  const receive = ({ text = row('june-1'), key = 'salaries/june.jsonl', ...rest }: Given = {}) => {
    const versionId = 'versionId' in rest ? rest.versionId : 'v1'
    const { size = text.length } = rest
    const event = objectCreated.parse({
      ...{ source: 'aws.s3', 'detail-type': 'Object Created' },
      detail: { bucket: { name: 'company-payouts' }, object: { key, size, 'version-id': versionId } },
    })
    return startOnFile(event, {
      ...{ policies, runs, requesters, starter, pages: createPages(store), clock: manualClock() },
      isVerified: async () => isVerified,
      readVersion: async (version, mostBytes) => {
        reads.push(version.versionId)
        return text.length > mostBytes ? undefined : Buffer.from(text)
      },
      report: async (detail) => void refused.push(detail),
    })
  }
  const inputs = () => [...starter.executions.values()].map(({ input }) => input)
  return { receive, starter, runs, requesters, refused, reads, inputs, verify: (is: boolean) => (isVerified = is) }
}

/** Records the run of the first execution, as the plan's step does. */
async function plannedWith(world: ReturnType<typeof setUp>, outcome: 'ALREADY_RUNNING' | 'AWAITING_APPROVAL') {
  const [runId = ''] = world.starter.executions.keys()
  const [request] = world.inputs() as [{ policy: string }]
  const requestedPolicy = { name: 'salaries', policy: policies.salaries as never, policyHash: 'b'.repeat(64) }
  const begun = newRun({ runId, startedAt: AT, entry: 1, request, requestedPolicy, notAfter: AT })
  return world.runs.open({ ...begun, outcome })
}

test('the same version twice is one run, whose requester and trigger are the object', async () => {
  const world = setUp()
  const first = await world.receive()
  expect(first).toEqual({ outcome: 'STARTED', policy: 'salaries', execution: expect.stringMatching(/^salaries-/) })
  expect(await world.receive()).toEqual(first)
  const place = 's3://company-payouts/salaries/june.jsonl'
  expect(world.inputs()).toEqual([
    {
      policy: 'salaries',
      rows: [{ id: 'june-1', contactId: 'contact-1', asset: 'EUR', amount: '10' }],
      trigger: { by: 'file', id: place },
    },
  ])
  expect(await world.requesters.find(first.execution ?? '')).toMatchObject({ kind: 'file', by: place })
  expect((await world.receive({ versionId: 'v2' })).execution).not.toBe(first.execution)
})

test('a label beside the id of its contact reaches the plan, which checks it', async () => {
  const world = setUp()
  await world.receive({ text: row('a').replace('}', ',"contactReference":"ada"}') })
  expect(world.inputs()).toMatchObject([{ rows: [{ contactId: 'contact-1', contactReference: 'ada' }] }])
})

test('a file of more than 100 rows reaches its run by pages', async () => {
  const world = setUp()
  await world.receive({ text: rows(101) })
  expect(world.inputs()).toMatchObject([{ pages: [expect.any(String), expect.any(String)] }])
  expect(world.inputs()[0]).not.toHaveProperty('rows')
})

test('a run that met another run of its policy is entered again, and a run that has its policy is left alone', async () => {
  const world = setUp()
  await world.receive()
  const run = await plannedWith(world, 'ALREADY_RUNNING')
  world.starter.end()
  expect(await world.receive()).toMatchObject({ outcome: 'STARTED' })
  expect([...world.starter.executions.keys()]).toEqual([run.runId, `${run.runId}_2`])
  expect(world.inputs()[1]).toEqual(world.inputs()[0])

  const begun = await world.runs.advance(run, { outcome: 'RUNNING', entry: 2 })
  expect(await world.receive()).toMatchObject({ outcome: 'STARTED' })
  await world.runs.advance(begun, { outcome: 'AWAITING_APPROVAL' })
  expect(await world.receive()).toMatchObject({ outcome: 'DONE' })
  expect(world.starter.executions.size).toBe(2)
  expect(world.reads).toEqual(['v1'])
})

test('a run that the plan refused without a record is not started again', async () => {
  const world = setUp()
  await world.receive()
  world.starter.end()
  expect(await world.receive()).toMatchObject({ outcome: 'DONE' })
  expect(world.starter.executions.size).toBe(1)
})

test.each<[string, Given, readonly object[]]>([
  [
    'that names a contact by a label alone',
    { text: row('a').replace('contactId', 'contactReference') },
    [
      {
        line: 1,
        says: expect.stringMatching(/^contactId: expected the id of the contact.* add the id, as a template lists it$/),
      },
    ],
  ],
  [
    'with a wrong row',
    { text: `${row('a')}\n${row('b', '-1')}` },
    [{ line: 2, says: expect.stringMatching(/^amount: expected/) }],
  ],
  ['that is no text', { text: '' }, [{ line: 1, says: 'expected at least one row; got none' }]],
  ['without a version', { versionId: undefined }, [{ says: expect.stringContaining('keeps versions') }]],
  ['of the version of a bucket that stopped keeping them', { versionId: 'null' }, [{ says: expect.any(String) }]],
  [
    'that is too large',
    { text: 'x'.repeat(1_048_577) },
    [{ says: 'expected a file of at most 1048576 bytes; got more' }],
  ],
])('a file %s starts nothing, and is reported with its findings', async (_which, given, findings) => {
  const world = setUp()
  expect(await world.receive(given)).toEqual({ outcome: 'REFUSED', policy: 'salaries' })
  expect(world.refused).toMatchObject([{ policy: 'salaries', key: 'salaries/june.jsonl', findings }])
  expect(world.starter.executions.size).toBe(0)
})

test('a file that is too large by its event is not read', async () => {
  const world = setUp()
  expect(await world.receive({ size: 1_048_577 })).toMatchObject({ outcome: 'REFUSED' })
  expect(world.reads).toEqual([])
})

test('of a file with many faults the event has the first hundred, and their number', async () => {
  const world = setUp()
  await world.receive({ text: Array.from({ length: 150 }, (_, at) => row(`row-${at}`, '0')).join('\n') })
  expect(world.refused[0]?.findings).toHaveLength(100)
  expect(world.refused[0]?.findingsInAll).toBe(150)
})

test.each(['elsewhere/june.jsonl', 'salaries', 'salaries/june/'])('the object %s is nobody’s file', async (key) => {
  const world = setUp()
  expect(await world.receive({ key })).toEqual({ outcome: 'NOT_AWAITED' })
  expect(world.reads).toEqual([])
})

test('before the keys are verified the file waits, and after a lost answer of Step Functions it is one run', async () => {
  let isDown = true
  const world = setUp(() => (isDown ? 'refused' : undefined))
  world.verify(false)
  expect(await world.receive()).toMatchObject({ outcome: 'NOT_VERIFIED' })
  world.verify(true)
  await expect(world.receive()).rejects.toThrow(Transient)
  isDown = false
  expect(await world.receive()).toMatchObject({ outcome: 'STARTED' })
  expect(world.starter.executions.size).toBe(1)
})
