// Input and output of every state of the Convert state machine. Amounts are settled decimal
// strings, times ISO-8601. Shapes only: what the values mean for money is decided elsewhere.
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

/** What a caller asks for: the input of an execution. */
export const convertRequest = z
  .strictObject({
    baseAsset: assetCode,
    quoteAsset: assetCode,
    side: z.enum(['BUY', 'SELL'], 'BUY or SELL, of the base asset'),
    /** The leg that `amount` counts: equals baseAsset or quoteAsset. */
    amountAsset: assetCode,
    amount: amountText,
    /** Quote units per settled base unit: the most to pay (BUY), the least to take (SELL). */
    worstRate: z.optional(amountText),
    /** Units of the other leg than the one that `amount` counts: a quote with more is refused. */
    most: z.optional(amountText),
    /** Basis points by which a quote may be worse than the indicative price at the start. */
    maxSlippageBps: z.optional(z.int('a whole number of basis points from 0 to 9999').check(z.gte(0), z.lte(9999))),
    /** The indicative rate by which it was planned: a quote may not be worse than that either by more than the slippage. */
    plannedRate: z.optional(amountText),
    /** Settled units of what is given up that must stay in the account: with less left, nothing is sent. */
    keep: z.optional(amountText),
    /** Nothing is sent from this moment on. */
    notAfter: z.optional(isoTime),
    /** The policy on whose behalf: a halt of that policy stops it. */
    policy: z.optional(policyName),
    /** The run of that policy, whose plan this is a leg of: the policy's guards are those of the plan. */
    run: z.optional(intentId),
    /** The id of the event that asked for it, told back with the result. It means nothing here. */
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
  /** Service time; null is unknown, not expired. */
  expiresAt: z.nullable(isoTime),
  /** The prefix of the key that asked for it, and its account where it may read that: a quote is of one account. */
  kid: z.optional(z.string()),
  account: z.optional(z.string()),
})
export type QuotedTerms = z.infer<typeof quotedTerms>

/** State Quote: input. */
export const quoteInput = z.object({
  execution: executionName,
  startedAt: isoTime,
  request: z.unknown(),
  /** The execution's state: its input at first, and later Order's answer with the hash of what was settled. */
  said: z.optional(z.unknown()),
})
export type QuoteInput = z.infer<typeof quoteInput>

/** The part of Order's answer that Quote goes on with. */
export const handedOn = z.object({ settled: termsHash })

/** State Quote: output. Without a quote, Order answers from the journal. */
export const quoteAnswer = z.object({
  intentId,
  outcome: z.string(),
  /** The attempt that the quote was asked for; a quote of another attempt is never executed. */
  attempt: z.optional(z.int()),
  quote: z.optional(quotedTerms),
  /** From its own UNCERTAIN, HELD or AWAITING_APPROVAL answer: waits begun so far. */
  waits: z.optional(z.int().check(z.gte(0))),
  /** From the same: what it waits for. */
  why: z.optional(z.string()),
  /** Hash of the terms that Quote settled. Without it nothing is sent. */
  settled: z.optional(termsHash),
  /** Hash of the terms of which it was told that people are to approve them. */
  awaited: z.optional(termsHash),
  /** With RECORDED: Quote itself has refused it. */
  refused: z.optional(refusedNow),
})
export type QuoteAnswer = z.infer<typeof quoteAnswer>

/** State Order: input. */
export const orderInput = z.object({
  /** The execution's own input: the journal's record is held against it. */
  request: z.unknown(),
  /** The answer of the step before: Quote's, or its own UNCERTAIN, HELD or AWAITING_APPROVAL one. */
  said: quoteAnswer,
})
export type OrderInput = z.infer<typeof orderInput>

/** State PollOrder: input. */
export const pollOrderInput = z.object({
  intentId,
  /** Waits done so far between polls; the next wait grows with it. */
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

/** Output of Order, PollOrder and Conclude; at a named end, the result of the run. */
export const convertReport = z.object({
  outcome: z.enum({ ...ConvertEnd, ...ConvertStep }),
  intentId,
  /** Attempts begun, each with a quote of its own; at most one of them moved money. */
  attempts: z.optional(z.int()),
  orderId: z.optional(opaqueId),
  /** With HELD, AWAITING_APPROVAL, UNCERTAIN and QUOTE_EXPIRED: hash of the terms that were settled, for the step that comes next. */
  settled: z.optional(termsHash),
  /** With AWAITING_APPROVAL: hash of the terms that people are to approve. With HELD: of those of which that was told. */
  awaited: z.optional(termsHash),
  market: z.optional(z.string()),
  side: z.optional(z.enum(['BUY', 'SELL'])),
  rate: z.optional(amountText),
  /** Filled so far. */
  baseAmount: z.optional(amountText),
  quoteAmount: z.optional(amountText),
  fills: z.optional(z.array(convertFill)),
  /** One sentence, where the outcome is not a success. */
  why: z.optional(z.string()),
  /** With OWN_FAULT: this very id goes on once what is ours is put right. Asked again under another id, it would move twice. */
  goesOn: z.optional(z.literal(true)),
  /** The guard that refused it: then it is no failure. */
  guardedBy: z.optional(z.enum(GuardCode)),
  /** Service time. With UNCERTAIN: it is certified then that nothing moved. With AWAITING_APPROVAL: nothing is sent from then on. */
  until: z.optional(z.string()),
  /** With UNCERTAIN, HELD, AWAITING_APPROVAL and PROCESSING: seconds to wait before the next look. */
  waitSeconds: z.optional(z.int()),
  /** With the same: waits begun so far. */
  waits: z.optional(z.int()),
  /** With HELD: it waits for another key. With PROCESSING: the key of the step that has sent could not look. */
  keyAtFault: z.optional(z.literal(true)),
})
export type ConvertReport = z.infer<typeof convertReport>
