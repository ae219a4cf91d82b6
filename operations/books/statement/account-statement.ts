// Defines the statement of an account over a period. Names and shapes only. Amounts are exact decimal strings in settled units;
// rebased amounts, for people, are named so.
import type { LineKind } from '../ledger-line.ts'

export interface StatementLine {
  readonly kind: LineKind
  /** Sums of zero or more. */
  readonly in: string
  readonly out: string
  /** Number of changes of the balance in these sums. */
  readonly count: number
}

/** A change of the multiplier. It changes no settled quantity. */
export interface ActionLine {
  /** ISO-8601: the rows between which it happened. */
  readonly after: string
  readonly before: string
  readonly oldMultiplier: string
  readonly newMultiplier: string
  /** The quantity that was held: settled, and rebased by the old and the new multiplier. */
  readonly settled: string
  readonly oldRebased: string
  readonly newRebased: string
}

/** Quantities of an equity for people, each by the multiplier of the last row until then. */
export interface RebasedBalances {
  /** The rebased ticker. */
  readonly asset: string
  readonly opening: string
  readonly closing: string
  readonly openingMultiplier: string
  readonly closingMultiplier: string
}

/** The evidence of the service's own balance history. */
export interface BalanceProof {
  readonly isProven: boolean
  /** Days in UTC, and the balances at their ends. A day is absent before the first movement. */
  readonly openingDay?: string
  readonly openingBalance: string
  readonly closingDay?: string
  readonly closingBalance: string
  /** Entries of the ledger between the two, and their sum. */
  readonly entries: number
  readonly change: string
  /** One sentence where it is not proven. */
  readonly why?: string
}

export interface AssetStatement {
  /** Settled code. */
  readonly asset: string
  readonly opening: string
  readonly closing: string
  /** Only kinds that occur, in the order of LINE_KINDS. */
  readonly lines: readonly StatementLine[]
  readonly actions: readonly ActionLine[]
  readonly rebased?: RebasedBalances
  readonly proof: BalanceProof
}

export interface AccountStatement {
  readonly account: string | null
  /** ISO-8601 in UTC. The period ends right before `to`. */
  readonly from: string
  readonly to: string
  /** IANA name. */
  readonly zone: string
  /** Service time at which it was read, ISO-8601. */
  readonly readAt: string
  readonly isProven: boolean
  readonly assets: readonly AssetStatement[]
  /** One sentence for each entry of the ledger that cannot be read or does not fit, up to a bound. */
  readonly faults: readonly string[]
  readonly faultsTotal: number
}
