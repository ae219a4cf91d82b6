// GET /v2/withdrawals/{id}: one withdrawal.

import { action, ok } from '../exchange.ts'
import { assetFormat } from '../fields.ts'
import { notFound } from '../problem.ts'
import { showWithdrawal } from '../resources/withdrawal-resource.ts'

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
