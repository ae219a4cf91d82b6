import { expect, test } from 'vitest'
import { ExitCode } from '../../../../operations/exit-code.ts'
import { OperationError } from '../../../../operations/operation-error.ts'
import { createRemoteStart } from '../../../../operations/runs/remote-start.ts'

const failed = (facts: Partial<OperationError> = {}) =>
  new OperationError({
    exitCode: ExitCode.Failed,
    code: 'unreachable',
    message: 'the network is down; nothing was started',
    next: 'try again',
    ...facts,
  })
const remoteStart = () => createRemoteStart('sluice run convert buy.json --id one', 'an order may have been placed')

test('a failure before the start stays unchanged', () => {
  const failure = failed()
  expect(remoteStart().failureOf(failure)).toBe(failure)
})

test('after the start a failure is a doubt, names the id to continue with, and does not claim that nothing was started', () => {
  const start = remoteStart()
  start.begin()
  expect(start.failureOf(failed())).toMatchObject({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message:
      'the network is down; the run was begun, and continues without this command: an order may have been placed',
    next: 'do not start it under another id; to see its result: sluice run convert buy.json --id one',
  })
})

test.each([new Error('read ECONNRESET'), failed({ exitCode: ExitCode.Usage, code: 'keys' })])(
  'from the start on %s is a doubt as well',
  (error) => {
    const start = remoteStart()
    start.begin()
    expect(start.failureOf(error)).toMatchObject({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt' })
  },
)

test('a faulty key keeps its code and its remedy, and needs a person: the serving process waits for the key', () => {
  const start = remoteStart()
  start.begin()
  const fault = failed({
    code: 'key_at_fault',
    message: 'the key is at fault; nothing has moved',
    next: 'put it right',
  })
  expect(start.failureOf(fault)).toMatchObject({
    exitCode: ExitCode.NeedsPerson,
    code: 'key_at_fault',
    next: 'put it right',
  })
})

test('an interruption stays an interruption', () => {
  const start = remoteStart()
  start.begin()
  const interrupted = failed({ exitCode: ExitCode.Interrupted, code: 'interrupted' })
  expect(start.failureOf(interrupted)).toMatchObject({ exitCode: ExitCode.Interrupted, code: 'interrupted' })
})
