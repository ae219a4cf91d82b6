// Builds the ports of Resolve and DeclareForeign: the journal, its list of open intents, and reads of the service with
// the read key. Neither can sign.
import { systemClock } from '../../core/clock.ts'
import { Refused, TooMany } from '../../core/errors.ts'
import { createListBeginning } from '../../core/journal/intent-index.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { readAllOpenIntents } from '../../core/journal/listed-records.ts'
import { journalClient, newId, wireReadingClient, wireTable } from './clients.ts'
import { readJournalTable } from './environment.ts'

export function wireDoubts(env: NodeJS.ProcessEnv) {
  const client = journalClient()
  // The table is not checked, as in Resume: after a restore, people settle doubts before anybody accepts the table.
  const { store } = wireTable(env, client)
  const journal = createJournal(store, newId)
  const list = createListBeginning(client, readJournalTable(env))
  return {
    store,
    journal,
    clock: systemClock,
    service: wireReadingClient(env),
    openIntents: () =>
      readAllOpenIntents({ list, journal }).catch((error: unknown) => {
        // A person can settle some of them and ask again.
        throw error instanceof TooMany ? new Refused(error.message) : error
      }),
  }
}
