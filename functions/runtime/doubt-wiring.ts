// Builds what Resolve and DeclareForeign hand to their decisions: the journal, its list of what is open, and reads of the
// service with the key that reads. Neither can sign anything.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import { listing } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { createListBeginning } from '../../core/journal/intent-index.ts'
import { createJournal, findNamed, type Journal } from '../../core/journal/journal.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { journalClient, newId, wireReadingClient, wireTable } from './clients.ts'
import { readJournalTable } from './environment.ts'

/** A movement is held against all of them: one that is left out would be taken for none. */
const MOST_IN_DOUBT = 20_000

export interface WiredDoubts {
  readonly store: RecordStore
  readonly journal: Journal
  readonly service: ServiceClient
  readonly clock: Clock
  openIntents(): Promise<readonly Intent[]>
}

export function wireDoubts(env: NodeJS.ProcessEnv): WiredDoubts {
  const client = journalClient()
  // As Resume: after a restore people settle what is in doubt before anybody accepts the table.
  const { store } = wireTable(env, client)
  const journal = createJournal(store, newId)
  const list = createListBeginning(client, readJournalTable(env))
  return {
    ...{ store, journal, clock: systemClock },
    service: wireReadingClient(env),
    async openIntents() {
      const { isCutOff, names } = await list(listing.open, MOST_IN_DOUBT)
      if (isCutOff) {
        throw new Refused(
          `more than ${MOST_IN_DOUBT} intents are open, and each may have made a movement: settle some first`,
        )
      }
      const found = await mapBounded(names, READS_AT_ONCE, (name) => findNamed(journal, name))
      return found.filter((intent) => intent !== undefined)
    },
  }
}
