// Runs the queries for the account's balances, and for what changed them. Writes nothing.

import { UNREADABLE } from '../../core/contract/amount.ts'
import type { Balance, HistoricalBalance, RebasedBalance } from '../../core/service/balances.ts'
import type { Deposit, LedgerEntry, RebasedDeposit } from '../../core/service/ledger.ts'
import type { RebasedWithdrawal, Withdrawal } from '../../core/service/withdrawals.ts'
import type { Column } from '../words/column.ts'
import {
  type Ask,
  amountField,
  assetColumn,
  codeField,
  detail,
  field,
  figure,
  idField,
  listing,
  type Query,
  single,
  spelled,
  timeField,
} from './columns.ts'
import { readSpellings, type Spellings } from './spelling.ts'

export const balances: Query = async ({ client, isRebased }) => {
  const spellings = await readSpellings(client)
  const rows: readonly (Balance | RebasedBalance)[] = await (isRebased ? client.rebased : client).balances()
  const columns: Column<Balance | RebasedBalance>[] = [
    assetColumn('assetSymbol', spellings),
    figure('balance', isRebased),
    figure('balanceFrozen', isRebased, 'frozen'),
    figure('balancePending', isRebased, 'pending'),
    detail(figure('balanceCapacityAvailable', isRebased, 'credit left')),
    amountField('balanceUSD', 'in USD'),
    detail(amountField('balancePrefCurrency', 'in preferred currency')),
    detail(amountField('multiplier')),
  ]
  return listing(columns, spelled(spellings, rows, assetOf))
}

export const withdrawals: Query = async (ask) => {
  const { client, argument, filters, isRebased, pageLimit } = ask
  const spellings = await readSpellings(client)
  const columns = withdrawalColumns(ask, spellings)
  const source = isRebased ? client.rebased : client
  if (argument !== undefined) {
    const withdrawal: Withdrawal | RebasedWithdrawal = await source.withdrawal(argument)
    return single(columns, spellings.spell(withdrawal, assetOf))
  }
  const rows: AsyncIterable<Withdrawal | RebasedWithdrawal> = source.walkWithdrawals(filters, { pageLimit })
  return listing(columns, spelled(spellings, rows, assetOf))
}

function withdrawalColumns({ isRebased }: Ask, spellings: Spellings): Column<Withdrawal | RebasedWithdrawal>[] {
  return [
    timeField('createdAt'),
    codeField('status', 'status'),
    detail(codeField('subType', 'subType')),
    assetColumn('assetSymbol', spellings),
    figure('amount', isRebased),
    figure('fee', isRebased),
    detail(figure('total', isRebased)),
    detail(field('networkId', 'network')),
    idField('transactionHash'),
    idField('bankReference'),
    idField('id', 'withdrawal'),
  ]
}

export const deposits: Query = async ({ client, filters, isRebased, pageLimit }) => {
  const spellings = await readSpellings(client)
  const source = isRebased ? client.rebased : client
  const rows: AsyncIterable<Deposit | RebasedDeposit> = source.walkDeposits(filters, { pageLimit })
  const columns: Column<Deposit | RebasedDeposit>[] = [
    timeField('createdAt'),
    codeField('status', 'status'),
    assetColumn('assetSymbol', spellings),
    figure('amount', isRebased),
    idField('id', 'deposit'),
  ]
  return listing(columns, spelled(spellings, rows, assetOf))
}

export const ledger: Query = async ({ client, filters, pageLimit }) => {
  const spellings = await readSpellings(client)
  const columns: Column<LedgerEntry>[] = [
    timeField('createdAt'),
    codeField('type', 'status'),
    assetColumn('assetSymbol', spellings),
    {
      title: 'amount',
      text: ({ amount, amountShown }) => amount ?? (amountShown === undefined ? '' : `${UNREADABLE}${amountShown}`),
      isAmount: true,
    },
    { title: 'source', text: ({ source }) => source?.type ?? '', words: 'status', isDetail: true },
    { title: 'source id', text: ({ source }) => source?.id ?? '', isId: true },
    idField('orderId', 'order'),
    idField('id', 'entry'),
  ]
  const rows: AsyncIterable<LedgerEntry> = client.walkLedger(filters, { pageLimit })
  return listing(columns, spelled(spellings, rows, assetOf))
}

export const history: Query = async ({ client, argument = '', filters, pageLimit }) => {
  const spellings = await readSpellings(client)
  const columns: Column<HistoricalBalance>[] = [
    timeField('date'),
    amountField('balance', 'balance at the end'),
    assetColumn('assetSymbol', spellings),
  ]
  const rows = client.walkBalanceHistory(argument, filters, { pageLimit })
  return listing(columns, spelled(spellings, rows, assetOf))
}

/** The settled code, even where figures are rebased. */
function assetOf({ assetSymbol }: { readonly assetSymbol?: string | null | undefined }): string | null | undefined {
  return assetSymbol
}
