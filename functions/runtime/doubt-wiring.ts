// Builds the ports of Resolve and DeclareForeign: the journal, its list of open intents, and reads of the service with
// the read key. Neither can sign.
import { type Clock, systemClock } from '../../core/clock.ts'
import { Refused, TooMany } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { createListBeginning } from '../../core/journal/intent-index.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import { readAllOpenIntents } from '../../core/journal/listed-records.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { journalClient, newId, wireReadingClient, wireTable } from './clients.ts'
import { readJournalTable } from './environment.ts'

interface WiredDoubts {
  readonly store: RecordStore
  readonly journal: Journal
  readonly service: ServiceClient
  readonly clock: Clock
  openIntents(): Promise<readonly Intent[]>
}

export function wireDoubts(env: NodeJS.ProcessEnv): WiredDoubts {
  const client = journalClient()
  // The table is not checked, as in Resume: after a restore, people settle doubts before anybody accepts the table.
  const { store } = wireTable(env, client)
  const journal = createJournal(store, newId)
  const list = createListBeginning(client, readJournalTable(env))
  return {
    ...{ store, journal, clock: systemClock },
    service: wireReadingClient(env),
    openIntents: () =>
      readAllOpenIntents({ list, journal }).catch((error: unknown) => {
        // A person can settle some of them and ask again.
        throw error instanceof TooMany ? new Refused(error.message) : error
      }),
  }
}
