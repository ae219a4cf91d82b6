// Names the faults that a run may meet at a sandbox: what the sandbox does, and at which request. This file is loaded
// with help, so it imports types only. The sandbox defines the faults (packages/service-sandbox/README.md).
import type { RunVerb } from '../../movements/intent-id.ts'

export interface FaultDefinition {
  /** In the words of the result. */
  readonly what: string
  /** The fault in the format of the sandbox's control API. */
  readonly fault: Readonly<Record<string, unknown>>
  /** The kind of request that can meet it. */
  readonly at: 'send' | 'quote' | 'order' | 'withdrawal'
}

const send = (what: string, fault: FaultDefinition['fault']): FaultDefinition => ({ what, fault, at: 'send' })
const quote = (what: string, kind: string): FaultDefinition => ({ what, fault: { kind }, at: 'quote' })
const badAnswer = (what: string, how: string) => send(what, { kind: 'badAnswer', how })

const PAUSE_MS = 2_000
const internalError = { status: 500, code: 'internal_error' }

/** By name. `send` is every request that moves money, and the first of each path meets the fault. */
export const FAULTS: Readonly<Record<string, FaultDefinition>> = {
  'lost-request': send('lost request', { kind: 'dropBeforeCommit' }),
  'lost-answer': send('lost answer', { kind: 'dropAfterCommit' }),
  'error-before': send('error before anything happened', { kind: 'errorBeforeCommit', ...internalError }),
  'error-after': send('error after everything happened', { kind: 'errorAfterCommit', ...internalError }),
  'rate-limit': send('rate limit', { kind: 'rateLimit', retryAfterSeconds: 1 }),
  'slow-request': send('slow request', { kind: 'delay', ms: PAUSE_MS, when: 'before' }),
  'slow-answer': send('slow answer', { kind: 'delay', ms: PAUSE_MS, when: 'after' }),
  'malformed-answer': badAnswer('malformed answer', 'malformed'),
  'empty-answer': badAnswer('empty answer', 'empty'),
  'html-answer': badAnswer('HTML answer', 'html'),
  'cut-off-answer': badAnswer('cut-off answer', 'cutOff'),
  'huge-answer': badAnswer('huge answer', 'huge'),
  'dripping-answer': badAnswer('dripping answer', 'slowDrip'),
  redirect: send('redirection', { kind: 'redirect', location: 'http://192.0.2.1/' }),
  'late-visibility': send('late visibility', { kind: 'lateVisibility', ms: PAUSE_MS }),
  'expired-quote': quote('expired quote', 'expireQuote'),
  'another-amount': {
    what: 'quote of another amount',
    fault: { kind: 'misquote', amount: '7' },
    at: 'quote',
  },
  'hidden-expiry': quote('quote without expiry', 'hideExpiry'),
  'odd-id': quote('odd id', 'oddId'),
  'late-fill': { what: 'late fill', fault: settling('fill'), at: 'order' },
  'failed-order': { what: 'failed order', fault: settling('fail'), at: 'order' },
  'partial-fill': { what: 'partial fill', fault: settling('partial'), at: 'order' },
  'failed-withdrawal': {
    what: 'failed withdrawal',
    fault: { kind: 'failLater', afterMs: PAUSE_MS },
    at: 'withdrawal',
  },
}

function settling(outcome: 'fill' | 'fail' | 'partial'): FaultDefinition['fault'] {
  return { kind: 'settleLater', afterMs: PAUSE_MS, outcome }
}

const QUOTES = '/v2/quotes'
const ORDERS = '/v2/orders'
const WITHDRAWALS = '/v2/withdrawals'

/** The paths of the POSTs that a run of the verb may make. */
const PATHS: Readonly<Record<RunVerb, readonly string[]>> = {
  convert: [QUOTES, ORDERS],
  withdraw: [WITHDRAWALS],
  rebalance: [QUOTES, ORDERS],
  sweep: [QUOTES, ORDERS, WITHDRAWALS],
}

const PLACES: Readonly<Record<FaultDefinition['at'], readonly string[]>> = {
  send: [ORDERS, WITHDRAWALS],
  quote: [QUOTES],
  order: [ORDERS],
  withdrawal: [WITHDRAWALS],
}

/** The paths at which a run of the verb may meet the fault; empty where it cannot. */
export function pathsOf({ at }: FaultDefinition, verb: RunVerb): readonly string[] {
  return PLACES[at].filter((path) => PATHS[verb].includes(path))
}

/** The names of the faults that a run of the verb may meet. */
export function faultNames(verb: RunVerb): readonly string[] {
  return Object.entries(FAULTS)
    .filter(([, definition]) => pathsOf(definition, verb).length > 0)
    .map(([name]) => name)
}
