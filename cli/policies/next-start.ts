// When a schedule starts a policy next. Pure.
import type { Schedule } from '../../core/contract/policies.ts'
import { parseExpression } from '../../embedded-aws/schedules/schedule-expression.ts'

/**
 * ISO-8601; undefined where it starts no more, and for a rate: that counts from when it was deployed, which no
 * file says. Throws ExpressionError for an expression that is none.
 */
export function nextStart({ expression, timeZone, start, end }: Schedule, nowMs: number): string | undefined {
  if (expression.startsWith('rate(')) return undefined
  // A start at the very moment counts.
  const afterMs = start === undefined ? nowMs : Math.max(nowMs, Date.parse(start) - 1)
  const nextMs = parseExpression(expression, timeZone).nextMs(afterMs, afterMs)
  if (nextMs === undefined || (end !== undefined && nextMs > Date.parse(end))) return undefined
  return new Date(nextMs).toISOString()
}
