// A queue whose messages a function is handed: in batches, again after a failure, and into the dead-letter queue in the end.
import { expect, test } from 'vitest'
import type { EmbeddedAws } from '../../embedded-aws.ts'
import { ACCOUNT, type AssemblyFixture, REGION } from './fixture/assembly.ts'
import { allow, boot, untilDelivered } from './fixture/event-assemblies.ts'
import { ask } from './fixture/signed.ts'

const QUEUE_ARN = `arn:aws:sqs:${REGION}:${ACCOUNT}:work`
const QueueUrl = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/work`
const POLLING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']

function fixture(mapping: object = {}, queue: object = {}, actions: readonly string[] = POLLING): AssemblyFixture {
  return {
    functions: { take: { timeoutSeconds: 20, statements: [allow(actions, QUEUE_ARN)] } },
    resources: {
      Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
      Work: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          QueueName: 'work',
          VisibilityTimeout: 60,
          RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
          ...queue,
        },
      },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
          FunctionName: { Ref: 'Functiontake' },
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: 2 },
          ...mapping,
        },
      },
    },
  }
}

const send = (aws: EmbeddedAws, MessageBody: string) => ask(aws, 'AmazonSQS.SendMessage', { QueueUrl, MessageBody })

function listening() {
  const taken: string[] = []
  const onFunctionLog = (_name: string, line: string) => {
    taken.push(...(/^took .*/m.exec(line)?.[0].slice(5).split('\n') ?? []))
  }
  return { taken, options: { onFunctionLog } }
}

test('a message is handed to the function and deleted; one that it fails on comes again, alone, and is given up after three times', async () => {
  const { taken, options } = listening()
  const { aws, clock } = await boot(fixture(), options)
  for (const body of ['good', 'bad-1', 'fine']) await send(aws, body)
  await untilDelivered({ aws, clock })
  expect(taken.filter((body) => body === 'bad-1')).toHaveLength(3)
  // Time passes for the queue while the function is at work: it may see these twice, as on AWS.
  expect(new Set(taken)).toEqual(new Set(['good', 'bad-1', 'fine']))
  expect(aws.queueMessages('work')).toEqual([])
  expect(aws.queueMessages('dead').map(({ body }) => body)).toEqual(['bad-1'])
  expect(aws.permissions().unused).toEqual([])
})

test('a function that throws has taken nothing of its batch', async () => {
  const { taken, options } = listening()
  const { aws, clock } = await boot(fixture({ BatchSize: 1 }), options)
  await send(aws, 'crash')
  await untilDelivered({ aws, clock })
  expect(taken).toEqual(['crash', 'crash', 'crash'])
  expect(aws.queueMessages('dead')).toHaveLength(1)
})

test('what came while nobody went on is handed over at the next start that goes on', async () => {
  const { taken, options } = listening()
  const { aws, clock, again } = await boot(fixture(), { ...options, resume: false })
  await send(aws, 'early')
  await untilDelivered({ aws, clock })
  expect(taken).toEqual([])
  await untilDelivered({ aws: await again(options), clock })
  expect(taken).toEqual(['early'])
})

test.each([
  ['a role that may not take', fixture({}, {}, ['sqs:ReceiveMessage']), /does not allow sqs:DeleteMessage/],
  [
    'a time that is shorter than the function may run',
    fixture({}, { VisibilityTimeout: 10 }),
    /hides a message for 10 s/,
  ],
  ['a batch without a window', fixture({ BatchSize: 100 }), /BatchSize/],
  ['another answer', fixture({ FunctionResponseTypes: ['Other'] }), /Other is not supported/],
  ['a queue of others', fixture({ EventSourceArn: `${QUEUE_ARN}x` }), /not in the assembly/],
])('%s is refused at the boot, with what is wrong', async (_what, given, complaint) => {
  await expect(boot(given)).rejects.toThrow(complaint)
})
