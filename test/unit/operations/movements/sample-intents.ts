// Intents and executions with fixed figures, as the journal and Step Functions keep them.

import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import type { OpenConversion, OpenWithdrawal } from '../../../../core/journal/intent.ts'
import type { ExecutionHistory, HistoryStep } from '../../../../place/executions/execution-history.ts'
import { attemptAt, CONVERSION, WITHDRAWAL } from '../../../helpers/intents.ts'

export const timing = timingSchema.parse({})

const facts = {
  ...{ paramsHash: '', createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z', version: 1 },
  attemptNumber: 1,
  state: 'READY',
} as const

export const conversion: OpenConversion = { ...CONVERSION, ...facts, intentId: 'cv-1' }
export const withdrawal: OpenWithdrawal = { ...WITHDRAWAL, ...facts, intentId: 'wd-1' }

/** Signed at midnight. The quote is good for 5 s. */
export const orderSent = attemptAt('order-1')
export const withdrawalSent = {
  ...{ owner: 'owner-1', nonce: 'nonce-1', kid: orderSent.kid, iat: orderSent.iat, exp: orderSent.exp },
  ...{
    bodySha256: '',
    fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
    fee: '0',
    since: '2025-12-31T00:00:00.000Z',
    known: [{ id: 'w-0', at: '2025-12-31T12:00:00.000Z' }],
  },
}

/** The report of a send whose connection broke. */
export const LOST = { code: 'timed_out', business: false, text: 'no answer from the service within 15 s' } as const

/** That many seconds after midnight. */
export const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()

export const left = (seconds: number, state: string, output: Readonly<Record<string, unknown>>): HistoryStep => ({
  did: 'left',
  at: at(seconds),
  state,
  output,
})

export const quoted = (seconds: number, attempt: number, orderId: string): HistoryStep =>
  left(seconds, 'Quote', {
    ...{ intentId: 'cv-1', outcome: 'QUOTED', attempt },
    quote: { orderId, ...orderSent.terms, expiresAt: at(seconds + 5) },
  })

export const ended = (steps: readonly HistoryStep[], status = 'SUCCEEDED', error?: string): ExecutionHistory => ({
  ...{ name: 'cv-1', status, startedAt: at(0), endedAt: at(200), steps },
  ...(error !== undefined && { error }),
})
