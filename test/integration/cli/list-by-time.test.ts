// `sluice movements list` and `sluice runs list` by the index: newest first over months and kinds, bounded, and continued
// after a cut-off. It is a real journal.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createJournal } from '../../../core/journal/journal.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { declareTable } from '../../../core/journal/table-identity.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'

const { file, place } = useCommands()
const DAY_MS = 24 * 3_600_000
/** A time this many days ago, because the list goes back from now. */
const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

beforeAll(async () => {
  await makeKeptJournal(builtInFolder(file('state')).awsDir, async (store, tableId) => {
    await declareTable(store, randomUUID, { tableId, at: at(720) })
    const journal = createJournal(store, randomUUID)
    const open = (intentId: string, days: number, asked: typeof CONVERSION | typeof WITHDRAWAL) =>
      journal.open({ ...asked, intentId, createdAt: at(days), notAfter: at(days - 1) })
    const doubt = await open('doubt-700', 700, CONVERSION)
    await journal.advance(doubt, armed(doubt, 'order-1'))
    for (const days of [1, 2, 40, 41, 400]) await open(`c-${days}`, days, CONVERSION)
    await open('w-3', 3, WITHDRAWAL)
    const zero = await open('zero-60', 60, CONVERSION)
    await journal.advance(zero, zeroMove(zero, 'REJECTED', 'REJECTED', 'a test'))
  })
})

async function listed(...flags: string[]) {
  const { stdout, stderr, exitCode } = await runInProcess(['movements', 'list', '--json', ...flags, ...place()])
  expect(exitCode, stderr).toBe(0)
  const { asked, hasMore } = JSON.parse(stdout)
  return { ids: asked.map(({ id }: { id: string }) => id), at: asked.at(-1)?.at, hasMore }
}

test('the newest come first, over kinds and months, and --before continues where the list was cut off', async () => {
  const first = await listed('--limit', '4')
  expect(first).toMatchObject({ ids: ['c-1', 'c-2', 'w-3', 'c-40'], hasMore: true })
  const second = await listed('--limit', '4', '--before', first.at)
  expect(second).toMatchObject({ ids: ['c-41', 'zero-60', 'c-400', 'doubt-700'], hasMore: false })
})

test('filters by kind, time and outcome', async () => {
  expect((await listed('--kind', 'withdraw')).ids).toEqual(['w-3'])
  expect((await listed('--since', at(50), '--before', at(2.5))).ids).toEqual(['w-3', 'c-40', 'c-41'])
  expect((await listed('--outcome', 'rejected')).ids).toEqual(['zero-60'])
  expect((await listed('--since', at(2), '--before', at(3))).ids).toEqual([])
})

test('an open intent is found however old it is, without reading ended ones', async () => {
  expect(await listed('--outcome', 'armed')).toMatchObject({ ids: ['doubt-700'], hasMore: false })
  expect((await listed('--outcome', 'ready', '--kind', 'withdraw')).ids).toEqual(['w-3'])
  expect(await listed('--outcome', 'ready', '--limit', '2')).toMatchObject({ ids: ['c-1', 'c-2'], hasMore: true })
  expect((await listed('--outcome', 'armed', '--kind', 'withdraw')).ids).toEqual([])
  expect((await listed('--outcome', 'ready', '--since', at(10))).ids).toEqual(['c-1', 'c-2', 'w-3'])
  expect((await listed('--outcome', 'running')).ids).toEqual([])
})
