// Lists the queries: the commands below `sluice service`, with their arguments, filters and help. This file is loaded
// with every help text, so it imports nothing. chosen-query.ts has the code of the queries.

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
  readonly flag: `${string} <${string}>`
  readonly what: string
  readonly kind: FilterKind
  /** The endpoint's query parameter, where that is not the camel case of the flag. */
  readonly parameter?: string
}

export interface QueryDefinition {
  readonly name: QueryName
  readonly what: string
  /** Names the one record that is shown, unless it is a query parameter of a list. */
  readonly argument?: ArgumentDefinition
  /** The query that lists what the argument may name. */
  readonly listedBy?: QueryName
  readonly filters: readonly FilterDefinition[]
  /** Whether the endpoint takes assetFormat. */
  readonly canRebase: boolean
  /** Whether there may be more than one record: a limit and lines of JSON. */
  readonly isList: boolean
  readonly form?: QueryForm
}

interface ArgumentDefinition {
  /** Its name in messages: `[id]`, or an option whose value it is. */
  readonly name: string
  readonly what: string
  readonly isRequired?: boolean
  readonly parameter?: string
}

/** Another query that the same command makes when the flag is given. */
export interface QueryForm {
  readonly flag: string
  readonly what: string
  /** Whether the flag's value is the query's argument, in place of the command's own. */
  readonly hasArgument?: boolean
  readonly query: QueryDefinition
}

export type QueryName =
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

const asset: FilterDefinition = { flag: 'asset-symbol <code>', what: 'of one asset, in either spelling', kind: 'id' }
const market: FilterDefinition = { flag: 'market <id>', what: 'of one market', kind: 'id' }
const side: FilterDefinition = { flag: 'side <side>', what: 'BUY or SELL', kind: 'side' }
const times: readonly FilterDefinition[] = [
  { flag: 'start-date <time>', what: 'from this day or moment on', kind: 'time' },
  { flag: 'end-date <time>', what: 'until this day or moment', kind: 'time' },
]

const price: QueryDefinition = {
  name: 'price',
  what: 'the indicative price of a market at a size; binds nobody',
  argument: { name: '[id]', what: 'one market, in either spelling', isRequired: true },
  listedBy: 'markets',
  filters: [
    { flag: 'price <side>', what: 'BUY or SELL', kind: 'side', parameter: 'side' },
    { flag: 'amount <amount>', what: 'the size, as a decimal; needs the asset of it', kind: 'amount' },
    { flag: 'amount-asset <code>', what: 'the leg that the size counts; needs the amount', kind: 'id' },
  ],
  canRebase: true,
  isList: false,
}

const fills: QueryDefinition = {
  name: 'fills',
  what: 'fills, newest first',
  argument: { name: '[id]', what: 'one order', parameter: 'orderId' },
  filters: [market, asset, side, ...times],
  canRebase: true,
  isList: true,
}

const history: QueryDefinition = {
  name: 'history',
  what: 'the balance of an asset at the end of each day, week or month; always settled',
  argument: { name: 'history', what: 'one asset, in either spelling' },
  listedBy: 'assets',
  filters: [{ flag: 'granularity <period>', what: 'day, week or month (default: day)', kind: 'granularity' }, ...times],
  canRebase: false,
  isList: true,
}

export const queries: readonly QueryDefinition[] = [
  {
    name: 'balances',
    what: 'what the account holds, one row an asset, or what it held of one',
    filters: [],
    canRebase: true,
    isList: true,
    form: { flag: 'history <asset>', what: history.what, hasArgument: true, query: history },
  },
  {
    name: 'assets',
    what: 'assets with their increments, or one with its networks, minimums and fees',
    argument: { name: '[code]', what: 'one asset, in either spelling' },
    listedBy: 'assets',
    filters: [],
    canRebase: false,
    isList: true,
  },
  {
    name: 'markets',
    what: 'markets with their minimums, or one of them, or its price',
    argument: { name: '[id]', what: 'one market, in either spelling' },
    listedBy: 'markets',
    filters: [],
    canRebase: false,
    isList: true,
    form: { flag: 'price <side>', what: `with an id: ${price.what}`, query: price },
  },
  {
    name: 'orders',
    what: 'orders or fills, newest first, or one order',
    argument: { name: '[id]', what: 'one order' },
    listedBy: 'orders',
    filters: [
      { flag: 'status <status>', what: 'NEW, PARTIALLY_FILLED, FILLED or FAILED', kind: 'orderStatus' },
      { flag: 'base-asset <code>', what: 'with this base asset', kind: 'id' },
      { flag: 'quote-asset <code>', what: 'with this quote asset', kind: 'id' },
      market,
      side,
      ...times,
    ],
    canRebase: true,
    isList: true,
    form: { flag: 'fills', what: 'fills, newest first; with an id those of that order', query: fills },
  },
  {
    name: 'withdrawals',
    what: 'withdrawals, newest first, or one of them',
    argument: { name: '[id]', what: 'one withdrawal' },
    listedBy: 'withdrawals',
    filters: [
      asset,
      { flag: 'status <status>', what: 'such as PENDING or COMPLETED', kind: 'withdrawalStatus' },
      {
        flag: 'sub-type <type>',
        what: 'INTERNAL, EXTERNAL_CRYPTO, EXTERNAL_FIAT_BANK, EXTERNAL_FIAT_REDPAY, NETWORK_FEE or TRANSFER_FEE',
        kind: 'subType',
      },
      ...times,
    ],
    canRebase: true,
    isList: true,
  },
  {
    name: 'deposits',
    what: 'deposits, newest first',
    filters: [asset],
    canRebase: true,
    isList: true,
  },
  {
    name: 'contacts',
    what: 'saved destinations, or one of them',
    argument: { name: '[id]', what: 'one contact' },
    listedBy: 'contacts',
    filters: [{ flag: 'type <type>', what: 'INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT', kind: 'contactType' }],
    canRebase: false,
    isList: true,
  },
  {
    name: 'ledger',
    what: 'every change of the balance, newest first; always settled',
    filters: [
      asset,
      { flag: 'order-id <id>', what: 'of one order', kind: 'id' },
      { flag: 'source-id <id>', what: 'of one fill, withdrawal or deposit', kind: 'id' },
    ],
    canRebase: false,
    isList: true,
  },
]
