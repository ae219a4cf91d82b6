// The record that a policy keeps from run to run: its holder, failures in a row, its last value, its last trade, and the
// contacts that its withdrawals have reached. Owns the record's form and its conditional writes; decides nothing.
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

/** The value of the policy's assets at a run: comparable only for the same policy and the same asset of values. */
const lastValue = z.object({
  policyHash: z.string(),
  /** The asset of the prices and the value. */
  asset: z.string(),
  value: amountText,
  /** The assets that were worth most: the larger of their settled units before and after the legs, and the price of one unit. */
  held: z.readonly(z.record(z.string(), z.object({ units: amountText, price: amountText }))),
})
export type LastValue = z.infer<typeof lastValue>

/** Value that runs gave up on a day (UTC), in `asset`. */
const turnover = z.object({ day: z.string(), asset: z.string(), value: amountText })
export type Turnover = z.infer<typeof turnover>

/** Value that runs gave up without an approval in the last 24 hours. */
const unasked = z.object({
  asset: z.string(),
  /** By the hour (UTC, `YYYY-MM-DDTHH`) in which the run was settled: decimal strings. */
  hours: z.readonly(z.record(z.string(), amountText)),
})
export type Unapproved = z.infer<typeof unasked>

const reachedContact = z.object({
  /** When the run began whose withdrawal to the contact COMPLETED last. */
  provenAt: z.optional(time),
  /** The labels of the contact at that time. */
  paidAs: z.optional(payeeLabels),
  /** The intent of a withdrawal to it that had not ended when its run was settled. */
  unfinished: z.optional(z.string()),
})
export type ReachedContact = z.infer<typeof reachedContact>

const policyRecord = z.readonly(
  z.object({
    policy: z.string(),
    /** Zero: the record does not exist yet. */
    version: count,
    /** The run that may freeze legs, by the name of the execution that began it. It stays named here after its end. */
    holder: z.optional(z.string()),
    /** Runs that wait for the policy, named like the holder, oldest first: a few. */
    waiting: z.optional(z.readonly(z.array(z.string()))),
    /** Runs in a row that did not move what they should. */
    failuresInRow: count,
    /** The run that was counted last, named like the holder, so that no run is counted twice. */
    lastRunId: z.optional(z.string()),
    lastValue: z.optional(lastValue),
    /** When the last run ended that moved something. */
    lastTradedAt: z.optional(time),
    turnover: z.optional(turnover),
    unasked: z.optional(unasked),
    /** Stranded balances that runs have certainly left. */
    residues: z.optional(balances),
    /** By run id: the stranded balances as counted at the end of a run with a leg in doubt. There may turn out to be more. */
    doubtful: z.optional(z.readonly(z.record(z.string(), balances))),
    /** The stranded balances that a person last released to others. */
    released: z.optional(z.object({ by: z.string(), because: z.string(), at: time, residues: balances })),
    /** For a renamed policy: stranded balances on their way into the record of the new name. */
    handed: z.optional(z.object({ id: z.int(), to: z.string(), residues: balances })),
    /** By former name: the last handover that was taken over from there. */
    takenOver: z.optional(z.readonly(z.record(z.string(), z.int()))),
    /** Why the breaker halted the policy after its last run. */
    tripped: z.optional(z.string()),
    contacts: z.readonly(z.record(z.string(), reachedContact)),
  }),
)
export type PolicyRecord = z.infer<typeof policyRecord>

export type PolicyMove = Partial<Omit<PolicyRecord, 'policy' | 'version'>>

export interface PolicyRecords {
  /** @throws Transient. @throws Defect for a record of another form, or of a format that this release does not know */
  find(policy: string): Promise<PolicyRecord>
  /**
   * Applies a move to exactly the version that `record` was read at. @throws Transient when another run moved it first, or when
   * that is not certain
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
      throw new Transient(`another run changed the record of policy ${record.policy} meanwhile`)
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
