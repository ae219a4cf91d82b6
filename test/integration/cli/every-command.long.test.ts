// Tests every command with --json, one after the other on one state directory and within this process: its exit code,
// and that standard output has only JSON.
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { everyCommand, wordsOf } from '../../unit/cli/every-command.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { commandsIn, runWaitingIn } from './commands-table.ts'

const dir = folderOfFile()
const TABLE = commandsIn(dir)
const variables = { SLUICE_CONFIG: path.join(dir, 'policies.json'), SLUICE_STATE: path.join(dir, 'state') }

/** The waiting run, once it has been started. */
let waiting = 'run-1'

test('the table has every command', async () => {
  const names = (await everyCommand())
    .filter(({ registeredArguments, commands }) => commands.length === 0 || registeredArguments.length > 0)
    .map(wordsOf)
  expect([...new Set(TABLE.map(({ name }) => name))].sort()).toEqual(names.sort())
})

test.each(TABLE.map((row, index) => ({ ...row, label: `${index + 1}: ${row.name}` })))(
  '$label ends with its code, and gives JSON only',
  async ({ name, argv, exitCode }) => {
    const ended = await runInProcess([...name.split(' '), ...argv(waiting), '--json'], variables)
    expect(ended).toMatchObject({ exitCode })
    waiting = runWaitingIn(ended) ?? waiting
  },
)
