// Records in a journal that its keys were verified, so that its schedules start. The caller has asked the service about
// them.
import { randomUUID } from 'node:crypto'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { recordVerification } from '../../core/journal/verification.ts'
import type { AwsAddress } from '../aws/aws-address.ts'
import { journalTable } from './journal-client.ts'

/** @throws Transient */
export async function recordVerified(address: AwsAddress, nowMs: number): Promise<void> {
  const { client, tableName } = journalTable(address)
  try {
    await recordVerification(createDynamoStore(client, tableName), randomUUID, new Date(nowMs).toISOString())
  } finally {
    client.destroy()
  }
}
