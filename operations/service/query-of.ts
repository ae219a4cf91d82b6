// Maps the name of each query to its code.
import type { Query } from './columns.ts'
import { balances, deposits, history, ledger, withdrawals } from './money-queries.ts'
import type { QueryName } from './queries.ts'
import { assets, contacts, markets } from './reference-queries.ts'
import { fills, orders, price } from './trading-queries.ts'

export const queryOf: Readonly<Record<QueryName, Query>> = {
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
