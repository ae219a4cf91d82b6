// A rule whose target is a queue, and topics that receive messages.
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { expect, test } from 'vitest'
import { ACCOUNT, type AssemblyFixture, REGION } from './fixture/assembly.ts'
import { clientOf } from './fixture/clients.ts'
import { BUS, boot, rule, untilDelivered } from './fixture/event-assemblies.ts'

const TOPIC_ARN = `arn:aws:sns:${REGION}:${ACCOUNT}:notices`

function fixture(principal = 'events.amazonaws.com'): AssemblyFixture {
  const WORK_ARN = { 'Fn::GetAtt': ['Work', 'Arn'] }
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
                Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': ['Rule', 'Arn'] } } },
              },
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
  await expect(boot(fixture('lambda.amazonaws.com'))).rejects.toThrow(/no AWS::SQS::QueuePolicy lets events/)
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
