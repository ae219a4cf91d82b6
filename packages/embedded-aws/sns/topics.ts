// Keeps the topics of the assembly, with the latest messages of each in memory. Answers SNS's
// API on the wire. Topics have no subscribers on this machine.
import { AwsError } from '../aws-error.ts'
import { findText, type RequestBody, type RestEndpoint, textOf } from '../endpoint/endpoint.ts'
import { isQueryOf, queryAnswer, queryRefusal } from '../endpoint/query.ts'

/** A topic, as its template declares it. */
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
/** AWS's maximum bytes of a message. */
const MOST_BYTES = 262_144
/**
 * AWS's form of a subject: fewer than 100 ASCII characters without line breaks and control characters. The first is a
 * letter, digit or sign.
 */
const SUBJECT = /^[\x21-\x7E][\x20-\x7E]{0,98}$/

export class Topics {
  readonly #published: ReadonlyMap<string, Published[]>
  readonly #newId: () => string

  constructor(topics: readonly TopicDefinition[], newId: () => string) {
    this.#published = new Map(topics.map(({ arn }) => [arn, []]))
    this.#newId = newId
  }

  /** Returns the message's id. Throws NotFound or InvalidParameter. */
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

  /** Returns the messages of a topic, by its name, oldest first. Throws NotFound. */
  published(name: string): readonly Published[] {
    for (const [arn, kept] of this.#published) if (arn.split(':').at(-1) === name) return [...kept]
    throw new AwsError('NotFound', 'Topic does not exist', 404)
  }
}

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/'

export function snsEndpoint(topics: Topics): RestEndpoint {
  return {
    service: 'sns',
    find(head) {
      if (!isQueryOf('sns', head)) return undefined
      return {
        operation: 'Publish',
        bodyOf: formOf,
        answerOf: (id) => queryAnswer(NAMESPACE, 'Publish', `<MessageId>${id}</MessageId>`),
        refusalOf: (error) => queryRefusal('sns', error),
      }
    },
    permissionsFor: (_operation, body) => [{ action: 'sns:Publish', resource: textOf(body, 'TopicArn') }],
    async perform(_operation, body) {
      const fields = { message: textOf(body, 'Message'), subject: findText(body, 'Subject') }
      return topics.publish(textOf(body, 'TopicArn'), fields)
    },
  }
}

const KNOWN = ['Action', 'Version', 'TopicArn', 'Message', 'Subject']

function formOf(payload: Buffer): RequestBody {
  const body = Object.fromEntries(new URLSearchParams(payload.toString()))
  if (body.Action !== 'Publish') throw new AwsError('InvalidAction', 'The embedded AWS supports only Publish')
  const other = Object.keys(body).find((name) => !KNOWN.includes(name))
  if (other !== undefined) throw new AwsError('InvalidParameter', `Invalid parameter: ${other} is not supported`)
  return body
}
