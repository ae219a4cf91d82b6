// Builds the SDK's client for the journal of AWS or of an embedded AWS. Records in a journal that its keys were
// verified, so that its schedules start.
import { randomUUID } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { EndpointAccess } from '@sluice/embedded-aws'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { recordVerification } from '../../core/journal/verification.ts'
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

/** @throws Transient */
export async function recordVerified(address: AwsAddress, nowMs: number): Promise<void> {
  const { client, tableName } = journalTable(address)
  try {
    await recordVerification(createDynamoStore(client, tableName), randomUUID, new Date(nowMs).toISOString())
  } finally {
    client.destroy()
  }
}
