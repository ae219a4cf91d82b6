// GET /v2/balances: a plain array with a position for every asset that the account ever held or may owe.

import { ASSETS } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetFormat } from '../fields.ts'
import { showBalance } from '../resources/balance-resource.ts'

export const listBalances = action({
  method: 'GET',
  path: '/v2/balances',
  summary: 'Balances',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: { assetFormat },
  answers: { 200: { arrayOf: 'Balance' } },
  answer: ({ world, nowMs, query }) =>
    ok(
      ASSETS.filter(({ symbol }) => world.ledger.isHeld(symbol) || world.credit.capacity(symbol)).map((asset) =>
        showBalance(world, asset, query.assetFormat, nowMs),
      ),
    ),
})
