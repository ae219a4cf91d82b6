// A DynamoDB client for the embedded endpoint.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export function embeddedClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    // The embedded endpoint checks no signature; these name no role of the assembly.
    credentials: { accessKeyId: 'command-line', secretAccessKey: 'not-a-secret' },
  })
}
