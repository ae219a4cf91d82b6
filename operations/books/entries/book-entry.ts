// Defines the entries of the books: double-entry transactions over exact amounts in settled units. Names and shapes only.

export interface Posting {
  readonly account: string
  /** Exact; below zero where the account is credited. */
  readonly amount: string
  /** Settled code. */
  readonly asset: string
}

export interface BookEntry {
  /** Such as 2026-01-31, in the zone of the books. */
  readonly day: string
  /** The moment at which the ledger books it, ISO-8601. */
  readonly at: string
  /** In words, such as "conversion". */
  readonly title: string
  /** The contact of a withdrawal, where it is known. */
  readonly payee?: string
  readonly intentId?: string
  /** The service's id of the order, withdrawal or deposit. */
  readonly movementId?: string
  /** The service's id of a fill. */
  readonly fillId?: string
  /** The service's ids of the ledger's entries. */
  readonly entryIds: readonly string[]
  /** They add up to zero in each asset. */
  readonly postings: readonly Posting[]
}

/** The last rate of a market on a day: quote units for one settled base unit. */
export interface BookPrice {
  readonly day: string
  readonly asset: string
  readonly price: string
  readonly quote: string
}

/** A balance by the service's own history. */
export interface BookBalance {
  readonly account: string
  readonly asset: string
  readonly balance: string
}

/** A change of a multiplier. It changes no settled quantity, so it is a remark. */
interface BookRemark {
  readonly day: string
  readonly account: string
  readonly text: string
}

export interface AccountBooks {
  /** The service's account. */
  readonly account: string | null
  readonly zone: string
  /** The first day, and the first day after the period. */
  readonly firstDay: string
  readonly endDay: string
  /** Whether the ledger leads to the closing balance of every asset. */
  readonly areBalancesProven: boolean
  /** Whether also every entry and record can be read and fits. */
  readonly isProven: boolean
  /** Whether the books follow earlier ones, so that opening balances are claimed and not booked. */
  readonly continues: boolean
  readonly openingAccount: string
  readonly opening: readonly BookBalance[]
  /** By time. Each walk reads them anew, so that memory does not hold them. */
  readonly entries: Iterable<BookEntry>
  readonly entriesTotal: number
  /** Accounts and assets that occur, sorted. */
  readonly accounts: readonly string[]
  readonly assets: readonly string[]
  /** Decimal places of the finest amount of each asset. */
  readonly places: ReadonlyMap<string, number>
  readonly prices: readonly BookPrice[]
  readonly remarks: readonly BookRemark[]
  readonly closing: readonly BookBalance[]
  /** One sentence for each thing that is not proven or does not fit, up to a bound. */
  readonly faults: readonly string[]
  readonly faultsTotal: number
}

export interface OpenBooks extends AccountBooks {
  /** After it the entries cannot be read any more. */
  readonly close: () => void
}
