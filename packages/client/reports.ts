// Defines the results of executions, as the state machines end with them. Amounts are settled decimal strings, times
// ISO-8601. A deployment may add fields, and never changes their meaning.

/** The fields that every result may have. */
export interface Report {
  /** A named end, such as FILLED, COMPLETED or SETTLED. */
  readonly outcome: string
  /** One sentence, where the outcome is not a success. */
  readonly why?: string | undefined
}

export interface Fill {
  readonly id: string
  readonly sequence: number
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly rate: string
  readonly executedAt: string
}

export interface ConvertReport extends Report {
  readonly intentId: string
  readonly attempts?: number | undefined
  readonly orderId?: string | undefined
  readonly market?: string | undefined
  readonly side?: 'BUY' | 'SELL' | undefined
  /** Quote units per settled base unit. */
  readonly rate?: string | undefined
  readonly baseAmount?: string | undefined
  readonly quoteAmount?: string | undefined
  readonly fills?: readonly Fill[] | undefined
  /** The guard that refused it. */
  readonly guardedBy?: string | undefined
  /** With OWN_FAULT: the same id continues after the repair. */
  readonly goesOn?: true | undefined
}

export interface WithdrawReport extends Report {
  readonly intentId: string
  readonly attempts?: number | undefined
  readonly withdrawalId?: string | undefined
  readonly assetSymbol?: string | undefined
  /** The amount that the contact receives, without the fee. */
  readonly amount?: string | undefined
  readonly fee?: string | undefined
  /** The amount that the account is debited. */
  readonly total?: string | undefined
  /** With FAILED_REFUNDED: no entry of the ledger names the refund, and the balance is as without the withdrawal. */
  readonly isByBalance?: true | undefined
  readonly transactionHash?: string | null | undefined
  readonly bankReference?: string | null | undefined
  /** The guard that refused it. */
  readonly guardedBy?: string | undefined
  /** With OWN_FAULT: the same id continues after the repair. */
  readonly goesOn?: true | undefined
}

export interface RunLeg {
  readonly key: string
  readonly intentId: string
  readonly outcome: string
}

export interface RunReport extends Report {
  readonly runId: string
  readonly policy?: string | undefined
  readonly kind?: string | undefined
  /** Whether the legs agree with the service's rows. */
  readonly tiesOut?: boolean | undefined
  /** `outcome` is absent for a leg of a run that ended with its plan. */
  readonly legs?: readonly RunLeg[] | undefined
}

/** Undefined for a text that is no result. */
export function findReport(text: string | undefined): Report | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return isReport(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && 'outcome' in value && typeof value.outcome === 'string'
}
