// What a policy remembers from run to run: who runs, failures in a row, what it was worth, when it traded, and
// which contacts its withdrawals have reached. Owns the conditional writes of it; decides nothing.

import type { NewId } from '../../clock.ts'
import { LISTED_KEY, listing, recordKey } from '../../contract/records.ts'
import { Transient } from '../../errors.ts'
import { assertFormat } from '../../journal/record-format.ts'
import { putRecord, type RecordStore } from '../../journal/record-store.ts'

/** Comparable only where the policy is the same, and told in the same asset. */
export interface LastValue {
  readonly policyHash: string
  readonly asset: string
  /** Decimal string. */
  readonly value: string
}

export interface Unasked {
  readonly asset: string
  /** By the hour (UTC, `YYYY-MM-DDTHH`) in which the run was settled: decimal strings. */
  readonly hours: Readonly<Record<string, string>>
}

export interface ReachedContact {
  /** ISO-8601: when the run began whose withdrawal to it COMPLETED last. */
  readonly provenAt?: string
  /** The intent of a withdrawal to it that had not come to its end when its run was settled. */
  readonly unfinished?: string
}

export interface PolicyRecord {
  readonly policy: string
  /** Zero: there is no record yet. */
  readonly version: number
  /** The run that may freeze legs, by the name of the execution that began it, until it is at an end; then it only stays named here. */
  readonly holder?: string
  /** Runs that wait for their turn, named as the holder is, oldest first: a few. */
  readonly waiting?: readonly string[]
  /** Runs in a row that ended without moving what they should. */
  readonly failuresInRow: number
  /** The run that was counted last, in the same way, so that none is counted twice. */
  readonly lastRunId?: string
  readonly lastValue?: LastValue | undefined
  /** ISO-8601: when a run ended that moved something. */
  readonly lastTradedAt?: string
  /** Given up by runs on a day (UTC), in `asset`. */
  readonly turnover?: { readonly day: string; readonly asset: string; readonly value: string } | undefined
  /** Given up by runs that nobody was asked to approve, in the last 24 hours. */
  readonly unasked?: Unasked | undefined
  /** By hub, decimal strings: what runs left there on its way, as far as that is certain. */
  readonly residues?: Readonly<Record<string, string>>
  /** The same as it was counted at the end of runs with a leg in doubt, by the run's id: there may turn out to be more. */
  readonly doubtful?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** What a person declared last to be others' business, of what lay on its way. */
  readonly released?: {
    readonly by: string
    readonly because: string
    /** ISO-8601. */
    readonly at: string
    readonly residues: Readonly<Record<string, string>>
  }
  /** Of a policy that was renamed: what lay on its way, on its way into the other record. */
  readonly handed?: { readonly id: number; readonly to: string; readonly residues: Readonly<Record<string, string>> }
  /** By the name that the policy had: what it has taken over from there last. */
  readonly takenOver?: Readonly<Record<string, number>>
  /** Why the breaker halted the policy after its last run. */
  readonly tripped?: string | undefined
  readonly contacts: Readonly<Record<string, ReachedContact>>
}

export type PolicyMove = Partial<Omit<PolicyRecord, 'policy' | 'version'>>

export interface PolicyRecords {
  /** @throws Transient */
  find(policy: string): Promise<PolicyRecord>
  /**
   * Applies a move to exactly the version that `record` was read at. @throws Transient when another run moved it
   * first, or when that is not certain.
   */
  advance(record: PolicyRecord, move: PolicyMove): Promise<PolicyRecord>
}

function listingOf({ residues = {}, lastTradedAt }: PolicyRecord): string | undefined {
  if (Object.keys(residues).length > 0) return listing.residues
  return lastTradedAt === undefined ? undefined : listing.movedOn(lastTradedAt.slice(0, 10))
}

export function createPolicyRecords(store: RecordStore, newId: NewId): PolicyRecords {
  return {
    async find(policy) {
      const stored = await store.read(recordKey.policy(policy))
      if (!stored) return { policy, version: 0, failuresInRow: 0, contacts: {} }
      assertFormat(stored)
      const { pk: _pk, stamp: _stamp, format: _format, [LISTED_KEY]: _listed, ...record } = stored
      // Its key says which kind of record it is; `advance` alone wrote it.
      return record as unknown as PolicyRecord
    },

    async advance(record, move) {
      const moved: PolicyRecord = { ...record, ...move, version: record.version + 1 }
      const list = listingOf(moved)
      const listed = list === undefined ? {} : { [LISTED_KEY]: list }
      const pk = recordKey.policy(record.policy)
      const outcome = await putRecord({ store, newId }, pk, { ...listed, ...moved }, record.version)
      if (outcome === 'written') return moved
      throw new Transient(`another run moved what policy ${record.policy} remembers meanwhile`)
    },
  }
}
