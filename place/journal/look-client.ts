// Reads the journal of a desk on this machine without the SDK, whose loading takes longer than all requests of a command
// that only looks. A write or a rare request goes through the SDK, which is loaded then.
import type { QueryOutput, ScanOutput } from '@aws-sdk/client-dynamodb'
import type { EndpointAccess } from '@sluice/embedded-aws'
import { decisionKeyAt, deskTable, type JournalClient, type KeyedTable } from '../aws/aws-address.ts'
import { type PerformOnTable, readsTogether } from './reads-together.ts'

/** The caller destroys the client. `access`: of the same desk. */
export function lookedTable(
  perform: PerformOnTable,
  access: EndpointAccess,
  close: () => void = () => undefined,
): KeyedTable {
  let sdk: Promise<JournalClient> | undefined
  const openSdk = () => {
    sdk ??= import('./journal-client.ts').then(({ embeddedClient }) => embeddedClient(access))
    return sdk
  }
  const client: JournalClient = {
    describeTable: async (input) => (await openSdk()).describeTable(input),
    getItem: readsTogether(perform),
    query: async (input) => (await perform('Query', input)) as QueryOutput,
    scan: async (input) => (await perform('Scan', input)) as ScanOutput,
    putItem: async (input) => (await openSdk()).putItem(input),
    destroy() {
      close()
      void sdk?.then((opened) => opened.destroy())
    },
  }
  return { ...deskTable(client), decisionKey: decisionKeyAt(access) }
}
