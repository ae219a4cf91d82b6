// Tests a rule whose target is a queue, and topics that receive messages.
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { describe, expect, test } from 'vitest'
import { ACCOUNT, type AssemblyFixture, REGION } from './fixture/assembly.ts'
import { clientOf } from './fixture/clients.ts'
import { BUS, boot, rule, untilDelivered } from './fixture/event-assemblies.ts'

const TOPIC_ARN = `arn:aws:sns:${REGION}:${ACCOUNT}:notices`

interface PolicyChanges {
  readonly principal?: string
  readonly condition?: unknown
  /** Statements besides the one that admits the rule. */
  readonly more?: readonly unknown[]
}

const WORK_ARN = { 'Fn::GetAtt': ['Work', 'Arn'] }
const RULE_ARN = { 'Fn::GetAtt': ['Rule', 'Arn'] }

function fixture({
  condition = { ArnEquals: { 'aws:SourceArn': RULE_ARN } },
  more = [],
  principal = 'events.amazonaws.com',
}: PolicyChanges = {}): AssemblyFixture {
  return {
    functions: { echo: {} },
    resources: {
      Bus: BUS,
      Work: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work' } },
      WorkPolicy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: [{ Ref: 'Work' }],
          PolicyDocument: {
            Statement: [
              {
                ...{
                  Effect: 'Allow',
                  Principal: { Service: principal },
                  Action: 'sqs:SendMessage',
                  Resource: WORK_ARN,
                },
                Condition: condition,
              },
              ...more,
            ],
          },
        },
      },
      Rule: rule({
        Arn: WORK_ARN,
        InputTransformer: { InputPathsMap: { all: '$' }, InputTemplate: '{"to":"ops","event":<all>}' },
      }),
      Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'notices', KmsMasterKeyId: 'alias/aws/sns' } },
    },
  }
}

test('an event goes into the target queue of its rule, transformed by the rule', async () => {
  const { aws, clock } = await boot(fixture())
  await aws.putEvents([{ EventBusName: 'sluice', Source: 'treasury', DetailType: 'Ended', Detail: '{"n":1}' }])
  await untilDelivered({ aws, clock })
  const bodies = aws.queueMessages('work').map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([{ to: 'ops', event: { 'detail-type': 'Ended', detail: { n: 1 } } }])
})

test('a queue that does not admit the rule is refused at the boot', async () => {
  const admitted = boot(fixture({ principal: 'lambda.amazonaws.com' }))
  await expect(admitted).rejects.toThrow(/no AWS::SQS::QueuePolicy lets events/)
})

test('a queue admits the rules that a pattern of ArnLike matches, and no other rule', async () => {
  const matching = (source: string) =>
    boot(fixture({ condition: { ArnLike: { 'aws:SourceArn': `arn:aws:events:${REGION}:${ACCOUNT}:rule/${source}` } } }))
  await expect(matching('sluice/*')).resolves.toBeDefined()
  await expect(matching('other/*')).rejects.toThrow(/no AWS::SQS::QueuePolicy lets events/)
})

test('a wildcard in StringEquals is refused, because AWS compares it literally', async () => {
  const condition = { StringEquals: { 'aws:SourceArn': `arn:aws:events:${REGION}:${ACCOUNT}:rule/*` } }
  await expect(boot(fixture({ condition }))).rejects.toThrow(/StringEquals takes wildcards literally/)
})

describe('the policy of a queue is refused at the boot', () => {
  const admits = (changes: object = {}) => ({
    ...{ Effect: 'Allow', Principal: { Service: 'events.amazonaws.com' }, Action: 'sqs:SendMessage' },
    ...{ Resource: WORK_ARN, ...changes },
  })
  const times = (count: number, statement: unknown) => Array.from({ length: count }, () => statement)
  const conditional = admits({ Condition: { ArnEquals: { 'aws:SourceArn': RULE_ARN } } })

  test.each([
    ['11 conditions', times(10, conditional), 'has 11 conditions; SQS takes 10'],
    ['21 statements', times(20, admits()), 'has 21 statements; SQS takes 20'],
    ['51 principals', [admits({ Principal: { Service: times(50, 'events.amazonaws.com') } })], 'has 51 principals'],
    ['8 actions in a statement', [admits({ Action: times(8, 'sqs:SendMessage') })], 'has 8 actions of a statement'],
    ['more than 8,192 bytes', [admits({ Sid: 'x'.repeat(8_000) })], 'bytes; SQS takes 8192'],
  ])('with %s', async (_name, more, fault) => {
    await expect(boot(fixture({ more }))).rejects.toThrow(fault)
  })

  test('and accepted with 10 conditions', async () => {
    await expect(boot(fixture({ more: times(9, conditional) }))).resolves.toBeDefined()
  })
})

test('a message to a topic is kept, with its subject', async () => {
  const { aws } = await boot(fixture())
  const sns = clientOf(SNSClient, aws)
  const message = 'one & <two>\nü'
  const { MessageId } = await sns.send(new PublishCommand({ TopicArn: TOPIC_ARN, Subject: 'Sluice', Message: message }))
  expect(aws.publishedTo('notices')).toEqual([{ id: MessageId, subject: 'Sluice', message }])
})

test.each([
  ['another topic', { TopicArn: `${TOPIC_ARN}x`, Message: 'm' }, 'NotFoundException'],
  ['a subject of two lines', { TopicArn: TOPIC_ARN, Message: 'm', Subject: 'a\nb' }, 'InvalidParameterException'],
  ['an empty message', { TopicArn: TOPIC_ARN, Message: '' }, 'InvalidParameterException'],
])('%s is refused with the error name of AWS', async (_name, input, name) => {
  const { aws } = await boot(fixture())
  await expect(clientOf(SNSClient, aws).send(new PublishCommand(input))).rejects.toMatchObject({ name })
})
