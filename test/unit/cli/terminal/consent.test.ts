// Nothing moves without a yes that was typed after the question, or given in advance.
import { expect, test } from 'vitest'
import { requireConsent } from '../../../../cli/terminal/consent.ts'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { readName } from '../../../../place/decider.ts'
import { recorded, typedAt } from './recorded-stream.ts'

interface Person {
  /** The text typed at the question. Undefined: the input ends. */
  readonly types?: string
  readonly typedBefore?: string
  readonly isTerminal?: boolean
  readonly json?: boolean
}

async function asked({ types, typedBefore, isTerminal = true, json = false }: Person, flags = {}) {
  const stderr = recorded({ isTTY: true, columns: 80 })
  const stdin = Object.assign(typedAt(stderr, [['[y/N]', types ?? '']]), { isTTY: isTerminal })
  if (typedBefore !== undefined) stdin.write(typedBefore)
  if (types === undefined) stdin.end()
  const output = createOutput({ stdout: recorded(), stderr, json, term: 'xterm' })
  const failure = await requireConsent('rename it?', flags, { stdin, output }).catch((error: unknown) => error)
  return { failure, stderr: stderr.text }
}

test.each(['y\n', 'Yes\n'])('%j is a yes', async (types) => {
  const { failure, stderr } = await asked({ types })
  expect(failure).toBeUndefined()
  expect(stderr).toContain('rename it? [y/N]')
})

test.each(['n\n', '\n', 'yesterday\n'])('%j is a no, with exit 1', async (types) => {
  expect((await asked({ types })).failure).toMatchObject({ exitCode: 1, code: 'declined' })
})

test('the end of the input is a no', async () => {
  expect((await asked({})).failure).toMatchObject({ exitCode: 1, code: 'declined' })
})

test('Ctrl-D is a no', async () => {
  expect((await asked({ types: '\u0004' })).failure).toMatchObject({ exitCode: 1, code: 'declined' })
})

test('text typed before the question was shown does not answer it', async () => {
  expect((await asked({ typedBefore: 'y\n', types: 'n\n' })).failure).toMatchObject({ exitCode: 1, code: 'declined' })
})

test('Ctrl-C is an interruption', async () => {
  expect((await asked({ types: '\u0003' })).failure).toMatchObject({ exitCode: 130, code: 'interrupted' })
})

test('consent that is given in advance is not asked for', async () => {
  expect(await asked({ isTerminal: false }, { yes: true })).toEqual({ failure: undefined, stderr: '' })
})

test.each([
  ['without a terminal', { isTerminal: false }, {}],
  ['with --json', { json: true }, {}],
  ['with --no-input', {}, { input: false }],
])('%s nobody is asked, and the missing consent names its flag', async (_when, person, flags) => {
  const { failure, stderr } = await asked({ types: 'y\n', ...person }, flags)
  expect(failure).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^yes: expected consent to rename it/),
  })
  expect(stderr).toBe('')
})

test('the decider is the given name, or else the user, and the record says that the name is not verified', () => {
  expect(readName('ann', { USER: 'bob' })).toBe('ann (not verified)')
  expect(readName(undefined, { USER: 'bob' })).toBe('bob (not verified)')
  expect(readName(undefined, { USER: '', USERNAME: 'bob' })).toBe('bob (not verified)')
  expect(() => readName(undefined, {})).toThrow(
    expect.objectContaining({ exitCode: 2, next: expect.arrayContaining([{ option: 'by' }]) }),
  )
})
