// Opens the journal of a deployment of the days, for people and for those who gather evidence, in virtual time.
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import type { VirtualTime } from './virtual-time.ts'

export async function withStore<Result>(
  { credentials, endpointUrl: endpoint, region }: EmbeddedAws,
  time: VirtualTime,
  act: (store: RecordStore) => Promise<Result>,
): Promise<Result> {
  // The SDK of this thread sees the host's clock, and must sign by the functions' clock.
  const systemClockOffset = time.nowMs() - Date.now()
  const client = new DynamoDB({ endpoint, region, credentials, systemClockOffset })
  try {
    return await act(createDynamoStore(client, JOURNAL_TABLE))
  } finally {
    client.destroy()
  }
}
