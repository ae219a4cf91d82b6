// The end of an execution is reported to the default bus once, even across a crash, and bounded as on AWS.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { statusChange } from '../../events/put-events.ts'
import type { ExecutionDescription } from '../../states/execution-description.ts'
import { executionArn, machineArn, startProcess, temporaryDirectory } from './executed.ts'
import { only, START_MS } from './interpreted.ts'

const SUCCEEDS = only({ Type: 'Succeed' })
const FAILS = only({ Type: 'Fail', Error: 'NEEDS_ATTENTION', Cause: '{"why":"no proof"}' })
const WAITS = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 60, End: true } } }

test('every end is reported once: success, failure and a stop', async () => {
  const { executions, ended, untilQuiet } = startProcess(temporaryDirectory(), {
    machines: { Calm: SUCCEEDS, Bad: FAILS, Slow: WAITS },
  })
  executions.start('Calm', 'a', '{"n":1}')
  executions.start('Bad', 'b', '{}')
  const { executionArn: slow } = executions.start('Slow', 'c', '{}')
  executions.stop(slow, undefined, undefined)
  await untilQuiet()
  expect(ended.map(({ name, status, output, error }) => ({ name, status, output, error }))).toEqual(
    expect.arrayContaining([
      { name: 'a', status: 'SUCCEEDED', output: '{"n":1}', error: undefined },
      { name: 'b', status: 'FAILED', output: undefined, error: 'NEEDS_ATTENTION' },
      { name: 'c', status: 'ABORTED', output: undefined, error: undefined },
    ]),
  )
  expect(ended).toHaveLength(3)
})

test('an end that was written but not reported before the process died is reported once, by the next process', async () => {
  const directory = temporaryDirectory()
  const machines = { machines: { Calm: SUCCEEDS } }
  const isFatal = (_arn: string, event: { readonly type: string }) => event.type === 'ExecutionSucceeded'
  const first = startProcess(directory, machines, { isFatal })
  first.executions.start('Calm', 'a', '{}')
  await first.untilQuiet()
  expect(first.ended).toEqual([])

  const second = startProcess(directory, machines)
  second.executions.resume()
  expect(second.ended.map(({ name, status }) => [name, status])).toEqual([['a', 'SUCCEEDED']])

  const third = startProcess(directory, machines)
  third.executions.resume()
  expect(third.ended).toEqual([])
})

const DESCRIPTION: ExecutionDescription = {
  executionArn: executionArn('Calm', 'a'),
  stateMachineArn: machineArn('Calm'),
  name: 'a',
  status: 'SUCCEEDED',
  input: '{"n":1}',
  output: '{"n":2}',
  startDate: new Date(START_MS),
  stopDate: new Date(START_MS + 5_000),
  redriveCount: 0,
}

test('an end is reported in the form of AWS, on the default bus', () => {
  expect(statusChange(DESCRIPTION)).toEqual({
    source: 'aws.states',
    detailType: 'Step Functions Execution Status Change',
    bus: 'default',
    resources: [executionArn('Calm', 'a')],
    timeMs: START_MS + 5_000,
    detail: expect.objectContaining({
      stateMachineArn: machineArn('Calm'),
      name: 'a',
      status: 'SUCCEEDED',
      startDate: START_MS,
      stopDate: START_MS + 5_000,
      input: '{"n":1}',
      inputDetails: { included: true },
      output: '{"n":2}',
      outputDetails: { included: true },
      error: null,
      cause: null,
    }),
  })
})

test('if both are too large, the input is left out first, then the output', () => {
  const large = JSON.stringify('x'.repeat(200_000))
  const tooLarge = JSON.stringify('x'.repeat(260_000))
  const detailOf = (changes: Partial<ExecutionDescription>) => statusChange({ ...DESCRIPTION, ...changes }).detail
  expect(detailOf({ input: large, output: large })).toMatchObject({ input: null, output: large })
  expect(detailOf({ output: tooLarge })).toMatchObject({
    input: '{"n":1}',
    output: null,
    outputDetails: { included: false },
  })
})

test('an end that cannot be stored is an error for every waiter of the execution', async () => {
  const directory = temporaryDirectory()
  const removeAtEnd = (_arn: string, { type }: { readonly type: string }) => {
    if (type === 'ExecutionSucceeded') rmSync(path.join(directory, 'executions'), { recursive: true })
    return false
  }
  const { executions } = startProcess(directory, { machines: { Calm: SUCCEEDS } }, { isFatal: removeAtEnd })
  const { executionArn: arn } = executions.start('Calm', 'a', '{}')
  await expect(executions.untilFinished(arn)).rejects.toMatchObject({ code: 'ENOENT' })
})
