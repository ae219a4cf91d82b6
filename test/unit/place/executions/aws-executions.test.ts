// A failed look-up of state machines does not stay failed.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { awsExecutions } from '../../../../place/executions/aws-executions.ts'

let server: Server
afterEach(() => server.close())

const ARN = `arn:aws:states:us-east-1:123456789012:stateMachine:${StateMachine.Convert}`
const LIST = { stateMachines: [{ name: StateMachine.Convert, stateMachineArn: ARN, type: 'STANDARD' }] }

/** Refuses the first request, and answers all later ones. */
async function refusingOnce(): Promise<string> {
  let isFirst = true
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.statusCode = isFirst ? 400 : 200
    response.end(JSON.stringify(isFirst ? { __type: 'AccessDeniedException', message: 'not yet' } : LIST))
    isFirst = false
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a failed look-up of the state machines is repeated', async () => {
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  const executions = awsExecutions({ endpointUrl: await refusingOnce(), region: 'us-east-1', credentials })
  await expect(executions.arnOf(StateMachine.Convert)).rejects.toThrow('not yet')
  await expect(executions.arnOf(StateMachine.Convert)).resolves.toBe(ARN)
  executions.destroy()
})
