// Tests a queue that feeds a function: in batches, again after a failure, and finally into the dead-letter queue.
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

test('a message is given to the function and deleted; a failed message comes again, alone, and is given up after three attempts', async () => {
  const { taken, options } = listening()
  const { aws, clock } = await boot(fixture(), options)
  for (const body of ['good', 'bad-1', 'fine']) await send(aws, body)
  await untilDelivered({ aws, clock })
  expect(taken.filter((body) => body === 'bad-1')).toHaveLength(3)
  // The queue's time passes while the function works, so the function may get these messages twice, as on AWS.
  expect(new Set(taken)).toEqual(new Set(['good', 'bad-1', 'fine']))
  expect(aws.queueMessages('work')).toEqual([])
  expect(aws.queueMessages('dead').map(({ body }) => body)).toEqual(['bad-1'])
  expect(aws.permissions().unused).toEqual([])
})

test('when a function throws, its whole batch comes again', async () => {
  const { taken, options } = listening()
  const { aws, clock } = await boot(fixture({ BatchSize: 1 }), options)
  await send(aws, 'crash')
  await untilDelivered({ aws, clock })
  expect(taken).toEqual(['crash', 'crash', 'crash'])
  expect(aws.queueMessages('dead')).toHaveLength(1)
})

test('a message that arrived while delivery was off is delivered after the next start with delivery', async () => {
  const { taken, options } = listening()
  const { aws, clock, again } = await boot(fixture(), { ...options, resume: false })
  await send(aws, 'early')
  await untilDelivered({ aws, clock })
  expect(taken).toEqual([])
  await untilDelivered({ aws: await again(options), clock })
  expect(taken).toEqual(['early'])
})

test.each([
  ['a role that may not delete messages', fixture({}, {}, ['sqs:ReceiveMessage']), /does not allow sqs:DeleteMessage/],
  [
    'a visibility timeout below the timeout of the function',
    fixture({}, { VisibilityTimeout: 10 }),
    /hides a message for 10 s/,
  ],
  ['a batch above 10 without a batching window', fixture({ BatchSize: 100 }), /BatchSize/],
  ['another response type', fixture({ FunctionResponseTypes: ['Other'] }), /Other is not supported/],
  ['a queue outside the assembly', fixture({ EventSourceArn: `${QUEUE_ARN}x` }), /not in the assembly/],
])('%s is refused at the boot, with the reason', async (_name, assembly, reason) => {
  await expect(boot(assembly)).rejects.toThrow(reason)
})
