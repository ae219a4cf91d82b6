// Defines one row of what operations cost: a month, a policy and an asset of valuation. docs/books.md says what each
// column means. Names and shapes only.

export const COST_COLUMNS = [
  ...['month', 'policy', 'valuationAsset', 'movements', 'conversions', 'withdrawals', 'open'],
  ...['slippageBps', 'slippageCost', 'fees', 'feesInAssets'],
  ...['runs', 'trackingErrorBps', 'settleSeconds', 'longestSettleSeconds'],
] as const
export type CostColumn = (typeof COST_COLUMNS)[number]

/** Amounts are exact decimal texts in settled units. Null where nothing was measured. */
export type CostRow = Readonly<Record<CostColumn, string | null>>
