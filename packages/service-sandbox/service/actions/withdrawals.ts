// Answers reads of withdrawals.

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, isoTime, oneOf, optional, text } from '../fields.ts'
import { offsetParameters } from '../pagination.ts'
import { notFound } from '../problem.ts'
import type { Withdrawal } from '../records.ts'
import { isWithinEnd, showWithdrawal } from '../resources.ts'

export const getWithdrawal = action({
  method: 'GET',
  path: '/v2/withdrawals/{id}',
  summary: 'One withdrawal',
  access: { tier: 'bearer', scope: 'transfers:read' },
  query: { assetFormat },
  answers: { 200: 'Withdrawal' },
  answer: ({ world, nowMs, path, query }) => {
    const withdrawal = world.withdrawals.find(path.id)
    if (withdrawal === undefined || withdrawal.visibleAtMs > nowMs) throw notFound('withdrawal')
    return ok(showWithdrawal(withdrawal, query.assetFormat))
  },
})

export const listWithdrawals = action({
  method: 'GET',
  path: '/v2/withdrawals',
  summary: 'Withdrawals',
  access: { tier: 'bearer', scope: 'transfers:read' },
  query: {
    ...offsetParameters,
    assetSymbol: optional(assetCode),
    status: optional(text(32)),
    subType: optional(
      oneOf('INTERNAL', 'EXTERNAL_CRYPTO', 'EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY', 'NETWORK_FEE', 'TRANSFER_FEE'),
    ),
    assetFormat,
    startDate: optional(isoTime),
    endDate: optional(isoTime),
  },
  answers: { 200: { offsetPageOf: 'Withdrawal' } },
  answer: ({ world, nowMs, query }) => {
    const symbol = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)?.symbol
    const isWanted = (withdrawal: Withdrawal) =>
      withdrawal.visibleAtMs <= nowMs &&
      (query.assetSymbol === undefined || withdrawal.assetSymbol === symbol) &&
      (query.status === undefined || withdrawal.status === query.status) &&
      (query.subType === undefined || withdrawal.subType === query.subType) &&
      (query.startDate === undefined || withdrawal.createdAtMs >= query.startDate) &&
      isWithinEnd(world.manners, withdrawal.createdAtMs, query.endDate)
    const { list } = world.withdrawals
    return ok(
      world.lists.page(query, {
        rows: query.assetSymbol === undefined ? list : world.lists.ofAsset(list, isWanted, nowMs),
        isNewestFirst: true,
        wanted: isWanted,
        dateOf: ({ createdAtMs }) => createdAtMs,
        show: (withdrawal) => showWithdrawal(withdrawal, query.assetFormat),
      }),
    )
  },
})
