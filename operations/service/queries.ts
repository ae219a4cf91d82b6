// The list of the queries: the commands that show the account, with their arguments, filters and help. It is loaded
// with every help text, so it imports nothing. What a query does is in query.ts.

/** How a filter's value is checked (see filters.ts). */
export type FilterKind =
  | 'id'
  | 'amount'
  | 'time'
  | 'side'
  | 'orderStatus'
  | 'withdrawalStatus'
  | 'subType'
  | 'contactType'
  | 'granularity'

export interface FilterDefinition {
  /** Its camel case is the name of the endpoint's query parameter. */
  readonly flag: `--${string} <${string}>`
  readonly what: string
  readonly kind: FilterKind
  readonly isRequired?: boolean
}

export interface QueryDefinition {
  readonly name: QueryName
  readonly what: string
  /** Positional: required as `<x>`, optional as `[x]`. */
  readonly argument?: { readonly name: string; readonly what: string }
  /** Which query lists what the argument may name. */
  readonly listedBy?: QueryName
  readonly filters: readonly FilterDefinition[]
  /** Whether the endpoint takes assetFormat. */
  readonly canRebase: boolean
  /** Whether there may be more than one record: `--limit` and `--jsonl`. */
  readonly isList: boolean
  readonly example: string
  /** Arguments of the commands that often come next. */
  readonly next: readonly string[]
}

export type QueryName =
  | 'account'
  | 'balances'
  | 'assets'
  | 'markets'
  | 'price'
  | 'orders'
  | 'fills'
  | 'withdrawals'
  | 'deposits'
  | 'contacts'
  | 'ledger'
  | 'history'

const asset: FilterDefinition = { flag: '--asset-symbol <code>', what: 'of one asset, in either spelling', kind: 'id' }
const market: FilterDefinition = { flag: '--market <id>', what: 'of one market', kind: 'id' }
const side: FilterDefinition = { flag: '--side <side>', what: 'BUY or SELL', kind: 'side' }
const times: readonly FilterDefinition[] = [
  { flag: '--start-date <time>', what: 'from this day or moment on', kind: 'time' },
  { flag: '--end-date <time>', what: 'until this day or moment', kind: 'time' },
]

export const queries: readonly QueryDefinition[] = [
  {
    name: 'account',
    what: 'whose account it is',
    filters: [],
    canRebase: false,
    isList: false,
    example: 'account',
    next: ['balances', 'doctor'],
  },
  {
    name: 'balances',
    what: 'what the account holds, one row an asset',
    filters: [],
    canRebase: true,
    isList: true,
    example: 'balances --rebased',
    next: ['history USDC', 'ledger'],
  },
  {
    name: 'assets',
    what: 'assets with their increments, or one with its networks, minimums and fees',
    argument: { name: '[code]', what: 'one asset, in either spelling' },
    listedBy: 'assets',
    filters: [],
    canRebase: false,
    isList: true,
    example: 'assets USDC',
    next: ['markets', 'contacts'],
  },
  {
    name: 'markets',
    what: 'markets with their minimums, or one of them',
    argument: { name: '[id]', what: 'one market, in either spelling' },
    listedBy: 'markets',
    filters: [],
    canRebase: false,
    isList: true,
    example: 'markets BTC-USDC',
    next: ['price BTC-USDC --side BUY'],
  },
  {
    name: 'price',
    what: 'the indicative price of a market at a size; binds nobody',
    argument: { name: '<market>', what: 'id of the market, in either spelling' },
    listedBy: 'markets',
    filters: [
      { ...side, isRequired: true },
      { flag: '--amount <amount>', what: 'the size, as a decimal; needs --amount-asset', kind: 'amount' },
      { flag: '--amount-asset <code>', what: 'the leg that the size counts; needs --amount', kind: 'id' },
    ],
    canRebase: true,
    isList: false,
    example: 'price BTC-USDC --side BUY --amount 1000 --amount-asset USDC',
    next: ['run convert --help'],
  },
  {
    name: 'orders',
    what: 'orders, newest first, or one of them',
    argument: { name: '[id]', what: 'one order' },
    listedBy: 'orders',
    filters: [
      { flag: '--status <status>', what: 'NEW, PARTIALLY_FILLED, FILLED or FAILED', kind: 'orderStatus' },
      { flag: '--base-asset <code>', what: 'with this base asset', kind: 'id' },
      { flag: '--quote-asset <code>', what: 'with this quote asset', kind: 'id' },
      market,
      side,
      ...times,
    ],
    canRebase: true,
    isList: true,
    example: 'orders --status FILLED --market BTC-USDC',
    next: ['fills --order-id ID', 'ledger --order-id ID'],
  },
  {
    name: 'fills',
    what: 'fills, newest first',
    filters: [{ flag: '--order-id <id>', what: 'of one order', kind: 'id' }, market, asset, side, ...times],
    canRebase: true,
    isList: true,
    example: 'fills --asset-symbol BTC --start-date 2026-01-31',
    next: ['orders ID', 'ledger --source-id ID'],
  },
  {
    name: 'withdrawals',
    what: 'withdrawals, newest first, or one of them',
    argument: { name: '[id]', what: 'one withdrawal' },
    listedBy: 'withdrawals',
    filters: [
      asset,
      { flag: '--status <status>', what: 'such as PENDING or COMPLETED', kind: 'withdrawalStatus' },
      {
        flag: '--sub-type <type>',
        what: 'INTERNAL, EXTERNAL_CRYPTO, EXTERNAL_FIAT_BANK, EXTERNAL_FIAT_REDPAY, NETWORK_FEE or TRANSFER_FEE',
        kind: 'subType',
      },
      ...times,
    ],
    canRebase: true,
    isList: true,
    example: 'withdrawals --asset-symbol USDC --status PENDING',
    next: ['contacts', 'ledger --source-id ID'],
  },
  {
    name: 'deposits',
    what: 'deposits, newest first',
    filters: [asset],
    canRebase: true,
    isList: true,
    example: 'deposits --asset-symbol USDC',
    next: ['balances', 'ledger'],
  },
  {
    name: 'contacts',
    what: 'saved destinations, or one of them',
    argument: { name: '[id]', what: 'one contact' },
    listedBy: 'contacts',
    filters: [{ flag: '--type <type>', what: 'INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT', kind: 'contactType' }],
    canRebase: false,
    isList: true,
    example: 'contacts --type EXTERNAL_CRYPTO',
    next: ['contacts rename ID --alias TEXT', 'doctor --contact ID=ASSET'],
  },
  {
    name: 'ledger',
    what: 'every change of the balance, newest first; always settled',
    filters: [
      asset,
      { flag: '--order-id <id>', what: 'of one order', kind: 'id' },
      { flag: '--source-id <id>', what: 'of one fill, withdrawal or deposit', kind: 'id' },
    ],
    canRebase: false,
    isList: true,
    example: 'ledger --asset-symbol BTC',
    next: ['fills', 'withdrawals'],
  },
  {
    name: 'history',
    what: 'the balance of an asset at the end of each day, week or month; always settled',
    argument: { name: '<asset>', what: 'the asset, in either spelling' },
    listedBy: 'assets',
    filters: [
      { flag: '--granularity <period>', what: 'day, week or month (default: day)', kind: 'granularity' },
      ...times,
    ],
    canRebase: false,
    isList: true,
    example: 'history USDC --granularity month',
    next: ['balances', 'ledger --asset-symbol ASSET'],
  },
]
