// GET /v2/health: always 200; the body holds the state.

import { action, ok } from '../exchange.ts'
import { showTime } from '../representation.ts'

export const getHealth = action({
  method: 'GET',
  path: '/v2/health',
  summary: 'Whether the service is up',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'Health' },
  answer: ({ world, nowMs }) => ok({ status: world.inMaintenance ? 'MAINTENANCE' : 'OK', time: showTime(nowMs) }),
})
