// A command that only reads creates nothing: no directory for a misspelt name, and no lock in another person's directory.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'

const { file } = useCommands()
beforeAll(() => {
  mkdirSync(file('other'), { mode: 0o700 })
  writeFileSync(file('other/letter.txt'), 'of somebody else')
})

const SAID = ['--by', 'ada', '--because', 'a test']

test.each([
  ['cases', 'list'],
  ['runs', 'list'],
  ['movements', 'list'],
  ['movements', 'show', 'x'],
  ['movements', 'show', 'x', '--sentences'],
  ['logs'],
  ['runs', 'report', 'x'],
  ['proof', 'make', 'x'],
  ['approve', 'x', ...SAID, '--yes'],
  ['cases', 'resolve', 'x', '--none', ...SAID, '--yes'],
  ['halt', ...SAID],
  ['resume', ...SAID],
  ['journal', 'verify'],
  ['journal', 'export', '--to', 'nowhere-else'],
])('%s finds nothing, says so, and leaves the place unchanged', async (...words) => {
  for (const state of ['nowhere', 'other']) {
    const { exitCode, stderr } = await runInProcess([
      ...words,
      ...['--state', file(state), '--config', file('treasury.json')],
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('keeps no runs against') })
  }
  expect(existsSync(file('nowhere'))).toBe(false)
  expect(readdirSync(file('other'))).toEqual(['letter.txt'])
})

test('missing policies are reported without a state directory', async () => {
  const place = ['--state', file('nowhere'), '--config', file('treasury.json')]
  const { exitCode, stderr } = await runInProcess(['policies', ...place])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('has no policies') })
  expect(existsSync(file('nowhere'))).toBe(false)
})
