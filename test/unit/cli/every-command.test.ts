// Tests the behaviour that all commands share: help with an example, and the refusal of unknown options.
import { expect, test } from 'vitest'
import { everyCommand, wordsOf } from './every-command.ts'
import { runInProcess } from './run-in-process.ts'

const commands = await everyCommand()
const words = commands.map(wordsOf)
/** Commands that only hold others. */
const groups = commands.filter((one) => one.commands.length > 0 && one.registeredArguments.length === 0).map(wordsOf)

test('the number of commands is the reviewed number', () => {
  expect(words).toHaveLength(new Set(words).size)
  expect(words.length).toBeGreaterThan(40)
})

test.each(words)('help of %s begins with an example, on standard output', async (name) => {
  const { exitCode, stdout, stderr } = await runInProcess([...name.split(' '), '--help'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^Example:\n {2}/)
  expect(stdout).toContain(`npx sluice ${name}`)
  expect(stdout).toContain(`Usage: sluice ${name} [`)
  // A single word is never broken.
  for (const text of stdout.split('\n').filter((line) => /\S (?!\\$)/.test(line)))
    expect(text.length, text).toBeLessThanOrEqual(80)
})

test.each(words)('an option unknown to %s is exit 2, in both forms', async (name) => {
  const plain = await runInProcess([...name.split(' '), '--nonsense'])
  expect(plain).toMatchObject({ exitCode: 2, stdout: '' })
  expect(plain.stderr).toMatch(/^error: .*'--nonsense'\nnext: {2}npx sluice .*--help\n$/)
  const json = await runInProcess([...name.split(' '), '--nonsense', '--json'])
  expect(json).toMatchObject({ exitCode: 2, stdout: '' })
  expect(json.stderr.split('\n')).toHaveLength(2)
  expect(JSON.parse(json.stderr)).toEqual({
    error: { code: 'usage', message: expect.stringContaining('--nonsense'), next: expect.any(String) },
  })
})

test.each(words.filter((name) => !groups.includes(name)))('%s says what it needs, or takes nothing', (name) => {
  const command = commands.find((one) => wordsOf(one) === name)
  expect(command?.description()).toMatch(/^[a-z].*[^.]$/)
  for (const { long, description } of command?.options ?? []) expect(`${long} ${description}`).toMatch(/^--\S+ \S/)
})

test.each(
  words.filter((name) =>
    commands.some((one) => wordsOf(one) === name && one.options.some(({ long }) => long === '--csv')),
  ),
)('%s names its columns where an unknown column is asked for', async (name) => {
  const needed =
    commands.find((one) => wordsOf(one) === name)?.registeredArguments.filter(({ required }) => required) ?? []
  const argv = [...name.split(' '), ...needed.map(() => 'X')]
  const { exitCode, stdout, stderr } = await runInProcess([...argv, '--columns', 'nonsense', '--json'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr).error.message).toContain('--columns')
})
