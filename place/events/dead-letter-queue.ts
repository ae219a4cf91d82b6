// Reads the queue of dead letters with the API of SQS, on AWS or at a desk. A reader receives messages, which hides
// them from others for a minute, and shows them again at the end. Nothing is deleted except by `consume`. Source:
// Amazon SQS API reference, ReceiveMessage, ChangeMessageVisibility, DeleteMessage.
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { Clock } from '../../core/clock.ts'
import { DEAD_LETTER_QUEUE } from '../../core/contract/events.ts'
import { type AwsAddress, clientConfigAt, nameAt } from '../aws/aws-address.ts'
import { type DeadLetter, readDeadLetter } from './dead-letter.ts'

/** Maximum letters that are read. A longer queue is no list for a person. */
export const MOST_LETTERS = 1_000
/** SQS: maximum messages of one ReceiveMessage. */
const PAGE = 10
/** The read must end within this time. After it others see its letters again. */
const HIDDEN_SECONDS = 60
/** Without a wait SQS asks only some of its servers, and may miss messages. */
const WAIT_SECONDS = 1

export interface KeptLetter extends DeadLetter {
  /** ISO-8601 */
  readonly sentAt: string
  readonly ageSeconds: number
}

export interface DeadLetters {
  /** Oldest first. */
  readonly letters: readonly KeptLetter[]
  /** Whether the queue has more letters than were read. */
  readonly hasMore: boolean
  /** About how many letters another reader held when this read began. */
  readonly hidden: number
}

export interface DeadLetterQueue {
  look(most: number): Promise<DeadLetters>
  /**
   * Holds one letter while `work` runs, so that nobody else has it meanwhile, and deletes it if that succeeds.
   * Undefined where the queue has no such letter, or another reader holds it.
   */
  consume<Result>(letterId: string, work: (letter: KeptLetter) => Promise<Result>): Promise<Result | undefined>
  destroy(): void
}

interface Received {
  readonly message: Message
  readonly receiptHandle: string
  readonly letterId: string
}

export function createDeadLetterQueue(address: AwsAddress, clock: Clock): DeadLetterQueue {
  // The address in a queue's URL is AWS's own, even where an endpoint is configured.
  const client = new SQSClient({ ...clientConfigAt(address), useQueueUrlAsEndpoint: false })
  const QueueName = nameAt(address, DEAD_LETTER_QUEUE)
  let url: Promise<string> | undefined
  const queueUrl = () => {
    url ??= client.send(new GetQueueUrlCommand({ QueueName })).then(({ QueueUrl = '' }) => QueueUrl)
    return url
  }
  const letterOf = ({ message }: Received): KeptLetter => {
    const sentMs = Number(message.Attributes?.SentTimestamp ?? 0)
    const { MessageId: id = '', Body: body = '', MessageAttributes: attributes = {} } = message
    return {
      ...readDeadLetter({ id, body, attributes }),
      sentAt: new Date(sentMs).toISOString(),
      ageSeconds: Math.max(0, Math.floor((clock.nowMs() - sentMs) / 1000)),
    }
  }
  const count = async (name: Counted) => {
    const request = { QueueUrl: await queueUrl(), AttributeNames: [name] }
    const { Attributes = {} } = await client.send(new GetQueueAttributesCommand(request))
    return Number(Attributes[name] ?? 0)
  }
  const release = async ({ receiptHandle }: Received) => {
    const request = { QueueUrl: await queueUrl(), ReceiptHandle: receiptHandle, VisibilityTimeout: 0 }
    // If this fails, SQS shows the message again a minute later.
    await client.send(new ChangeMessageVisibilityCommand(request)).catch(() => undefined)
  }
  const releaseAll = async (received: Iterable<Received>) => {
    const left = [...received]
    while (left.length > 0) await Promise.all(left.splice(0, PAGE).map(release))
  }
  /** Receives until `isEnough`, the bound, or the end of the queue. The caller releases all of it. */
  const receive = async (into: Map<string, Received>, most: number, isEnough: () => boolean) => {
    const QueueUrl = await queueUrl()
    // A message may be delivered twice, so the turns are bounded, and not only the messages.
    for (let turn = 0; turn < Math.ceil(most / PAGE) * 2 && into.size < most && !isEnough(); turn += 1) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: Math.min(PAGE, most - into.size),
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageAttributeNames: ['All'],
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      )
      if (Messages.length === 0) return
      for (const message of Messages) {
        const { MessageId: letterId = '', ReceiptHandle: receiptHandle = '' } = message
        into.set(letterId, { message, receiptHandle, letterId })
      }
    }
  }
  return {
    async look(most) {
      const received = new Map<string, Received>()
      const hidden = await count('ApproximateNumberOfMessagesNotVisible')
      try {
        await receive(received, most, () => false)
        const isFull = received.size >= most
        const hasMore = isFull && (await count('ApproximateNumberOfMessages')) > 0
        const letters = [...received.values()].map(letterOf)
        return { letters: letters.toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1)), hasMore, hidden }
      } finally {
        await releaseAll(received.values())
      }
    },
    async consume(letterId, work) {
      const received = new Map<string, Received>()
      try {
        await receive(received, MOST_LETTERS, () => received.has(letterId))
        const found = received.get(letterId)
        if (found === undefined) return undefined
        const result = await work(letterOf(found))
        const request = { QueueUrl: await queueUrl(), ReceiptHandle: found.receiptHandle }
        await client.send(new DeleteMessageCommand(request))
        received.delete(letterId)
        return result
      } finally {
        await releaseAll(received.values())
      }
    },
    destroy: () => client.destroy(),
  }
}

type Counted = 'ApproximateNumberOfMessages' | 'ApproximateNumberOfMessagesNotVisible'
