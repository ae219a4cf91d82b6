// Reads the intents of a journal through the embedded DynamoDB, for the tie-out. Reads only.
import { IntentKind } from '../../core/contract/records.ts'
import { embeddedClient } from '../target/journal/journal-client.ts'
import { scanIntents } from '../target/journal/scan-intents.ts'
import type { JournaledIntent } from './tie-out.ts'

export interface JournalAddress {
  readonly endpointUrl: string
  readonly tableName: string
}

export async function readIntents({ endpointUrl, tableName }: JournalAddress): Promise<JournaledIntent[]> {
  const client = embeddedClient(endpointUrl)
  try {
    return (await scanIntents(client, tableName)).map(({ intentId, kind, state, ref, attempt }) => ({
      intentId,
      kind: kind === IntentKind.Convert ? 'order' : 'withdrawal',
      state,
      ...(ref !== undefined && { ref }),
      ...(attempt !== undefined && { nonce: attempt.nonce }),
    }))
  } finally {
    client.destroy()
  }
}
