// Describes the journal's table as the assembly declares it, for tests that create one without a deployment.
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  JOURNAL_TABLE,
  LISTED_INDEX,
  LISTED_KEY,
  RECORD_KEY,
} from '../../core/contract/records.ts'

const PROJECTION = { Projection: { ProjectionType: 'KEYS_ONLY' } } as const

const LISTED = {
  IndexName: LISTED_INDEX,
  KeySchema: [{ AttributeName: LISTED_KEY, KeyType: 'HASH' }],
  ...PROJECTION,
} as const

const ASKED = {
  IndexName: ASKED_INDEX,
  KeySchema: [
    { AttributeName: ASKED_KEY, KeyType: 'HASH' },
    { AttributeName: ASKED_AT_KEY, KeyType: 'RANGE' },
  ],
  ...PROJECTION,
} as const

function schema(attributes: readonly string[], indexes: readonly (typeof LISTED | typeof ASKED)[]) {
  return {
    KeySchema: [{ AttributeName: RECORD_KEY, KeyType: 'HASH' as const }],
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
    GlobalSecondaryIndexes: indexes.map((index) => ({ ...index, KeySchema: [...index.KeySchema] })),
    BillingMode: 'PAY_PER_REQUEST' as const,
  }
}

export const JOURNAL_SCHEMA = schema([RECORD_KEY, LISTED_KEY, ASKED_KEY, ASKED_AT_KEY], [LISTED, ASKED])

export const JOURNAL_DEFINITION = {
  name: JOURNAL_TABLE,
  arn: 'arn:aws:dynamodb:us-east-1:123456789012:table/sluice-journal',
  createTable: JOURNAL_SCHEMA,
}
