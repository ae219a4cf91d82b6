// Defines the input and the output of three states of the Convert state machine: Quote, Order and PollOrder. Amounts are
// settled decimal strings, times ISO-8601. Shapes only: other rooms decide what the values mean for money.
import * as z from 'zod/mini'
import {
  amountText,
  assetCode,
  executionName,
  intentId,
  isoTime,
  opaqueId,
  policyName,
  refusedNow,
  sameCode,
  termsHash,
} from './fields.ts'
import { ConvertEnd, ConvertStep, GuardCode } from './outcomes.ts'

/** Input of an execution: what a caller requests. */
export const convertRequest = z
  .strictObject({
    baseAsset: assetCode,
    quoteAsset: assetCode,
    side: z.enum(['BUY', 'SELL'], 'BUY or SELL, of the base asset'),
    /** The asset that `amount` counts: the baseAsset or the quoteAsset. */
    amountAsset: assetCode,
    amount: amountText,
    /** Quote units per settled base unit: the highest rate to pay (BUY), or the lowest rate to accept (SELL). */
    worstRate: z.optional(amountText),
    /** Maximum units of the other asset, the one that `amount` does not count. A quote with more is refused. */
    most: z.optional(amountText),
    /** Basis points by which a quote may be worse than the indicative price at the start. */
    maxSlippageBps: z.optional(z.int('a whole number of basis points from 0 to 9999').check(z.gte(0), z.lte(9999))),
    /** The indicative rate of the plan. A quote may not be worse than this rate either by more than the slippage. */
    plannedRate: z.optional(amountText),
    /** Settled units of the sold asset that must stay in the account. If less would stay, nothing is sent. */
    keep: z.optional(amountText),
    /** From this moment on nothing is sent. */
    notAfter: z.optional(isoTime),
    /** The policy that asked for it. A halt of that policy stops it. */
    policy: z.optional(policyName),
    /** The run of that policy whose plan has this leg. The policy's guards are those of the plan. */
    run: z.optional(intentId),
    /** The id of the event that asked for it. The result repeats it, and nothing else uses it. */
    requestId: z.optional(intentId),
  })
  .check(
    z.refine(
      (request) =>
        sameCode(request.amountAsset, request.baseAsset) || sameCode(request.amountAsset, request.quoteAsset),
      {
        path: ['amountAsset'],
        error: 'one of the two legs: the baseAsset or the quoteAsset',
      },
    ),
    z.refine((request) => !sameCode(request.baseAsset, request.quoteAsset), {
      path: ['quoteAsset'],
      error: 'an asset other than the baseAsset',
    }),
    z.refine((request) => /[1-9]/.test(request.amount), { path: ['amount'], error: 'more than zero' }),
    z.refine((request) => request.worstRate === undefined || /[1-9]/.test(request.worstRate), {
      path: ['worstRate'],
      error: 'more than zero',
    }),
    z.refine((request) => request.plannedRate === undefined || /[1-9]/.test(request.plannedRate), {
      path: ['plannedRate'],
      error: 'more than zero',
    }),
  )
export type ConvertRequest = z.infer<typeof convertRequest>

/** A confirmable quote, in settled units. */
const quotedTerms = z.object({
  orderId: opaqueId,
  market: z.string(),
  /** Quote units per settled base unit. */
  rate: amountText,
  baseAmount: amountText,
  quoteAmount: amountText,
  /** Service time. Null means unknown, not expired. */
  expiresAt: z.nullable(isoTime),
  /** Prefix of the key that requested the quote, and the key's account where the key may read it. */
  kid: z.optional(z.string()),
  account: z.optional(z.string()),
})
export type QuotedTerms = z.infer<typeof quotedTerms>

export const quoteInput = z.object({
  execution: executionName,
  startedAt: isoTime,
  request: z.unknown(),
  /** The execution's state: at first its input, later Order's answer with the hash of the settled terms. */
  said: z.optional(z.unknown()),
})
export type QuoteInput = z.infer<typeof quoteInput>

/** The part of Order's answer that Quote uses. */
export const settledInput = z.object({ settled: termsHash })

/** State Quote: output. Without a quote, Order answers from the journal. */
export const quoteAnswer = z.object({
  intentId,
  outcome: z.string(),
  /** The attempt for which the quote was requested. A quote of another attempt is never executed. */
  attempt: z.optional(z.int()),
  quote: z.optional(quotedTerms),
  /** From Order's UNCERTAIN, HELD or AWAITING_APPROVAL answer: waits begun so far. */
  waits: z.optional(z.int().check(z.gte(0))),
  /** From the same answer: what the intent waits for. */
  why: z.optional(z.string()),
  /** Hash of the terms that Quote settled. Without it nothing is sent. */
  settled: z.optional(termsHash),
  /** Hash of the terms that were already announced as waiting for approval. */
  awaited: z.optional(termsHash),
  /** With RECORDED: Quote itself refused the intent. */
  refused: z.optional(refusedNow),
})
export type QuoteAnswer = z.infer<typeof quoteAnswer>

export const orderInput = z.object({
  /** The execution's own input, to compare with the journal's record. */
  request: z.unknown(),
  /** The answer of the previous step: Quote's, or Order's own UNCERTAIN, HELD or AWAITING_APPROVAL. */
  said: quoteAnswer,
})
export type OrderInput = z.infer<typeof orderInput>

export const pollOrderInput = z.object({
  intentId,
  /** Waits done so far between polls. The next wait grows with this number. */
  waits: z._default(z.int().check(z.gte(0)), 0),
})
export type PollOrderInput = z.input<typeof pollOrderInput>

const convertFill = z.object({
  id: z.string(),
  sequence: z.int(),
  baseAmount: amountText,
  quoteAmount: amountText,
  rate: amountText,
  executedAt: z.string(),
})
export type ConvertFill = z.infer<typeof convertFill>

/** Output of Order, PollOrder and Conclude, and at a named end the result of the execution. */
export const convertReport = z.object({
  outcome: z.enum({ ...ConvertEnd, ...ConvertStep }),
  intentId,
  /** Attempts begun, each with a quote of its own. At most one of them moved money. */
  attempts: z.optional(z.int()),
  orderId: z.optional(opaqueId),
  /** With HELD, AWAITING_APPROVAL, UNCERTAIN and QUOTE_EXPIRED: hash of the settled terms, for the next step. */
  settled: z.optional(termsHash),
  /** With AWAITING_APPROVAL: hash of the terms to be approved. With HELD: hash of the terms already announced. */
  awaited: z.optional(termsHash),
  market: z.optional(z.string()),
  side: z.optional(z.enum(['BUY', 'SELL'])),
  rate: z.optional(amountText),
  /** Amounts filled so far. */
  baseAmount: z.optional(amountText),
  quoteAmount: z.optional(amountText),
  fills: z.optional(z.array(convertFill)),
  /** One sentence, where the outcome is not a success. */
  why: z.optional(z.string()),
  /** With OWN_FAULT: the same id continues once our fault is repaired. Another id could move the money twice. */
  goesOn: z.optional(z.literal(true)),
  /** The guard that refused the movement. Such an end is not a failure. */
  guardedBy: z.optional(z.enum(GuardCode)),
  /**
   * Service time. With UNCERTAIN: when it can be certified that nothing moved. With AWAITING_APPROVAL: when sending is
   * no longer allowed.
   */
  until: z.optional(z.string()),
  /** With UNCERTAIN, HELD, AWAITING_APPROVAL and PROCESSING: seconds to wait before the next read. */
  waitSeconds: z.optional(z.int()),
  /** With the same outcomes: waits begun so far. */
  waits: z.optional(z.int()),
  /** With HELD: the step waits for another key. With PROCESSING: the key could not read the result. */
  keyAtFault: z.optional(z.literal(true)),
})
export type ConvertReport = z.infer<typeof convertReport>
