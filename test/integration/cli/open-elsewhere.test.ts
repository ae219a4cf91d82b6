// A journal that is open in a process whose lock this process cannot see, as in another container: it is in use, and not
// damaged.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type EmbeddedJournal, startEmbeddedJournal } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const dir = folderOfFile()
let elsewhere: EmbeddedJournal | undefined
beforeAll(async () => {
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  const { awsDir } = builtInFolder(path.join(dir, 'state'))
  await makeKeptJournal(awsDir, async () => undefined)
  elsewhere = await startEmbeddedJournal(awsDir)
})
afterAll(() => elsewhere?.stop())

test('a journal that another process has open is reported as in use, and not as damaged', async () => {
  const place = ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
  const { exitCode, stderr } = await runInProcess(['halt', '--by', 'ada', ...place])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('in another container') })
  expect(stderr).not.toContain('damaged')
})
