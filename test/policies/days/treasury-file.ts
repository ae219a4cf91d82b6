// treasury.json through the days: its text as people edit it, and since when it has been in force. Types only.
import type { Treasury } from '../../../core/contract/treasury.ts'

/** The text of treasury.json, before it is read. */
// biome-ignore lint/suspicious/noExplicitAny: a file is edited as people edit it, also into what no schema takes
export type TreasuryFile = any

/** A treasury.json, from the moment on at which it was deployed. */
export interface FileInForce {
  readonly atMs: number
  readonly treasury: Treasury
  /** Policies that had another name before: the former by the new. */
  readonly renamed: Readonly<Record<string, string>>
}
