// An unanswered question blocks no state directory, and the facts behind a yes are checked again after it.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { runProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { lockState } from '../../../place/state/state-lock.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'

let dir: string
beforeEach(async () => {
  dir = temporaryFolder()
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  await leave({ 'EURC bank': '900' })
})

const stateDir = () => path.join(dir, 'state')

async function leave(residues: Record<string, string>): Promise<void> {
  await makeKeptJournal(builtInFolder(stateDir()).awsDir, async (store) => {
    const records = createPolicyRecords(store, randomUUID)
    await records.advance(await records.find('gone'), { residues })
  })
}

/** A person who does something at each question, and then answers yes. */
async function askedAt(
  argv: readonly string[],
  meanwhile: readonly (readonly [seen: string, act: () => Promise<void>])[],
) {
  const stdout = recorded()
  const stderr = recorded({ isTTY: true, columns: 200 })
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const })
  const output = createOutput({ stdout, stderr, json: false, term: 'xterm' })
  const catchInterruption = () => new AbortController().signal
  const context = { argv, variables: {}, stdin, stdout, output, clock: systemClock, catchInterruption }
  const ended = runProgram(context)
  for (const [seen, act] of meanwhile) {
    while (!stderr.text.includes(seen)) await new Promise((resolve) => setImmediate(resolve))
    // The library has shown its question, and reads the answer from the next turn on.
    await act()
    stdin.write('y\n')
  }
  return { exitCode: await ended, stdout: stdout.text, stderr: stderr.text }
}

const release = () => [
  ...['cases', 'release', 'gone', '--by', 'ada', '--because', 'it is theirs'],
  ...['--state', stateDir(), '--config', path.join(dir, 'treasury.json')],
]

test('while a question is open another process may use the directory', async () => {
  const { exitCode, stdout } = await askedAt(release(), [
    ['[y/N]', async () => (await lockState({ stateDir: stateDir(), clock: systemClock, waitMs: 0 })).release()],
  ])
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'released: what runs of gone left stranded\n' })
})

test('after a change while the question was open a new question is asked', async () => {
  const { exitCode, stderr } = await askedAt(release(), [
    ['(900 EURC bank), for good? [y/N]', () => leave({ 'EURC bank': '950' })],
    ['(950 EURC bank), for good? [y/N]', async () => undefined],
  ])
  expect(exitCode).toBe(0)
  expect(stderr).toContain('(950 EURC bank), for good?')
})
