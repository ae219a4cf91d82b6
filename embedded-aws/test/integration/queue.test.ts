// The SQS API of the dead-letter queue on the wire.
import { expect, test } from 'vitest'
import { boot, call, QUEUE_ONLY, QUEUE_URL } from './fixture/event-assemblies.ts'

test('the queue’s API sends, receives, counts and deletes', async () => {
  const { aws } = await boot({ resources: QUEUE_ONLY })
  const QueueUrl = QUEUE_URL
  const sent = await call(aws, 'AmazonSQS.SendMessage', {
    QueueUrl,
    MessageBody: 'hello',
    MessageAttributes: { WHY: { DataType: 'String', StringValue: 'x' } },
  })
  expect(sent.body).toEqual({ MessageId: expect.any(String), MD5OfMessageBody: '5d41402abc4b2a76b9719d911017c592' })
  const count = async () =>
    (await call(aws, 'AmazonSQS.GetQueueAttributes', { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }))
      .body
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '1' } })
  const received = await call(aws, 'AmazonSQS.ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })
  const [message] = (received.body as { readonly Messages: readonly { readonly ReceiptHandle: string }[] }).Messages
  expect(message).toMatchObject({ Body: 'hello', MessageAttributes: { WHY: { StringValue: 'x' } } })
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '0' } })
  await call(aws, 'AmazonSQS.DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle })
  expect(aws.queueMessages('dead')).toEqual([])
  expect(await call(aws, 'AmazonSQS.GetQueueUrl', { QueueName: 'dead' })).toMatchObject({ body: { QueueUrl } })
  expect(await call(aws, 'AmazonSQS.SendMessage', { QueueUrl: `${QueueUrl}x`, MessageBody: 'b' })).toMatchObject({
    status: 400,
    body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' },
  })
})
