// The topics of the assembly, and what was published to each. Nobody is subscribed to one on this machine: the latest
// messages are kept in memory, for whoever looks.
import { AwsError } from '../aws-error.ts'

/** From the template. */
export interface TopicDefinition {
  readonly name: string
  readonly arn: string
}

export interface Published {
  readonly id: string
  readonly subject: string | undefined
  readonly message: string
}

const MOST_KEPT = 100
/** AWS: the longest message. */
const MOST_BYTES = 262_144
/** AWS: ASCII without line breaks and control characters, fewer than 100 characters, the first a letter, digit or sign. */
const SUBJECT = /^[\x21-\x7E][\x20-\x7E]{0,98}$/

export class Topics {
  readonly #published: ReadonlyMap<string, Published[]>
  readonly #newId: () => string

  constructor(topics: readonly TopicDefinition[], newId: () => string) {
    this.#published = new Map(topics.map(({ arn }) => [arn, []]))
    this.#newId = newId
  }

  /** Gives the message's id. Throws NotFound or InvalidParameter. */
  publish(topicArn: string, { message, subject }: Omit<Published, 'id'>): string {
    const kept = this.#published.get(topicArn)
    if (kept === undefined) throw new AwsError('NotFound', 'Topic does not exist', 404)
    if (message === '') throw new AwsError('InvalidParameter', 'Invalid parameter: Empty message')
    if (Buffer.byteLength(message) > MOST_BYTES)
      throw new AwsError('InvalidParameter', 'Invalid parameter: Message too long')
    if (subject !== undefined && !SUBJECT.test(subject))
      throw new AwsError('InvalidParameter', 'Invalid parameter: Subject')
    const id = this.#newId()
    kept.push({ id, subject, message })
    if (kept.length > MOST_KEPT) kept.shift()
    return id
  }

  /** Of a topic, by its name, oldest first. Throws NotFound. */
  published(name: string): readonly Published[] {
    for (const [arn, kept] of this.#published) if (arn.split(':').at(-1) === name) return [...kept]
    throw new AwsError('NotFound', 'Topic does not exist', 404)
  }
}
