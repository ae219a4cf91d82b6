import { expect, test } from 'vitest'
import { describe } from '../../../../core/service/problem.ts'
import { OperationError } from '../../../../operations/operation-error.ts'
import { asMaintenance, mentionsMaintenance, nextAfterMaintenance } from '../../../../operations/words/maintenance.ts'
import { describeEvent } from '../../../../views/narration/event-lines.ts'
import { runNarration } from '../../../../views/narration/run-lines.ts'

const problem = (code: string, status: number | undefined, isDocument = true) =>
  describe({ endpoint: 'POST /v2/quotes', status, code, isDocument, retryable: true, extensions: {} })

test.each([
  [problem('maintenance', 503), true],
  [problem('maintenance', undefined), true],
  ['the service is in maintenance', true],
  [`Transient: ${problem('maintenance', 503)} [trace 1]`, true],
  [problem('internal_error', 500), false],
  [problem('not_a_problem', 503, false), false],
  ['contact "maintenance" is no longer there', false],
  [undefined, false],
])('%j: comes from maintenance, %s', (text, says) => {
  expect(mentionsMaintenance(text)).toBe(says)
})

const failure = (exitCode: 1 | 3, message: string) =>
  new OperationError({ exitCode, code: 'unreachable', message, next: 'go on with: sluice run convert --id a' })

test('a command that fails because of maintenance says so first, and that the same line works later', () => {
  const explained = asMaintenance(failure(1, problem('maintenance', 503)))
  expect(explained).toMatchObject({
    ...{ exitCode: 1, code: 'unreachable' },
    message: expect.stringMatching(/^the service is in maintenance: POST \/v2\/quotes/),
    next: expect.stringMatching(/^wait until the maintenance is over, then run the same command again: nothing was/),
  })
  expect(asMaintenance(explained).message).toBe(explained.message)
})

test('a command in doubt keeps the only command that may follow', () => {
  expect(asMaintenance(failure(3, 'the service is in maintenance')).next).toBe(
    'wait until the maintenance is over, then go on with: sluice run convert --id a',
  )
})

test('a failure with another cause stays unchanged', () => {
  const other = failure(1, problem('internal_error', 500))
  expect(asMaintenance(other)).toBe(other)
})

test('after a run the same command checks again; only a certain zero is requested under another id', () => {
  expect(nextAfterMaintenance('sluice run convert --id a', false).join()).toMatch(
    /^sluice run convert --id a {3}# when/,
  )
  expect(nextAfterMaintenance('sluice run convert --id a', true).join()).toContain('under another --id')
})

const because = problem('maintenance', 503)
test.each([
  [
    'that waits by its report',
    {
      type: 'TaskStateExited',
      stateExitedEventDetails: {
        name: 'PlanRebalance',
        output: JSON.stringify({ outcome: 'WAIT', why: because, legs: [] }),
      },
    },
    /^the service is in maintenance, and this run waits until it ends; nothing is lost: POST/,
  ],
  [
    'with a fault',
    {
      type: 'LambdaFunctionFailed',
      lambdaFunctionFailedEventDetails: { error: 'Transient', cause: JSON.stringify({ errorMessage: because }) },
    },
    /^the service is in maintenance; nothing is lost: Transient: POST/,
  ],
])('the progress of a run %s says that the service is in maintenance', (_what, event, text) => {
  expect(describeEvent(event, {}, runNarration)?.text).toMatch(text)
})
