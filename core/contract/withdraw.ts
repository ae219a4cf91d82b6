// Input and output of every state of the Withdraw state machine. Amounts are settled decimal
// strings, times ISO-8601. Shapes only: what the values mean for money is decided elsewhere.
import * as z from 'zod/mini'
import {
  amountText,
  assetCode,
  contactId,
  executionName,
  intentId,
  isoTime,
  opaqueId,
  policyName,
  refusedNow,
  termsHash,
} from './fields.ts'
import { GuardCode, WithdrawEnd, WithdrawStep } from './outcomes.ts'

/** What a caller asks for: the input of an execution. */
export const withdrawRequest = z
  .strictObject({
    /** Settled code: the service takes no rebased ticker here. */
    assetSymbol: assetCode,
    amount: amountText,
    /** `deduct` (the default): `amount` is the total debited. `add`: `amount` is what arrives. */
    feeMode: z.optional(z.enum(['deduct', 'add'], 'deduct or add')),
    /** Needed where the stage is live. */
    contactId: z.optional(contactId),
    /**
     * An editable label: resolved once, at the start; the contact's id is frozen. Beside `contactId`, that contact must have it
     * as its reference or alias.
     */
    contactReference: z.optional(opaqueId),
    /** Settled units that may leave at most, fee included: with a dearer fee, nothing is sent. */
    most: z.optional(amountText),
    /** Settled units that must stay in the account: with less left, fee included, nothing is sent. */
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
    z.refine((request) => /[1-9]/.test(request.amount), { path: ['amount'], error: 'more than zero' }),
    z.refine((request) => request.contactId !== undefined || request.contactReference !== undefined, {
      path: ['contactId'],
      error: 'contactId, contactReference or both',
    }),
  )
export type WithdrawRequest = z.infer<typeof withdrawRequest>

/** State CheckWithdrawal: input. */
export const checkWithdrawalInput = z.object({ execution: executionName, startedAt: isoTime, request: z.unknown() })
export type CheckWithdrawalInput = z.infer<typeof checkWithdrawalInput>

/** State Withdraw: input. */
export const withdrawInput = z.object({
  /** The execution's own input: the journal's record is held against it. */
  request: z.unknown(),
  /** The answer of the step before: CheckWithdrawal's, or its own UNCERTAIN, HELD or AWAITING_APPROVAL one. */
  said: z.object({
    intentId,
    /** Hash of the terms that CheckWithdrawal settled. Without it nothing is sent. */
    settled: z.optional(termsHash),
    /** Hash of the terms of which it was told that people are to approve them. */
    awaited: z.optional(termsHash),
    /** Waits begun so far. */
    waits: z.optional(z.int().check(z.gte(0))),
  }),
})
export type WithdrawInput = z.infer<typeof withdrawInput>

/** State PollWithdrawal: input. */
export const pollWithdrawalInput = z.object({
  intentId,
  /** Waits done so far between polls; the next wait grows with it. */
  waits: z._default(z.int().check(z.gte(0)), 0),
})
export type PollWithdrawalInput = z.input<typeof pollWithdrawalInput>

/** A row that may be ours: what a person needs to decide. */
const withdrawalCandidate = z.object({
  id: z.string(),
  subType: z.string(),
  networkId: z.nullable(z.string()),
  amount: amountText,
  fee: amountText,
  total: amountText,
  status: z.string(),
  createdAt: z.string(),
  transactionHash: z.nullable(z.string()),
  bankReference: z.nullable(z.string()),
})
export type WithdrawalCandidate = z.infer<typeof withdrawalCandidate>

/** Output of every step; at a named end, the result of the run. */
export const withdrawReport = z.object({
  outcome: z.enum({ ...WithdrawEnd, ...WithdrawStep }),
  intentId,
  /** Attempts begun, each with a send of its own; at most one of them moved money. */
  attempts: z.optional(z.int()),
  withdrawalId: z.optional(opaqueId),
  /** With CHECKED, HELD, AWAITING_APPROVAL and UNCERTAIN: hash of the terms that were settled, for the step that sends. */
  settled: z.optional(termsHash),
  /** With AWAITING_APPROVAL: hash of the terms that people are to approve. With HELD: of those of which that was told. */
  awaited: z.optional(termsHash),
  assetSymbol: z.optional(z.string()),
  /** What arrives: without the fee. */
  amount: z.optional(amountText),
  fee: z.optional(amountText),
  /** What is debited. */
  total: z.optional(amountText),
  transactionHash: z.optional(z.nullable(z.string())),
  bankReference: z.optional(z.nullable(z.string())),
  /** With NEEDS_ATTENTION: the rows among which a person decides. */
  candidates: z.optional(z.array(withdrawalCandidate)),
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
  /** With RECORDED: CheckWithdrawal itself has refused it. */
  refused: z.optional(refusedNow),
})
export type WithdrawReport = z.infer<typeof withdrawReport>

/**
 * Statuses in which a withdrawal has failed for good. The service names PENDING and COMPLETED
 * only; any other status than these is still moving.
 */
export const FAILED_WITHDRAWAL_STATUSES: ReadonlySet<string> = new Set([
  'FAILED',
  'REJECTED',
  'CANCELLED',
  'CANCELED',
  'RETURNED',
  'REFUNDED',
  'EXPIRED',
])
