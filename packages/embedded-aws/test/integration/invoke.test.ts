// Lambda as the SDK sees it: a function is invoked for its answer, and its failure is an answer, too.
import { InvokeCommand, type InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda'
import { expect, test } from 'vitest'
import { boot } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

const textOf = ({ Payload }: InvokeCommandOutput) => Buffer.from(Payload ?? []).toString('utf8')
const client = async (...functions: string[]) => {
  const aws = await boot({ functions: Object.fromEntries(functions.map((name) => [name, {}])) })
  return { aws, lambda: clientOf(LambdaClient, aws) }
}

test('gives what the function gave, by its name and by its ARN', async () => {
  const { aws, lambda } = await client('echo')
  const arn = aws.resources().functions[0]?.arn
  for (const FunctionName of ['echo', arn]) {
    const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: Buffer.from('{"a":"ä"}') }))
    expect({ ...answer, text: JSON.parse(textOf(answer)) }).toMatchObject({ StatusCode: 200, text: { a: 'ä' } })
    expect(answer.FunctionError).toBeUndefined()
  }
})

test('says that the function failed, and with which error', async () => {
  const { lambda } = await client('fail')
  const answer = await lambda.send(new InvokeCommand({ FunctionName: 'fail' }))
  expect(answer.FunctionError).toBe('Unhandled')
  expect(JSON.parse(textOf(answer))).toMatchObject({ errorType: 'Transient', errorMessage: 'try again' })
})

test('refuses a function that is not there, a payload that is no JSON, and an invocation without an answer', async () => {
  const { lambda } = await client('echo')
  const refused = (input: ConstructorParameters<typeof InvokeCommand>[0]) =>
    lambda.send(new InvokeCommand(input)).catch((error: Error) => error.name)
  expect(await refused({ FunctionName: 'nobody' })).toBe('ResourceNotFoundException')
  expect(await refused({ FunctionName: 'echo', Payload: Buffer.from('{') })).toBe('InvalidRequestContentException')
  expect(await refused({ FunctionName: 'echo', InvocationType: 'Event' })).toBe('InvalidParameterValueException')
})
