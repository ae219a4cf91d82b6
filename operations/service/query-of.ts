// What each query reads, and how it is shown.
import type { Query } from '../../cli/query/columns.ts'
import { balances, deposits, history, ledger, withdrawals } from '../../cli/query/money-queries.ts'
import type { QueryName } from '../../cli/query/queries.ts'
import { account, assets, contacts, markets } from '../../cli/query/reference-queries.ts'
import { fills, orders, price } from '../../cli/query/trading-queries.ts'

export const queryOf: Readonly<Record<QueryName, Query>> = {
  account,
  balances,
  assets,
  markets,
  price,
  orders,
  fills,
  withdrawals,
  deposits,
  contacts,
  ledger,
  history,
}
