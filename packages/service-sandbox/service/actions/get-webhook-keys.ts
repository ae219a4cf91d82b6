// GET /v2/.well-known/webhook-jwks.json: the public keys that verify webhook deliveries.

import { action } from '../exchange.ts'
import { publishedKeySet } from '../manners/key-set.ts'

export const getWebhookKeys = action({
  method: 'GET',
  path: '/v2/.well-known/webhook-jwks.json',
  summary: 'Key set for webhook signatures',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'WebhookKeySet' },
  answer: ({ world }) => publishedKeySet(world.manners, world.origin.seed),
})
