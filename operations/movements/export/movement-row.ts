// Defines one row of the table of movements: its columns, in order, and the states that only a row has. docs/books.md
// says what each column means. Also makes a row of some columns, with the others empty. Pure.

export const MOVEMENT_COLUMNS = [
  ...['id', 'at', 'kind', 'state', 'policy', 'run'],
  ...[
    'assetOut',
    'amountOut',
    'assetIn',
    'amountIn',
    'fee',
    'rate',
    'midRate',
    'slippageBps',
    'cost',
    'valuationAsset',
  ],
  ...['payee', 'payeeReference', 'contactId', 'transactionHash', 'bankReference'],
  ...['movementId', 'status', 'market', 'onCredit'],
  ...['rebasedAsset', 'rebasedOut', 'rebasedIn', 'rebasedFee', 'rebasedRate', 'multiplier', 'multiplierSource'],
  ...['askedAt', 'sentAt', 'bookedAt', 'pricedAt', 'requestId', 'ownId', 'why'],
] as const
export type MovementColumn = (typeof MOVEMENT_COLUMNS)[number]

/** Every column has a text, or null where the value is unknown or does not apply. Amounts are exact decimal strings. */
export type MovementRow = Readonly<Record<MovementColumn, string | null>>

/** States of a row that an intent cannot have. */
export const RowState = {
  /** The order fills, or the withdrawal is on its way. */
  Processing: 'PROCESSING',
  /** The journal has the movement, and the service does not show it. */
  Missing: 'MISSING',
  /** The record, or the movement at the service, cannot be read. */
  Unreadable: 'UNREADABLE',
} as const

const EMPTY = Object.fromEntries(MOVEMENT_COLUMNS.map((column) => [column, null])) as MovementRow

/** A row with the given columns. The others are null. */
export function rowWith(columns: Partial<MovementRow>): MovementRow {
  return { ...EMPTY, ...columns }
}
