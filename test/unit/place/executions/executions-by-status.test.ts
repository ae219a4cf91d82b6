// Failed executions are listed in the same way with the SDK and without it, over a real socket.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { awsExecutions } from '../../../../place/executions/aws-executions.ts'
import { withExecutionsOf } from '../../../../place/executions/known-executions.ts'

const arnOf = (name: string) => `arn:aws:states:us-east-1:123456789012:stateMachine:${name}`
const FAILED = ['f-1', 'f-2', 'f-3']

interface Asked {
  readonly target: string
  readonly signedFor: string | undefined
  readonly body: { readonly statusFilter?: string; readonly maxResults?: number; readonly nextToken?: string }
}

/** Every list comes in pages of one entry. */
async function desk() {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target'])
    const [, signedFor] = /\/us-east-1\/([a-z]+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? []
    const body: Asked['body'] = JSON.parse(await text(request))
    asked.push({ target, signedFor, body })
    const at = Number(body.nextToken ?? 0)
    const names = target.endsWith('.ListStateMachines')
      ? Object.values(StateMachine)
      : FAILED.map((name) => `${name}-${body.statusFilter}`)
    const entry = { name: names[at], stateMachineArn: arnOf(String(names[at])), startDate: 1_795_000_000 }
    const nextToken = at + 1 < names.length ? { nextToken: String(at + 1) } : {}
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.end(JSON.stringify({ stateMachines: [entry], executions: [entry], ...nextToken }))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const endpointUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  return { asked, access: { endpointUrl, region: 'us-east-1', credentials } }
}

test.each([2, 500])('of %i failures at most, the SDK and the bare requests list the same', async (limit) => {
  const bare = await desk()
  const sdk = await desk()
  const executions = awsExecutions(sdk.access)
  onTestFinished(() => executions.destroy())
  const listed = await withExecutionsOf(bare.access, ({ listExecutions }) =>
    listExecutions(StateMachine.Withdraw, 'failed', limit),
  )
  expect(listed.names.filter((name) => name.endsWith('-ABORTED'))).toEqual(
    FAILED.slice(0, limit).map((name) => `${name}-ABORTED`),
  )
  expect(listed).toEqual(await executions.listExecutions(StateMachine.Withdraw, 'failed', limit))
  expect(listed.isCutOff).toBe(limit < FAILED.length)
  const sorted = ({ asked }: typeof bare) => asked.map((each) => JSON.stringify(each)).sort()
  expect(sorted(bare)).toEqual(sorted(sdk))
  expect(new Set(bare.asked.map(({ signedFor }) => signedFor))).toEqual(new Set(['states']))
})
