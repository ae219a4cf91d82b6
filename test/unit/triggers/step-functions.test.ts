// A name that is taken is the same run only if its input is the same.
import type { SFNClient } from '@aws-sdk/client-sfn'
import { expect, test } from 'vitest'
import { StateMachine } from '../../../core/contract/states.ts'
import { Defect, OwnFault, Transient } from '../../../core/errors.ts'
import { sfnStarter } from '../../../core/triggers/step-functions.ts'

const arns = { [StateMachine.Sweep]: 'arn:aws:states:eu-west-1:123456789012:stateMachine:sluice-sweep' }
const start = { stateMachine: StateMachine.Sweep, name: 'daily-1', input: { policy: 'daily' } }

/** Step Functions with its answers: `answers` in order, errors by their names. */
function starterWith(...answers: readonly (string | object)[]) {
  const sent: object[] = []
  const left = [...answers]
  const send = async ({ input }: { readonly input: object }) => {
    sent.push(input)
    const answer = left.shift()
    if (typeof answer === 'string') throw Object.assign(new Error('its text may quote the input'), { name: answer })
    return answer
  }
  const starter = sfnStarter({ send } as unknown as Pick<SFNClient, 'send'>, arns)
  return { sent, starter }
}

test('an execution is started under its name, on its machine', async () => {
  const { sent, starter } = starterWith({})
  expect(await starter.start(start)).toBe('started')
  expect(sent).toEqual([{ stateMachineArn: arns['sluice-sweep'], name: 'daily-1', input: '{"policy":"daily"}' }])
})

test.each([
  ['{"policy":"daily"}', 'ended'],
  ['{"policy":"other"}', 'other'],
])('a used name is judged by the input that it was started with', async (input, started) => {
  const { sent, starter } = starterWith('ExecutionAlreadyExists', { input })
  expect(await starter.start(start)).toBe(started)
  expect(sent[1]).toEqual({ executionArn: 'arn:aws:states:eu-west-1:123456789012:execution:sluice-sweep:daily-1' })
})

test.each([
  ['ThrottlingException', Transient],
  ['ExecutionLimitExceeded', Transient],
  ['TimeoutError', Transient],
  ['AccessDeniedException', OwnFault],
  ['StateMachineDoesNotExist', OwnFault],
  ['InvalidArn', Defect],
])('%s is reported by its name alone', async (name, kind) => {
  const error: unknown = await starterWith(name)
    .starter.start(start)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(kind)
  expect(String(error)).toContain(name)
  expect(String(error)).not.toContain('quote the input')
})

test('an execution that cannot be described may be tried again', async () => {
  await expect(starterWith('ExecutionAlreadyExists', 'ThrottlingException').starter.start(start)).rejects.toThrow(
    Transient,
  )
})

test('a machine that this function may not start is a defect of the deployment', async () => {
  const { starter } = starterWith({})
  await expect(starter.start({ ...start, stateMachine: StateMachine.Convert })).rejects.toThrow(Defect)
})
