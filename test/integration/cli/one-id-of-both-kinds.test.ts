// Tests a conversion and a withdrawal with the same id. Each command that takes an intent's id names both, and accepts
// the kind.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createJournal } from '../../../core/journal/journal.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { declareTable } from '../../../core/journal/table-identity.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { useCommands } from './commands.ts'

const { file, run } = useCommands()
beforeAll(async () => {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', notAfter: '2026-01-01T00:15:00.000Z' }
  await makeKeptJournal(builtInFolder(file('state')).awsDir, async (store, tableId) => {
    await declareTable(store, randomUUID, { tableId, at: times.createdAt })
    const journal = createJournal(store, randomUUID)
    const order = await journal.open({ intentId: 'same', ...CONVERSION, ...times })
    await journal.advance(order, armed(order, 'order-1'))
    const withdrawal = await journal.open({ intentId: 'same', ...WITHDRAWAL, ...times })
    await journal.advance(withdrawal, zeroMove(withdrawal, 'REJECTED', 'REJECTED', 'the contact is gone'))
  })
})

test.each(['movements show', 'runs show', 'movements show --sentences', 'proof make'])(
  '%s names both, and shows the one of the given kind',
  async (words) => {
    const both = await run(...words.split(' '), 'same')
    expect(both).toMatchObject({ exitCode: 2, stdout: '' })
    expect(both.stderr).toMatch(/convert same: .*\n.*withdraw same: /)
    expect(both.stderr).toContain('--kind convert or --kind withdraw')
  },
)

test('show shows the one of the given kind', async () => {
  expect((await run('movements', 'show', 'same', '--kind', 'withdraw')).stdout).toContain('REJECTED')
  expect((await run('movements', 'show', 'same', '--kind', 'convert')).stdout).toContain('ARMED')
})

test('again starts nothing without the kind, and accepts the given kind', async () => {
  const both = await run('cases', 'again', 'same')
  expect(both).toMatchObject({ exitCode: 1, stdout: '' })
  expect(both.stderr).toContain('same is the id of several: convert same, withdraw same; nothing was started')
  const one = await run('cases', 'again', 'same', '--kind', 'withdraw')
  expect(one).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('intent same is REJECTED') })
})

test('resolve records nothing without the kind, and accepts the given kind', async () => {
  const decision = ['--none', '--because', 'a test', '--by', 'ada', '--yes']
  const both = await run('cases', 'resolve', 'same', ...decision)
  expect(both).toMatchObject({ exitCode: 2, stdout: '' })
  expect(both.stderr).toContain('same is the id of a conversion and of a withdrawal; --kind says which is meant')
  const one = await run('cases', 'resolve', 'same', '--kind', 'withdraw', ...decision)
  expect(one).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('same is REJECTED: nothing is in doubt') })
  expect(await run('cases', 'resolve', 'same', '--kind', 'run', ...decision)).toMatchObject({ exitCode: 2 })
})
