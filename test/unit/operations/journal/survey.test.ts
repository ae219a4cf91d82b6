// Executions are read in parts. The executions of one state machine never keep those of the others from being read.
import { expect, test } from 'vitest'
import { recordKey } from '../../../../core/contract/records.ts'
import { StateMachine } from '../../../../core/contract/states.ts'
import { hashParams } from '../../../../core/params-hash.ts'
import { checkRecords, PREFIXES, survey } from '../../../../operations/journal/survey.ts'
import type { JournalConnection } from '../../../../place/journal-connection.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'
import { payment, withdrawal } from '../../reconcile/audited-world.ts'

interface Began {
  readonly machine: StateMachine
  readonly name: string
  readonly atMs: number
}

const FIRST_MS = Date.parse('2026-11-01T00:00:00Z')
const many = (machine: StateMachine, count: number, everyMs: number): Began[] =>
  Array.from({ length: count }, (_, nth) => ({ machine, name: `${machine}-${nth}`, atMs: FIRST_MS + nth * everyMs }))

/** A journal that has lost all of these intents. */
function lost(began: readonly Began[]): Parameters<typeof survey>[0] {
  const newestFirst = began.toSorted((one, other) => other.atMs - one.atMs)
  const executions: Pick<JournalConnection, 'walk' | 'read'> = {
    async *walk(machine) {
      for (const { name, atMs } of newestFirst.filter((each) => each.machine === machine))
        yield { executionArn: name, name, startedMs: atMs, redrives: 0 }
    },
    async read(machine, name) {
      const known = began.find((each) => each.machine === machine && each.name === name)
      if (known === undefined) return undefined
      const at = new Date(known.atMs).toISOString()
      const state = machine === StateMachine.Withdraw ? 'Withdraw' : 'Order'
      const steps = [{ did: 'entered', at, state } as const]
      return { name, status: 'SUCCEEDED', startedAt: at, steps, input: { name } }
    },
  }
  const records = { store: createMemoryStore(), treasury: { guards: {}, policies: {} } }
  const connection = {
    ...records,
    executions,
    journal: { find: async () => undefined },
    allOpenIntents: async () => [],
  }
  // The parts of a journal without records that a survey reads.
  return { ...connection, runJournal: { runs: { find: async () => undefined }, open: async () => [] } } as never
}

async function surveyInParts(began: readonly Began[], limit: number) {
  const found = new Set<string>()
  let parts = 0
  for (let beforeMs: number | undefined; ; ) {
    const span = { sinceMs: FIRST_MS, beforeMs, limit }
    const service = { findOrder: async () => undefined, findWithdrawal: async () => undefined }
    const { findings, goOnBefore } = await survey(lost(began), service, span, true)
    for (const { about } of findings) found.add(about)
    parts += 1
    if (goOnBefore === undefined || parts === 50) return { found: [...found].sort(), parts }
    beforeMs = Date.parse(goOnBefore)
  }
}

test('parts of a survey reach its end, with many conversions and few withdrawals', async () => {
  const began = [...many(StateMachine.Convert, 35, 1_000), ...many(StateMachine.Withdraw, 7, 5_000)]
  const { found, parts } = await surveyInParts(began, 10)
  expect(found).toEqual(
    began.map(({ name }) => `I#${name.startsWith('sluice-withdraw') ? 'withdraw' : 'convert'}#${name}`).sort(),
  )
  expect(parts).toBe(4)
})

test('a withdrawal is read in the first part, however many conversions are newer', async () => {
  const { findings } = await survey(
    lost([{ machine: StateMachine.Withdraw, name: 'old', atMs: FIRST_MS }, ...many(StateMachine.Convert, 35, 1_000)]),
    { findOrder: async () => undefined, findWithdrawal: async () => undefined },
    { sinceMs: FIRST_MS, beforeMs: undefined, limit: 10 },
    true,
  )
  expect(findings.map(({ about }) => about)).toContain('I#withdraw#old')
})

/** The findings of a survey about an intent that is DONE by a movement which `holder` has claimed. */
async function findingsOfDone(holder: string | undefined, judge = survey) {
  const params = { name: 'one' }
  const intent = {
    ...{ intentId: 'one', kind: 'convert', state: 'DONE', ref: 'order-1', version: 3, attemptNumber: 1 },
    ...{
      params,
      paramsHash: hashParams(params),
      frozen: {},
      resolution: { by: 'ann (not verified)', because: 'seen', at: 'then' },
    },
  }
  const connection = lost([{ machine: StateMachine.Convert, name: 'one', atMs: FIRST_MS }])
  const journal = { find: async () => intent, findClaim: async () => holder }
  const service = { findOrder: async () => undefined, findWithdrawal: async () => undefined }
  const span = { sinceMs: FIRST_MS, beforeMs: undefined, limit: 10 }
  const { findings } = await judge({ ...connection, journal } as never, service, span, false)
  return findings.map(({ finding, message }) => [finding, message])
}

test.each([
  ['another intent has claimed', 'another', 'its movement order-1 is claimed by intent another'],
  ['nobody has claimed', undefined, 'its movement order-1 has no claim'],
])('an intent that is DONE by a movement that %s was changed', async (_whose, holder, message) => {
  expect(await findingsOfDone(holder)).toEqual([['CHANGED', expect.stringContaining(message)]])
})

test('an intent that is DONE by its own movement is unchanged', async () => {
  expect(await findingsOfDone('one')).toEqual([])
})

test.each([
  ['1', []],
  ['2', [['CONTRADICTION', expect.stringContaining('its fee is 2, and 1 was shown right before its send')]]],
])('a withdrawal that took a fee of %s where 1 was shown has these findings: %j', async (fee, found) => {
  const { params: request, intentId: name, ref: withdrawalId } = payment
  const at = new Date(FIRST_MS).toISOString()
  const steps = [
    { did: 'left', at, state: 'Withdraw', output: { outcome: 'COMPLETED', intentId: name, attempts: 1, withdrawalId } },
  ]
  const connection = lost([{ machine: StateMachine.Withdraw, name, atMs: FIRST_MS }])
  const read = async () => ({ name, status: 'SUCCEEDED', startedAt: at, steps, input: request })
  const journal = { find: async () => payment, findClaim: async () => name }
  const service = { findOrder: async () => undefined, findWithdrawal: async () => ({ ...withdrawal, fee }) }
  const span = { sinceMs: FIRST_MS, beforeMs: undefined, limit: 10 }
  const executions = { ...connection.executions, read }
  const { findings } = await survey({ ...connection, executions, journal } as never, service as never, span, false)
  expect(findings.map(({ finding, message }) => [finding, message])).toEqual(found)
})

test('executions of one moment are read together, even if they exceed a part', async () => {
  const began = many(StateMachine.Convert, 25, 0)
  expect((await surveyInParts(began, 10)).found).toHaveLength(25)
})

test('an id with no readable execution is reported, since it may have moved', async () => {
  const connection = lost(many(StateMachine.Convert, 1, 1))
  const unreadable = { ...connection, executions: { ...connection.executions, read: async () => 'damaged' } }
  const service = { findOrder: async () => undefined, findWithdrawal: async () => undefined }
  const span = { sinceMs: FIRST_MS, beforeMs: undefined, limit: 10 }
  const { findings } = await survey(unreadable, service, span, true)
  expect(findings).toMatchObject([{ finding: 'UNREADABLE', about: 'sluice-convert-0' }])
})

test('records of every kind are read, and one without its chain is found', async () => {
  const keys = Object.values(recordKey).map((key) =>
    typeof key === 'string' ? key : (key as (...parts: string[]) => string)('1', '1', '1'),
  )
  const ofNoKind = keys.filter((key) => !PREFIXES.some((prefix) => key.startsWith(prefix)))
  expect(ofNoKind).toEqual([])
  const planted = { pk: recordKey.foreign('withdraw', 'w-1'), version: 1, format: 1, stamp: 'planted', by: 'nobody' }
  const scanPart = async function* (prefixes: readonly string[]) {
    if (prefixes.some((prefix) => planted.pk.startsWith(prefix))) yield planted
  }
  const { findings } = await checkRecords({ scanPart, store: createMemoryStore() } as never)
  expect(findings).toEqual([expect.objectContaining({ about: planted.pk, message: 'its chain is missing' })])
})
