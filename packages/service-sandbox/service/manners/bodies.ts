// Adds to answers what the description does not name: extra fields, times that are not the present, and extra statuses
// of withdrawals. Everything described stays.
import type { WithdrawalStep } from '../records.ts'
import { showTime } from '../representation.ts'
import { seededNumber } from '../seeded.ts'
import type { Manners } from './manners.ts'

const MINUTE_MS = 60_000

/**
 * Bodies of /v2/time, whose fields the description leaves open. In each, another time looks more precise than the
 * present.
 */
const TIME_BODIES: readonly ((nowMs: number) => Record<string, unknown>)[] = [
  (nowMs) => ({
    serviceWindowEndsAt: showTime(nowMs + 135 * MINUTE_MS),
    currentMaintenanceUntil: null,
    time: `${showTime(nowMs).slice(0, 19)}Z`,
  }),
  // Only the Date header shows the present.
  (nowMs) => ({
    currentMaintenanceUntil: showTime(nowMs + 45 * MINUTE_MS),
    serviceStartedAt: showTime(nowMs - 4_320 * MINUTE_MS),
  }),
  (nowMs) => ({
    serverStartedAt: nowMs - 4_320 * MINUTE_MS,
    serviceWindowEndsAt: nowMs + 135 * MINUTE_MS,
    timestamp: Math.floor(nowMs / 1000),
  }),
]

export function timeBody({ bodies }: Manners, seed: string, nowMs: number): Record<string, unknown> {
  if (bodies === 'plain') return { time: showTime(nowMs), epochMs: nowMs }
  const shape = TIME_BODIES[seededNumber(seed, 'time body') % TIME_BODIES.length]
  return shape === undefined ? {} : shape(nowMs)
}

const UNNAMED_FIELDS = {
  _links: { self: null },
  metadata: { tags: [], revision: 7 },
  valueDate: '2001-01-01',
  networkFee: '0.000',
  requestedAmount: null,
}

/** Adds undescribed fields to the body, and to each item of a list. */
export function withUndescribedFields({ bodies }: Manners, body: unknown): unknown {
  if (bodies === 'plain') return body
  if (Array.isArray(body)) return body.map(withUnnamed)
  const whole = withUnnamed(body)
  return isObject(whole) && Array.isArray(whole.data) ? { ...whole, data: whole.data.map(withUnnamed) } : whole
}

function withUnnamed(value: unknown): unknown {
  return isObject(value) ? { ...UNNAMED_FIELDS, ...value } : value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Statuses that a withdrawal accepted at `atMs` passes before the first of `steps`. */
export function unnamedSteps({ bodies }: Manners, atMs: number, steps: readonly WithdrawalStep[]): WithdrawalStep[] {
  const [first] = steps
  if (bodies === 'plain' || first === undefined || first.atMs <= atMs) return []
  const part = (share: number) => atMs + Math.ceil((first.atMs - atMs) * share)
  return [
    { atMs: part(0.25), status: 'AWAITING_REVIEW' },
    { atMs: part(0.5), status: 'REVIEWED' },
  ]
}
