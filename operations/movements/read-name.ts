// Reads what people call a run or a movement: a run by its policy and start, a movement by its request. Reads only.
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { Reader } from '../../place/reader.ts'
import { requestName } from '../words/request-words.ts'
import { runName } from '../words/run-name.ts'
import { findOneIntent, RequestKind } from './record-kind.ts'

/** Undefined for an id that the journal does not have. `kind` is needed only where several kinds have the id. */
export function readName(
  { flags, context }: Reader,
  id: string,
  kind: RequestKind | undefined,
): Promise<string | undefined> {
  return withJournalConnection(flags, context, async ({ journal, runJournal }) => {
    if (kind === RequestKind.Run) {
      const run = await runJournal.runs.find(id)
      return run && runName(run)
    }
    const intent = await findOneIntent(id, kind, journal)
    return intent && requestName(intent)
  })
}
