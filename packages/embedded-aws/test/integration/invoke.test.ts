// Lambda through the SDK: a caller invokes a function and gets its answer. A failure of the function is an answer too.
import { InvokeCommand, type InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda'
import { expect, test } from 'vitest'
import { boot } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

const textOf = ({ Payload }: InvokeCommandOutput) => Buffer.from(Payload ?? []).toString('utf8')
const startLambda = async (...functions: string[]) => {
  const aws = await boot({ functions: Object.fromEntries(functions.map((name) => [name, {}])) })
  return { aws, lambda: clientOf(LambdaClient, aws) }
}

test('returns the result of the function, by name and by ARN', async () => {
  const { aws, lambda } = await startLambda('echo')
  const arn = aws.resources().functions[0]?.arn
  for (const FunctionName of ['echo', arn]) {
    const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: Buffer.from('{"a":"ä"}') }))
    expect({ ...answer, text: JSON.parse(textOf(answer)) }).toMatchObject({ StatusCode: 200, text: { a: 'ä' } })
    expect(answer.FunctionError).toBeUndefined()
  }
})

test('reports that the function failed, with its error', async () => {
  const { lambda } = await startLambda('fail')
  const answer = await lambda.send(new InvokeCommand({ FunctionName: 'fail' }))
  expect(answer.FunctionError).toBe('Unhandled')
  expect(JSON.parse(textOf(answer))).toMatchObject({ errorType: 'Transient', errorMessage: 'try again' })
})

test('refuses an unknown function, a payload that is not JSON, and an invocation without an answer', async () => {
  const { lambda } = await startLambda('echo')
  const refused = (input: ConstructorParameters<typeof InvokeCommand>[0]) =>
    lambda.send(new InvokeCommand(input)).catch((error: Error) => error.name)
  expect(await refused({ FunctionName: 'nobody' })).toBe('ResourceNotFoundException')
  expect(await refused({ FunctionName: 'echo', Payload: Buffer.from('{') })).toBe('InvalidRequestContentException')
  expect(await refused({ FunctionName: 'echo', InvocationType: 'Event' })).toBe('InvalidParameterValueException')
  expect(await refused({ FunctionName: 'echo', LogType: 'Tail' })).toBe('InvalidParameterValueException')
})
