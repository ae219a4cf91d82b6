// GET /v2/time: service time, to measure a clock's offset before signing.

import { action, ok } from '../exchange.ts'
import { ref } from '../openapi/schemas.ts'
import { showTime } from '../representation.ts'

export const getTime = action({
  method: 'GET',
  path: '/v2/time',
  summary: 'Service time',
  access: { tier: 'none' },
  query: {},
  answers: { 200: ref('Time') },
  answer: ({ nowMs }) => ok({ time: showTime(nowMs), epochMs: nowMs }),
})
