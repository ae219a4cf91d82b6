// Sends the journal's requests with the SDK. It names each command, so that a bundle has no others.
import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import type { TableClient } from './dynamo-table.ts'

export function sdkTableClient(client: DynamoDBClient): TableClient {
  return {
    describeTable: (input) => client.send(new DescribeTableCommand(input)),
    getItem: (input) => client.send(new GetItemCommand(input)),
    putItem: (input) => client.send(new PutItemCommand(input)),
    query: (input) => client.send(new QueryCommand(input)),
  }
}
