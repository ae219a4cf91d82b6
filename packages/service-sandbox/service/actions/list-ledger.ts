// GET /v2/ledger: every change of the balance, newest first, always settled (no assetFormat).

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, opaqueId, optional } from '../fields.ts'
import { offsetParameters } from '../pagination.ts'
import { entriesOf, showEntry } from '../resources/ledger-resource.ts'

export const listLedger = action({
  method: 'GET',
  path: '/v2/ledger',
  summary: 'Changes of the balance',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: {
    ...offsetParameters,
    assetSymbol: optional(assetCode),
    orderId: optional(opaqueId),
    sourceId: optional(opaqueId),
  },
  answers: { 200: { offsetPageOf: 'LedgerEntry' } },
  answer: ({ world, query }) => {
    const symbol = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)?.symbol
    const isWhole = world.manners.entries === 'whole'
    return ok(
      world.lists.page(query, {
        // A long ledger is read by many pages, so whole entries are not copied for each of them.
        rows: isWhole ? world.ledger.statement : world.ledger.statement.flatMap((entry) => entriesOf(world, entry)),
        isNewestFirst: false,
        wanted: (entry) =>
          (query.assetSymbol === undefined || entry.asset === symbol) &&
          (query.orderId === undefined || entry.orderId === query.orderId) &&
          (query.sourceId === undefined || entry.source.id === query.sourceId),
        dateOf: ({ atMs }) => atMs,
        show: showEntry,
      }),
    )
  },
})
