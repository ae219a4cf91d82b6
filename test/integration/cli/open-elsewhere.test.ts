// A journal that is open in a process whose lock this process cannot see, as in another container: it is in use, and not
// damaged.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type EmbeddedJournal, startEmbeddedJournal } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

let dir: string
let elsewhere: EmbeddedJournal | undefined
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-elsewhere-'))
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  const { awsDir } = builtInFolder(path.join(dir, 'state'))
  await makeKeptJournal(awsDir, async () => undefined)
  elsewhere = await startEmbeddedJournal(awsDir)
})
afterAll(async () => {
  await elsewhere?.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('a journal that another process has open is reported as in use, and not as damaged', async () => {
  const place = ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
  const { exitCode, stderr } = await runInProcess(['halt', '--by', 'ada', ...place])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('in another container') })
  expect(stderr).not.toContain('damaged')
})
