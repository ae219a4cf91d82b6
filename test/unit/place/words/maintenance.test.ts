// A person who meets maintenance is advised to wait, and never to use another id in doubt.

import { expect, test } from 'vitest'
import { describe } from '../../../../core/service/problem.ts'
import { option } from '../../../../place/next-step.ts'
import { OperationError } from '../../../../place/operation-error.ts'
import { asMaintenance, mentionsMaintenance, nextAfterMaintenance } from '../../../../place/words/maintenance.ts'
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
])('%j is recognised as maintenance: %s', (text, isMaintenance) => {
  expect(mentionsMaintenance(text)).toBe(isMaintenance)
})

const failure = (exitCode: 1 | 3, message: string) =>
  new OperationError({ exitCode, code: 'unreachable', message, next: 'go on with: sluice run convert --id a' })

test('an error from maintenance begins with that cause, and advises to repeat the same command later', () => {
  const explained = asMaintenance(failure(1, problem('maintenance', 503)))
  expect(explained).toMatchObject({
    ...{ exitCode: 1, code: 'unreachable' },
    message: expect.stringMatching(/^the service is in maintenance: POST \/v2\/quotes/),
    next: expect.stringMatching(/^wait until the maintenance is over, then run the same command again: nothing was/),
  })
  expect(asMaintenance(explained).message).toBe(explained.message)
})

test('an error of a command in doubt keeps its own next command: no other command is safe', () => {
  expect(asMaintenance(failure(3, 'the service is in maintenance')).next).toBe(
    'wait until the maintenance is over, then go on with: sluice run convert --id a',
  )
})

test('an error with another cause stays unchanged', () => {
  const other = failure(1, problem('internal_error', 500))
  expect(asMaintenance(other)).toBe(other)
})

test('after a run, the advice is the same command; another id is advised only for a certain zero', () => {
  const same = { do: 'same', id: 'a' } as const
  expect(nextAfterMaintenance(same, false)).toEqual([expect.objectContaining(same)])
  expect(nextAfterMaintenance(same, true)).toEqual([expect.arrayContaining([option('id')])])
})

const because = problem('maintenance', 503)
test.each([
  [
    'whose step reports that it waits',
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
    'whose function fails',
    {
      type: 'LambdaFunctionFailed',
      lambdaFunctionFailedEventDetails: { error: 'Transient', cause: JSON.stringify({ errorMessage: because }) },
    },
    /^the service is in maintenance; nothing is lost: Transient: POST/,
  ],
])('the progress of a run %s says that the service is in maintenance', (_what, event, text) => {
  expect(describeEvent(event, {}, runNarration)?.text).toMatch(text)
})
