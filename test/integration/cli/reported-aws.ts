// An AWS with arranged answers, by the protocol of each service: the first entry whose text is in a request answers it.
import { afterEach, beforeEach, vi } from 'vitest'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'

export interface Answer {
  readonly status?: number
  /** An object is sent as JSON, and a text unchanged. */
  readonly body: unknown
}
export type Answers = Readonly<Record<string, Answer>>

/** A refusal by its name. */
export const named = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'as it is told' } })

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call'
export const PINNED_PLACE = { account: '123456789012', region: 'eu-west-1' }

const policy = JSON.stringify({ Statement: [{ Principal: { Service: 'cloudwatch.amazonaws.com' } }] })
const entry = (key: string, value: string) =>
  `<entry><key>${key}</key><value>${value.replaceAll('"', '&quot;')}</value></entry>`

/** A topic on which CloudWatch may publish. */
export const topic = (subscribed: string, pending = '0'): Answer => ({
  body: `<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes>${entry('Policy', policy)}${entry('SubscriptionsConfirmed', subscribed)}${entry('SubscriptionsPending', pending)}</Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>`,
})

/** The answers of a new account without faults, by a text of the request. */
export const WELL: Answers = {
  'Action=GetCallerIdentity': {
    body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  },
  'AmazonSSM.GetParameter': { body: { Parameter: { Value: '21' } } },
  'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } } },
  'sluice-throw-switch/concurrency': named('ResourceNotFoundException'),
  'sluice-receive-webhook/concurrency': named('ResourceNotFoundException'),
  'DynamoDB_20120810.DescribeTable': named('ResourceNotFoundException'),
  'secretsmanager.DescribeSecret': named('ResourceNotFoundException'),
  'Action=GetRole': {
    status: 404,
    body: '<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>',
  },
  'Action=ListRoleTags': {
    status: 404,
    body: '<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>',
  },
  'Action=GetTopicAttributes': topic('2'),
}

/** For the tests of one file. @returns a function that sets the answers for the current test */
export function toldAws(): (answers: Answers) => void {
  let server: LocalServer
  let answers: Answers = {}
  beforeEach(async () => {
    server = await startLocalServer((request, response) => {
      const asked = `${request.headers['x-amz-target'] ?? ''} ${request.headers.authorization ?? ''} ${request.target} ${request.body.toString()}`
      const found =
        Object.entries(answers).find(([part]) => asked.includes(part))?.[1] ?? named('UnknownOperationException')
      response.writeHead(found.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body))
    })
    settingsOfAws(server.baseUrl)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.stop()
  })
  return (arranged) => {
    answers = arranged
  }
}
