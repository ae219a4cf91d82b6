// Defines treasury.json during the days: its text as people edit it, and its time in force. It has types only.
import type { Treasury } from '../../../core/contract/treasury.ts'

/** The text of treasury.json, before it is parsed. */
// biome-ignore lint/suspicious/noExplicitAny: a file is edited as people edit it, also into what no schema takes
export type TreasuryFile = any

/** A treasury.json, from the moment of its deployment on. */
export interface FileInForce {
  readonly atMs: number
  readonly treasury: Treasury
  /** Renamed policies: former names by new names. */
  readonly renamed: Readonly<Record<string, string>>
}
