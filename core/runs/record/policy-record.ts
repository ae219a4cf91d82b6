// What a policy remembers from run to run: who runs, failures in a row, what it was worth, when it traded, and which
// contacts its withdrawals have reached. Owns the record's shape and its conditional writes; decides nothing.
import * as z from 'zod/mini'
import type { NewId } from '../../clock.ts'
import { amountText } from '../../contract/fields.ts'
import { payeeLabels } from '../../contract/payee.ts'
import { LISTED_KEY, listing, recordKey } from '../../contract/records.ts'
import { Transient } from '../../errors.ts'
import { readFields } from '../../journal/record-format.ts'
import { putRecord, type RecordFields, type RecordStore } from '../../journal/record-store.ts'

const count = z.int().check(z.gte(0))
/** ISO-8601, service time. */
const time = z.string()
/** Stranded balances by their key (core/treasury/policy-hubs.ts), decimal strings. Stored as `residues`. */
const balances = z.readonly(z.record(z.string(), amountText))
export type Balances = z.infer<typeof balances>

/** Comparable only where the policy and the asset are the same. */
const lastValue = z.object({
  policyHash: z.string(),
  /** In which the prices and the value are. */
  asset: z.string(),
  /** The total. */
  value: amountText,
  /** Of the assets that were worth most: settled units, before or after the legs, whichever was more, and the price of one. */
  held: z.readonly(z.record(z.string(), z.object({ units: amountText, price: amountText }))),
})
export type LastValue = z.infer<typeof lastValue>

/** Given up by runs on a day (UTC), in `asset`. */
const turnover = z.object({ day: z.string(), asset: z.string(), value: amountText })
export type Turnover = z.infer<typeof turnover>

/** Given up by runs that nobody was asked to approve, in the last 24 hours. */
const unasked = z.object({
  asset: z.string(),
  /** By the hour (UTC, `YYYY-MM-DDTHH`) in which the run was settled: decimal strings. */
  hours: z.readonly(z.record(z.string(), amountText)),
})
export type Unasked = z.infer<typeof unasked>

const reachedContact = z.object({
  /** When the run began whose withdrawal to it COMPLETED last. */
  provenAt: z.optional(time),
  /** The labels that it had then. */
  paidAs: z.optional(payeeLabels),
  /** The intent of a withdrawal to it that had not come to its end when its run was settled. */
  unfinished: z.optional(z.string()),
})
export type ReachedContact = z.infer<typeof reachedContact>

const policyRecord = z.readonly(
  z.object({
    policy: z.string(),
    /** Zero: there is no record yet. */
    version: count,
    /** The run that may freeze legs, by the name of the execution that began it, until it is at an end; then it only stays named here. */
    holder: z.optional(z.string()),
    /** Runs that wait for the policy, named as the holder is, oldest first: a few. */
    waiting: z.optional(z.readonly(z.array(z.string()))),
    /** Runs in a row that ended without moving what they should. */
    failuresInRow: count,
    /** The run that was counted last, in the same way, so that none is counted twice. */
    lastRunId: z.optional(z.string()),
    lastValue: z.optional(lastValue),
    /** When a run ended that moved something. */
    lastTradedAt: z.optional(time),
    turnover: z.optional(turnover),
    unasked: z.optional(unasked),
    /** What runs left on its way, as far as that is certain. */
    residues: z.optional(balances),
    /** The same as it was counted at the end of runs with a leg in doubt, by the run's id: there may turn out to be more. */
    doubtful: z.optional(z.readonly(z.record(z.string(), balances))),
    /** What a person declared last to be others' business, of what lay on its way. */
    released: z.optional(z.object({ by: z.string(), because: z.string(), at: time, residues: balances })),
    /** Of a policy that was renamed: what lay on its way, on its way into the other record. */
    handed: z.optional(z.object({ id: z.int(), to: z.string(), residues: balances })),
    /** By the name that the policy had: what it has taken over from there last. */
    takenOver: z.optional(z.readonly(z.record(z.string(), z.int()))),
    /** Why the breaker halted the policy after its last run. */
    tripped: z.optional(z.string()),
    contacts: z.readonly(z.record(z.string(), reachedContact)),
  }),
)
export type PolicyRecord = z.infer<typeof policyRecord>

export type PolicyMove = Partial<Omit<PolicyRecord, 'policy' | 'version'>>

export interface PolicyRecords {
  /** @throws Transient, Defect for a record that does not fit, or that is of a format that this release does not know */
  find(policy: string): Promise<PolicyRecord>
  /**
   * Applies a move to exactly the version that `record` was read at. @throws Transient when another run moved it
   * first, or when that is not certain.
   */
  advance(record: PolicyRecord, move: PolicyMove): Promise<PolicyRecord>
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
      throw new Transient(`another run moved what policy ${record.policy} remembers meanwhile`)
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
