// Makes a conversion that is quoted and about to be ordered, and short forms of its result.
import { type ConvertFill, type ConvertReport, quoteAnswer } from '../../../core/contract/convert.ts'
import type { Timing } from '../../../core/contract/timing.ts'
import type { SendAnswer } from '../../../core/service/ports.ts'
import { quote } from '../../../functions/quote/quote.ts'
import {
  type FakePorts,
  type FakeService,
  type FakeTreasury,
  fakePorts,
  START_MS,
} from '../../helpers/fake-conversion-service.ts'

const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }

const startedAt = new Date(START_MS).toISOString()

export const quoteAgain = (ports: FakePorts, change: object = {}) =>
  quote({ execution: 'intent-1', startedAt, request: { ...REQUEST, ...change } }, ports)

export const intentOf = (ports: FakePorts) => ports.journal.find('intent-1', 'convert')

export const KEY_FAULTS = ['key_expired', 'key_revoked', 'invalid_signature', 'unauthorized']

export const unproven = (code: string, business = false): SendAnswer => ({
  kind: 'unproven',
  said: {
    code,
    ...(code !== 'no_answer' && { status: 422 }),
    business,
    text: `the service said ${code}`,
    ...(KEY_FAULTS.includes(code) && { keyAtFault: true }),
  },
})

/** The state machine's input to Order after an UNCERTAIN one: the whole answer. */
export const nextOf = (report: ConvertReport) => quoteAnswer.parse(report)

/** Ports after Quote, and the input of Order. */
export async function quoted(
  change: Partial<FakeService> = {},
  timing: Partial<Timing> = {},
  request: object = {},
  parts: FakeTreasury = {},
) {
  const ports = fakePorts(change, timing, parts)
  const input = await quoteAgain(ports, request)
  return { ports, input }
}

/** The size limit of Step Functions between states. */
export const STATE_BYTES = 262_144

/** Fills as the client gives them: with more fields than a report. */
export function fillsOf(count: number, note = 'PARTIALLY_FILLED'): ConvertFill[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${note}-${at}`,
    sequence: at + 1,
    baseAmount: '0.000200000000000001',
    quoteAmount: '10.000000000000000001',
    rate: '50000.000000000000000001',
    executedAt: '2026-01-01T00:00:01.000Z',
    orderId: 'order-1',
    market: 'BTC-USDC'.repeat(32),
    order: { status: note, filledBaseAmount: '0.1', filledQuoteAmount: '5000' },
  }))
}

/** The quote lives until second 5, and an accepted order shows within 60 s. Past 65 s absence is proof. */
/** A time past the fence of an order whose answer never came. Any other order is past its fence 15 s sooner. */
export const PAST_FENCE_MS = START_MS + 80_001
