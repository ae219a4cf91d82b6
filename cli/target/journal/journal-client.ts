// A client for the journal of an embedded AWS, and the scan that reads every record of one kind, such as every intent.
// The scan is for people's tools: the functions have no permission for it.
import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { JOURNAL_TABLE, RECORD_KEY, recordKey } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import { type Halt, haltOfRecord } from '../../../core/journal/halts.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { intentOfRecord } from '../../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../../../core/keys/aws-limits.ts'
import type { EndpointAccess } from '../../../embedded-aws/embedded-aws.ts'

export function embeddedClient(address: EndpointAccess): DynamoDBClient {
  return new DynamoDBClient(clientConfigOf(address))
}

/** The journal at a desk, or on AWS. */
export type JournalAddress = EndpointAccess | 'AWS'

export function journalClient(address: JournalAddress): DynamoDBClient {
  return address === 'AWS' ? new DynamoDBClient(requestLimits(AWS_LIMITS)) : embeddedClient(address)
}

/** Two attempts of at most 5 s each: a desk answers at once, or is suspended. */
const DESK_LIMITS: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 5_000, attempts: 2 }

/** For the AWS SDK's clients. */
export function clientConfigOf({ endpointUrl, region, credentials }: EndpointAccess) {
  return { endpoint: endpointUrl, region, credentials, ...requestLimits(DESK_LIMITS) }
}

/** A page holds up to 1 MB, so this is some hundred thousand intents. */
const MOST_PAGES = 100
const TOO_LONG = `the journal has more than ${MOST_PAGES} pages`

/**
 * Every record whose key begins with `prefix`, or with one of several, in no order; the others are not sent over.
 * @throws what `tooLong` makes of it, where the journal has more than 100 pages
 */
export async function* scanRecords(
  client: DynamoDBClient,
  prefix: string | readonly string[],
  tooLong: (message: string) => Error,
): AsyncGenerator<StoredRecord, void> {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix
  let from: ScanCommandOutput['LastEvaluatedKey']
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: ScanCommandOutput = await client.send(
      new ScanCommand({
        TableName: JOURNAL_TABLE,
        ConsistentRead: true,
        ExclusiveStartKey: from,
        FilterExpression: prefixes.map((_, index) => `begins_with(#key, :prefix${index})`).join(' OR '),
        ExpressionAttributeNames: { '#key': RECORD_KEY },
        ExpressionAttributeValues: Object.fromEntries(prefixes.map((text, index) => [`:prefix${index}`, { S: text }])),
      }),
    )
    // Whoever reads a record holds it against its format.
    for (const item of answer.Items ?? []) yield unmarshall(item) as StoredRecord
    from = answer.LastEvaluatedKey
    if (from === undefined) return
  }
  throw tooLong(TOO_LONG)
}

/** What is done about a record that is no intent as this release knows them. */
export type OnMisfit = (misfit: Defect) => void

function refuse(misfit: Defect): never {
  throw misfit
}

/** Throws where the journal has more than 100 pages, and, unless `onMisfit` takes it, for a record that does not fit. */
export async function scanIntents(client: DynamoDBClient, onMisfit: OnMisfit = refuse): Promise<Intent[]> {
  const intents: Intent[] = []
  for await (const record of scanRecords(client, recordKey.intent(''), (message) => new Error(message))) {
    const intent = intentIn(record, onMisfit)
    if (intent !== undefined) intents.push(intent)
  }
  return intents
}

/** Every halt in force, the oldest first. Throws where the journal has more than 100 pages. */
export async function scanHalts(client: DynamoDBClient): Promise<Halt[]> {
  const halts: Halt[] = []
  for await (const record of scanRecords(client, recordKey.halt(''), (message) => new Error(message))) {
    const halt = haltOfRecord(record)
    if (halt !== undefined) halts.push(halt)
  }
  const orderOf = ({ at, scope }: Halt) => `${at} ${scope}`
  return halts.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

function intentIn(record: StoredRecord, onMisfit: OnMisfit): Intent | undefined {
  try {
    return intentOfRecord(record)
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    onMisfit(error)
    return undefined
  }
}
