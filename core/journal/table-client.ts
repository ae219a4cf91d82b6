// Defines the requests that the journal sends to its table. They have the names and shapes of the SDK's class `DynamoDB`. So a
// command that only looks at a desk of this machine can send them without the SDK, and every reader stays the same.
import type {
  DescribeTableInput,
  DescribeTableOutput,
  GetItemInput,
  GetItemOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
} from '@aws-sdk/client-dynamodb'

export interface TableClient {
  describeTable(input: DescribeTableInput): Promise<DescribeTableOutput>
  getItem(input: GetItemInput): Promise<GetItemOutput>
  putItem(input: PutItemInput): Promise<PutItemOutput>
  query(input: QueryInput): Promise<QueryOutput>
}
