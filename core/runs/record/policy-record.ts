// Owns the record of one policy, which every run of the policy reads and updates. It has the run that holds the policy, the
// runs that wait, and failures in a row. It has values and balances that the next run needs, and the contacts that were paid.
// Owns the record's fields and its conditional writes; decides nothing.
import * as z from 'zod/mini'
import type { NewId } from '../../clock.ts'
import { amountText } from '../../contract/fields.ts'
import { payeeLabels } from '../../contract/payee.ts'
import { LISTED_KEY, listing, recordKey } from '../../contract/records.ts'
import { Transient } from '../../errors.ts'
import { readFields } from '../../journal/record-format.ts'
import { putRecord, type RecordFields, type RecordStore } from '../../journal/record-store.ts'
import { actKeys } from '../../journal/request-keys.ts'

const count = z.int().check(z.gte(0))
/** ISO-8601, service time. */
const time = z.string()
/** Stranded balances by their key (core/contract/records.ts), decimal strings. Stored as `residues`. */
const balances = z.readonly(z.record(z.string(), amountText))
export type Balances = z.infer<typeof balances>

/** The value of the policy's assets at a run. Compare it only with a value of the same `policyHash` and `asset`. */
const lastValue = z.object({
  policyHash: z.string(),
  /** The asset in which the prices and the value are given. */
  asset: z.string(),
  value: amountText,
  /** The most valuable assets. `units`: settled units before or after the legs, whichever is larger. `price`: of one unit. */
  held: z.readonly(z.record(z.string(), z.object({ units: amountText, price: amountText }))),
})
export type LastValue = z.infer<typeof lastValue>

/** Total value, in `asset`, that the legs of runs sold or sent on a day (UTC). */
const turnover = z.object({ day: z.string(), asset: z.string(), value: amountText })
export type Turnover = z.infer<typeof turnover>

/** Total value, in `asset`, that the legs of runs without an approval sold or sent in the last 24 hours. */
const unasked = z.object({
  asset: z.string(),
  /** Decimal strings by hour (UTC, `YYYY-MM-DDTHH`): the hour in which the run was settled. */
  hours: z.readonly(z.record(z.string(), amountText)),
})
export type Unapproved = z.infer<typeof unasked>

const reachedContact = z.object({
  /** Time of the plan, in the latest run with a COMPLETED withdrawal to the contact. */
  provenAt: z.optional(time),
  /** The labels of the contact in that withdrawal. */
  paidAs: z.optional(payeeLabels),
  /** Intent id of a withdrawal to the contact that was still open when its run was settled. */
  unfinished: z.optional(z.string()),
})
export type ReachedContact = z.infer<typeof reachedContact>

const policyRecord = z.readonly(
  z.object({
    policy: z.string(),
    /** Zero: the record does not exist yet. */
    version: count,
    /** The run that may freeze legs: the name of the execution that began it. The name stays here after the run's end. */
    holder: z.optional(z.string()),
    /** Runs that wait for the policy, named like the holder, oldest first. wait.ts bounds their number. */
    waiting: z.optional(z.readonly(z.array(z.string()))),
    /** Number of consecutive failed runs. The breaker (core/runs/settle/breaker.ts) decides which outcomes are failures. */
    failuresInRow: count,
    /**
     * Runs among these failures that ended with a leg in doubt or stuck, named like the holder. A run that is settled later
     * is taken off the count.
     */
    failedInDoubt: z.optional(z.readonly(z.array(z.string()))),
    /** The run that was counted last, named like the holder, so that no run is counted twice. */
    lastRunId: z.optional(z.string()),
    lastValue: z.optional(lastValue),
    /** End time of the latest run that moved something. */
    lastTradedAt: z.optional(time),
    turnover: z.optional(turnover),
    unasked: z.optional(unasked),
    /** Stranded balances that runs have certainly left. */
    residues: z.optional(balances),
    /** Stranded balances by run id, for runs that ended with a leg in doubt. The doubtful leg may still add to them. */
    doubtful: z.optional(z.readonly(z.record(z.string(), balances))),
    /** A person's latest decision to release stranded balances. */
    released: z.optional(
      z.object({ by: z.string(), because: z.string(), at: time, residues: balances, spoken: z.optional(z.string()) }),
    ),
    /** Present in the record of an old name: balances to be added to the new name's record. `id`: number of the handover. */
    handed: z.optional(z.object({ id: z.int(), to: z.string(), residues: balances })),
    /** By old name: the `id` of the latest handover that was added to this record. */
    takenOver: z.optional(z.readonly(z.record(z.string(), z.int()))),
    /** Why the breaker halted the policy after its last run. */
    tripped: z.optional(z.string()),
    contacts: z.readonly(z.record(z.string(), reachedContact)),
  }),
)
export type PolicyRecord = z.infer<typeof policyRecord>

export type PolicyMove = Partial<Omit<PolicyRecord, 'policy' | 'version'>>

export interface PolicyRecords {
  /**
   * @throws Transient.
   * @throws Defect for a record with wrong fields, or in a format that this release does not know
   */
  find(policy: string): Promise<PolicyRecord>
  /**
   * Applies a move to `record`, if its stored version is still the same.
   * @throws Transient if another run changed it first, or if the result of the write is unknown
   */
  advance(record: PolicyRecord, move: PolicyMove): Promise<PolicyRecord>
  /** Keeps a person's decision to write off stranded balances, for the log of people. @throws Transient */
  keepReleased(policy: string, released: NonNullable<PolicyRecord['released']>): Promise<void>
}

export function createPolicyRecords(store: RecordStore, newId: NewId): PolicyRecords {
  return {
    async find(policy) {
      const stored = await store.read(recordKey.policy(policy))
      if (!stored) return { policy, version: 0, failuresInRow: 0, contacts: {} }
      return readFields(policyRecord, stored)
    },

    async advance(record, move) {
      const moved: PolicyRecord = { ...record, ...move, version: record.version + 1 }
      const pk = recordKey.policy(record.policy)
      const outcome = await putRecord({ store, newId }, pk, fieldsOfPolicy(moved), record.version)
      if (outcome === 'written') return moved
      throw new Transient(`another run changed the record of policy ${record.policy} meanwhile`)
    },

    async keepReleased(policy, released) {
      const pk = recordKey.released(policy, released.at)
      await putRecord({ store, newId }, pk, { ...released, ...actKeys(released.at, pk) })
    },
  }
}

function fieldsOfPolicy(memory: PolicyRecord): RecordFields {
  const list = listingOf(memory)
  return { ...(list !== undefined && { [LISTED_KEY]: list }), ...memory }
}

function listingOf({ residues = {}, lastTradedAt }: PolicyRecord): string | undefined {
  if (Object.keys(residues).length > 0) return listing.residues
  return lastTradedAt === undefined ? undefined : listing.movedOn(lastTradedAt.slice(0, 10))
}
