// Builds the SDK's client for the journal of AWS or of an embedded AWS.
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { EndpointAccess } from '@sluice/embedded-aws'
import {
  type AwsAddress,
  clientConfigAt,
  clientConfigOf,
  decisionKeyAt,
  journalAt,
  type KeyedTable,
} from '../aws/aws-address.ts'

export function embeddedClient(address: EndpointAccess): DynamoDB {
  return new DynamoDB(clientConfigOf(address))
}

/** The caller destroys the client. */
export function journalTable(address: AwsAddress): KeyedTable & { readonly client: DynamoDB } {
  return {
    client: new DynamoDB(clientConfigAt(address)),
    tableName: journalAt(address),
    decisionKey: decisionKeyAt(address),
  }
}
