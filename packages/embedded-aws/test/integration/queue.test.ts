// Tests the SQS API of the dead-letter queue over HTTP.
import { expect, test } from 'vitest'
import { boot, QUEUE_ONLY, QUEUE_URL } from './fixture/event-assemblies.ts'
import { ask } from './fixture/signed.ts'

test('the queue’s API sends, receives, counts and deletes', async () => {
  const { aws } = await boot({ resources: QUEUE_ONLY })
  const QueueUrl = QUEUE_URL
  const sent = await ask(aws, 'AmazonSQS.SendMessage', {
    QueueUrl,
    MessageBody: 'hello',
    MessageAttributes: { WHY: { DataType: 'String', StringValue: 'x' } },
  })
  expect(sent.body).toEqual({
    MessageId: expect.any(String),
    MD5OfMessageBody: '5d41402abc4b2a76b9719d911017c592',
    MD5OfMessageAttributes: '66961df9dd9a21ffc91fe952ac88500f',
  })
  const count = async () =>
    (await ask(aws, 'AmazonSQS.GetQueueAttributes', { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })).body
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '1' } })
  const named = { MessageAttributeNames: ['WH.*'], AttributeNames: ['SentTimestamp'] }
  const received = await ask(aws, 'AmazonSQS.ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...named })
  const firstOf = ({ body }: { readonly body: unknown }) =>
    (body as { readonly Messages: readonly { readonly ReceiptHandle: string }[] }).Messages[0]
  const message = firstOf(received)
  expect(message).toEqual({
    ...{
      Body: 'hello',
      MessageId: expect.any(String),
      ReceiptHandle: expect.any(String),
      MD5OfBody: expect.any(String),
    },
    Attributes: { SentTimestamp: expect.any(String) },
    MessageAttributes: { WHY: { DataType: 'String', StringValue: 'x' } },
    MD5OfMessageAttributes: '66961df9dd9a21ffc91fe952ac88500f',
  })
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '0' } })
  const shown = { QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 0 }
  expect(await ask(aws, 'AmazonSQS.ChangeMessageVisibility', shown)).toMatchObject({ status: 200 })
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '1' } })
  const seen = await ask(aws, 'AmazonSQS.ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 })
  expect(Object.keys(firstOf(seen) ?? {})).toEqual(['MessageId', 'ReceiptHandle', 'MD5OfBody', 'Body'])
  expect(await ask(aws, 'AmazonSQS.DeleteMessage', { QueueUrl, ReceiptHandle: 'x' })).toMatchObject({
    body: { __type: 'ReceiptHandleIsInvalid' },
  })
  await ask(aws, 'AmazonSQS.DeleteMessage', { QueueUrl, ReceiptHandle: firstOf(seen)?.ReceiptHandle })
  expect(aws.queueMessages('dead')).toEqual([])
  expect(await ask(aws, 'AmazonSQS.GetQueueUrl', { QueueName: 'dead' })).toMatchObject({ body: { QueueUrl } })
  expect(await ask(aws, 'AmazonSQS.SendMessage', { QueueUrl: `${QueueUrl}x`, MessageBody: 'b' })).toMatchObject({
    status: 400,
    body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' },
  })
})
