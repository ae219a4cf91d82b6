// Runs the queries for reference data: assets, markets and contacts. Writes nothing.

import type { Asset, Network } from '../../core/service/assets.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { Market } from '../../core/service/markets.ts'
import type { Column } from '../words/column.ts'
import {
  amountField,
  codeField,
  detail,
  field,
  idField,
  labelField,
  listing,
  type Query,
  single,
  timeField,
} from './columns.ts'
import { bothCodes } from './spelling.ts'

export const assets: Query = async ({ client, argument }) => {
  const columns: Column<Asset>[] = [
    { title: 'asset', text: spellingOf, cutTo: 12 },
    labelField('assetClass', 'class'),
    labelField('assetName', 'name'),
    amountField('amountIncrement', 'increment'),
    detail(amountField('minimumDeposit')),
    amountField('minimumWithdrawal'),
    detail(amountField('minimumInternalWithdrawal', 'minimum internal')),
    detail(amountField('maxIndicativeQuoteAmount', 'most indicative')),
    detail(amountField('rebaseMultiplier', 'multiplier')),
  ]
  if (argument === undefined) return listing(columns, await client.assets())
  const asset = await client.asset(argument)
  const { networks } = asset
  return single(columns, asset, { columns: networkColumns, records: networks })
}

function spellingOf({ assetSymbol, rebasedSymbol }: Asset): string {
  return bothCodes({ settledSymbol: assetSymbol, rebasedSymbol })
}

const networkColumns: readonly Column<Network>[] = [
  labelField('networkId', 'network'),
  labelField('networkName', 'name'),
  amountField('withdrawalFee', 'fee'),
  amountField('minimumWithdrawal', 'minimum sent'),
  detail(labelField('assetType', 'standard')),
  detail(labelField('networkNativeAsset', 'native asset')),
  detail(field('evmChainId', 'EVM chain')),
]

export const markets: Query = async ({ client, argument }) => {
  const columns: Column<Market>[] = [
    labelField('id', 'market'),
    {
      title: 'base asset',
      text: (row) => bothCodes({ settledSymbol: row.baseAsset, rebasedSymbol: row.rebasedBaseAsset }),
      cutTo: 12,
    },
    labelField('quoteAsset'),
    amountField('minBaseAmount', 'least base'),
    amountField('minQuoteAmount', 'least quote'),
  ]
  return argument === undefined
    ? listing(columns, await client.markets())
    : single(columns, await client.market(argument))
}

export const contacts: Query = async ({ client, argument, filters, pageLimit }) => {
  if (argument !== undefined) return single(contactColumns, await client.contact(argument))
  return listing(contactColumns, client.walkContacts(filters, { pageLimit }))
}

export const contactColumns: readonly Column<Contact>[] = [
  labelField('alias'),
  labelField('reference'),
  codeField('type', 'contact'),
  { title: 'asset', text: ({ crypto, bank }) => crypto?.assetSymbol ?? bank?.assetSymbol ?? '', cutTo: 5 },
  { title: 'network', text: ({ crypto }) => crypto?.networkId ?? '', isDetail: true },
  {
    title: 'bank',
    text: ({ bank }) => [bank?.bankName, bank?.bankAccountNumber].filter(Boolean).join(' '),
    isDetail: true,
  },
  detail(timeField('updatedAt')),
  idField('id', 'contact'),
]
