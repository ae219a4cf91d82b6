// Reads the audit page: up to which time the audits have judged, and which of the last runs tie out. Reads only.
import { AUDIT_WALK } from '../../core/contract/records.ts'
import { readWalked, type Unfinished } from '../../core/journal/watermarks.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { type RunRow, rowOf } from './overview.ts'

export interface AuditPage extends Everywhere {
  /** ISO-8601; absent where no audit has ended. */
  readonly judgedThrough?: string
  /** An audit that continues over several calls. All times are ISO-8601. */
  readonly underWay?: Pick<Unfinished, 'begunAt' | 'since' | 'againFrom' | 'againTo'>
  readonly runs: readonly RunRow[]
}

const RUNS_SHOWN = 30

export function readAudit(reader: Reader): Promise<AuditPage> {
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const [mark, runs] = await Promise.all([
      readWalked(connection.store, AUDIT_WALK),
      connection.runJournal.listMoving(RUNS_SHOWN, nowMs),
    ])
    return {
      ...(mark !== undefined && { judgedThrough: mark.through }),
      ...(mark?.unfinished !== undefined && { underWay: mark.unfinished }),
      runs: runs.filter(({ tiesOut }) => tiesOut !== undefined).map(rowOf),
    }
  })
}
