// Collects what one slice counts and finds. Nothing of it is reported before the slice is judged, because a slice with
// too many movements is cut and judged anew.
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { readable } from '../../core/journal/listed-records.ts'
import type { AuditWindow } from './audit-window.ts'
import type { ReconcilePorts } from './ports.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { Slice } from './slices.ts'

export interface Counts {
  orders: number
  fills: number
  withdrawals: number
  entries: number
  intents: number
  foreign: number
}

export interface Found {
  readonly finding: Finding
  /** ISO-8601, the date of the movement or entry. Absent: each audit reports the finding anew. */
  readonly datedAt?: string
}

/** All judges of one slice share this. */
export interface Judging {
  readonly ports: ReconcilePorts
  readonly window: AuditWindow
  readonly slice: Slice
  /** Whether a person asked for this time. Such an audit has no memory of earlier findings. */
  readonly isLookBack: boolean
  /** Whether it is the first slice of its audit, or of an hour. With it the open intents are judged. */
  readonly isFirst: boolean
  /** Service time at which this call began, in epoch ms. */
  readonly nowMs: number
  readonly ahead: ReadAhead
  readonly collected: Collected
}

export class Collected {
  readonly counts: Counts = { orders: 0, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0 }
  readonly found: Found[] = []

  find(finding: Finding, datedAt?: string): void {
    this.found.push({ finding, ...(datedAt !== undefined && { datedAt }) })
  }

  /** Reads a record. An edited or misfit record hides no other, and is a finding. */
  readable<Read>(read: () => Promise<Read>): Promise<{ readonly read: Read } | 'unreadable'> {
    return readable(read, ({ message }) => this.find({ finding: FindingType.UnreadableRecord, message }))
  }
}
