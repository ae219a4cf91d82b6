// A journal that is open in a process whose lock this process cannot see, as in another container: it is in use, and not
// damaged.
import { type EmbeddedJournal, startEmbeddedJournal } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { useCommands } from './commands.ts'

const { file, run } = useCommands()
let elsewhere: EmbeddedJournal | undefined
beforeAll(async () => {
  const { awsDir } = builtInFolder(file('state'))
  await makeKeptJournal(awsDir, async () => undefined)
  elsewhere = await startEmbeddedJournal(awsDir)
})
afterAll(() => elsewhere?.stop())

test('a journal that another process has open is reported as in use, and not as damaged', async () => {
  const { exitCode, stderr } = await run('halt', '--by', 'ada')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('in another container') })
  expect(stderr).not.toContain('damaged')
})
