// GET /v2/time: service time, so that clients can measure their clock's offset before signing.

import { action, ok } from '../exchange.ts'
import { timeBody } from '../manners/bodies.ts'

export const getTime = action({
  method: 'GET',
  path: '/v2/time',
  summary: 'Service time',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'Time' },
  answer: ({ world, nowMs }) => ok(timeBody(world.manners, world.origin.seed, nowMs)),
})
