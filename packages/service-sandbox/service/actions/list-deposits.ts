// GET /v2/deposits: the deposits, newest first.

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, optional } from '../fields.ts'
import { offsetParameters } from '../pagination.ts'
import { showDeposit } from '../resources/deposit-resource.ts'

export const listDeposits = action({
  method: 'GET',
  path: '/v2/deposits',
  summary: 'Deposits',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: { ...offsetParameters, assetSymbol: optional(assetCode), assetFormat },
  answers: { 200: { offsetPageOf: 'Deposit' } },
  answer: ({ world, query }) => {
    const symbol = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)?.symbol
    return ok(
      world.lists.page(query, {
        rows: world.deposits,
        isNewestFirst: false,
        wanted: (deposit) => query.assetSymbol === undefined || deposit.assetSymbol === symbol,
        dateOf: ({ createdAtMs }) => createdAtMs,
        show: (deposit) => showDeposit(deposit, query.assetFormat),
      }),
    )
  },
})
