// GET /v2/account: the account of the key.

import { action, ok } from '../exchange.ts'
import { showAccount } from '../resources/account-resource.ts'

export const getAccount = action({
  method: 'GET',
  path: '/v2/account',
  summary: 'The account',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: {},
  answers: { 200: 'Account' },
  answer: ({ world }) => ok(showAccount(world)),
})
