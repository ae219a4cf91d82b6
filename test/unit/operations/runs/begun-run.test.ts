// Holds what a command says of a run that it has begun and cannot follow: only what the journal shows of it.
import { expect, test } from 'vitest'
import { begunFailure } from '../../../../operations/runs/begun-run.ts'
import { ExitCode } from '../../../../place/exit-code.ts'
import { OperationError } from '../../../../place/operation-error.ts'

const AGAIN = { do: 'same', id: 'one' } as const
const down = new OperationError({
  exitCode: ExitCode.Failed,
  code: 'unreachable',
  message: 'the network is down; nothing was started',
  next: 'try again',
})
const keyFault = new OperationError({
  exitCode: ExitCode.Failed,
  code: 'key_at_fault',
  message: 'the key is at fault; nothing has moved',
  next: 'put it right',
})
const armed = { line: 'intent one (convert) was sent', isSettled: false }
const failure = (error: OperationError, sent: Parameters<typeof begunFailure>[1]) =>
  begunFailure(error, sent, { again: AGAIN, isElsewhere: true })

test('a broken connection is a doubt, and names the id to continue with', () => {
  expect(failure(down, [])).toMatchObject({ exitCode: 3, code: 'in_doubt', next: expect.arrayContaining([AGAIN]) })
})

test.each([
  ['has sent nothing so far', []],
  [armed.line, [armed]],
  ['could not be read', undefined],
])('what was sent is said as the journal shows it: %s', (says, sent) => {
  const { message } = failure(down, sent)
  expect(message.split('\n').at(-1)).toContain(says)
  expect(message).not.toContain('nothing was started')
})

test.each([
  [1, []],
  [3, [armed]],
  [3, undefined],
])('a refused key exits with %d, by what was sent', (exitCode, sent) => {
  expect(failure(keyFault, sent)).toMatchObject({ exitCode, code: 'key_at_fault', next: 'put it right' })
})
