// Notices have only the permissions that they need, keep secrets out of the environment, and are not lost silently.
import type { Template } from 'aws-cdk-lib/assertions'
import { beforeAll, expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { type Notice, NoticeShape } from '../../core/contract/notices.ts'
import { synthesizeTemplates } from './assembly.ts'
import { permissionsOf } from './permissions.ts'

const NOTICES: Notice[] = [
  { name: 'chat', to: { webhook: { secret: 'hook/chat', shape: NoticeShape.Slack } }, about: ['waits-for-approval'] },
  { name: 'mail', to: { sns: ['mailto:a@example.com'] }, about: ['halted', 'needs-a-person'] },
]

let told: Template
let bare: Template
beforeAll(() => {
  told = synthesizeTemplates({ notices: NOTICES }).triggers
  bare = synthesizeTemplates().triggers
})

const resources = (type: string, of = told) => Object.values(of.findResources(type)).map(({ Properties }) => Properties)
const notify = () => resources('AWS::Lambda::Function').find(({ FunctionName }) => FunctionName === 'sluice-notify')
const rule = (name: string) => resources('AWS::Events::Rule').find(({ Name }) => Name === name)
const queue = () => resources('AWS::SQS::Queue').find(({ QueueName }) => QueueName === 'sluice-notices')

test('without notices their resources do not exist', () => {
  const statements = Object.values(bare.findResources('AWS::IAM::Policy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement as { Effect: string }[],
  )
  expect(JSON.stringify(bare.toJSON())).not.toMatch(/otice|otify|AWS::SNS/)
  // Every role has a statement that denies it to another function.
  expect(JSON.stringify(statements.filter(({ Effect }) => Effect === 'Allow'))).not.toContain('sns:')
})

test('Notify may take from its queue, read the secrets of its webhooks and publish to its topics, and nothing else', () => {
  const nameOf = (resource: unknown) =>
    /secret:[a-z/]+|:sns:.*(sluice-notice-[a-z]+)|NoticesQueue|NotifyLog/.exec(JSON.stringify(resource))?.at(0) ?? '?'
  const role = notify()?.Role['Fn::GetAtt'][0]
  const own = permissionsOf(told, role, nameOf).filter((each) => !/xray:|logs:/.test(each))
  expect(own).toEqual([
    'secretsmanager:GetSecretValue → secret:hook/chat',
    expect.stringMatching(/^sns:Publish → :sns:.*sluice-notice-mail/),
    'sqs:DeleteMessage → NoticesQueue',
    'sqs:GetQueueAttributes → NoticesQueue',
    'sqs:ReceiveMessage → NoticesQueue',
  ])
})

test('its environment names no secret and no journal, and forbids receivers on the same machine', () => {
  const names = Object.keys(notify()?.Environment.Variables)
  expect(names.sort()).toEqual([Environment.TopicPrefix, Environment.TreasuryFile])
})

test('a rule passes only events with a notice, and only from Sluice', () => {
  const told = { source: ['sluice'], 'detail-type': ['Policy Run Ended', 'Approval Awaited'] }
  expect(rule('sluice-notice-chat')?.EventPattern).toEqual(told)
  expect(rule('sluice-notice-mail')?.EventPattern['detail-type']).toEqual([
    ...['Sending Halted', 'Sending Resumed'],
    ...['Conversion Ended', 'Withdrawal Ended', 'Policy Run Ended', 'Payout File Refused'],
  ])
  const [target] = rule('sluice-notice-chat')?.Targets ?? []
  expect(target.DeadLetterConfig).toBeDefined()
  expect(JSON.stringify(target.InputTransformer)).toContain('chat')
})

test('an undelivered notice is repeated for an hour, and is then a dead letter', () => {
  expect(queue()?.RedrivePolicy.maxReceiveCount * queue()?.VisibilityTimeout).toBe(3600)
  expect(JSON.stringify(queue()?.RedrivePolicy.deadLetterTargetArn)).toContain('DeadLetters')
  expect(queue()?.VisibilityTimeout).toBe(6 * notify()?.Timeout)
})

test('a topic is encrypted, requires TLS, and has the addresses of treasury.json', () => {
  expect(resources('AWS::SNS::Topic')).toEqual([
    { TopicName: 'sluice-notice-mail', DisplayName: 'Sluice', KmsMasterKeyId: 'alias/aws/sns' },
  ])
  expect(JSON.stringify(resources('AWS::SNS::TopicPolicy'))).toContain('aws:SecureTransport')
  expect(resources('AWS::SNS::Subscription')).toMatchObject([{ Endpoint: 'a@example.com', Protocol: 'email' }])
})
