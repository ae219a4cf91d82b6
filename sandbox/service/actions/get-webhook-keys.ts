// GET /v2/.well-known/webhook-jwks.json: the public keys that webhook deliveries verify with.

import { action, ok } from '../exchange.ts'
import { COMPONENTS } from '../openapi/schemas.ts'
import { webhookKeySet } from '../webhooks/webhook-key.ts'

export const getWebhookKeys = action({
  method: 'GET',
  path: '/v2/.well-known/webhook-jwks.json',
  summary: 'Key set for webhook signatures',
  access: { tier: 'none' },
  query: {},
  answers: { 200: COMPONENTS.WebhookKeySet },
  answer: ({ world }) => ok(webhookKeySet(world.origin.seed)),
})
