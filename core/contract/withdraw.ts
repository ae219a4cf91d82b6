// Defines the input and the output of three states of the Withdraw state machine: CheckWithdrawal, Withdraw and PollWithdrawal.
// Amounts are settled decimal strings, times ISO-8601. Shapes only: other rooms decide what the values mean for money.
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
import { askedLabel } from './payee.ts'

/** Input of an execution: what a caller requests. */
export const withdrawRequest = z
  .strictObject({
    /** Settled code: the service takes no rebased ticker here. */
    assetSymbol: assetCode,
    amount: amountText,
    /** `deduct` (the default): `amount` is the total debited. `add`: `amount` is what the contact receives. */
    feeMode: z.optional(z.enum(['deduct', 'add'], 'deduct or add')),
    /** Required where the stage is live. */
    contactId: z.optional(contactId),
    /**
     * An editable label. It is resolved once, at the start, and the contact's id is frozen. With `contactId`, that
     * contact must have this label as its reference or alias.
     */
    contactReference: z.optional(askedLabel),
    /** Most settled units that may leave, fee included. With a higher fee nothing is sent. */
    most: z.optional(amountText),
    /** Settled units that must stay in the account. If less would stay, fee included, nothing is sent. */
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
    z.refine((request) => /[1-9]/.test(request.amount), { path: ['amount'], error: 'more than zero' }),
    z.refine((request) => request.contactId !== undefined || request.contactReference !== undefined, {
      path: ['contactId'],
      error: 'contactId, contactReference or both',
    }),
  )
export type WithdrawRequest = z.infer<typeof withdrawRequest>

export const checkWithdrawalInput = z.object({ execution: executionName, startedAt: isoTime, request: z.unknown() })
export type CheckWithdrawalInput = z.infer<typeof checkWithdrawalInput>

export const withdrawInput = z.object({
  /** The execution's own input, to compare with the journal's record. */
  request: z.unknown(),
  /** The answer of the previous step: CheckWithdrawal's, or Withdraw's own UNCERTAIN, HELD or AWAITING_APPROVAL. */
  said: z.object({
    intentId,
    /** Hash of the terms that CheckWithdrawal settled. Without it nothing is sent. */
    settled: z.optional(termsHash),
    /** Hash of the terms that were already announced as waiting for approval. */
    awaited: z.optional(termsHash),
    /** Waits begun so far. */
    waits: z.optional(z.int().check(z.gte(0))),
  }),
})
export type WithdrawInput = z.infer<typeof withdrawInput>

export const pollWithdrawalInput = z.object({
  intentId,
  /** Waits done so far between polls. The next wait grows with this number. */
  waits: z._default(z.int().check(z.gte(0)), 0),
})
export type PollWithdrawalInput = z.input<typeof pollWithdrawalInput>

/** A row that may be ours, with the facts that a person needs to decide. */
export const withdrawalCandidate = z.object({
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

/** Output of every step, and at a named end the result of the execution. */
export const withdrawReport = z.object({
  outcome: z.enum({ ...WithdrawEnd, ...WithdrawStep }),
  intentId,
  /** Attempts begun, each with at most one send. At most one of them moved money. */
  attempts: z.optional(z.int()),
  withdrawalId: z.optional(opaqueId),
  /** With CHECKED, HELD, AWAITING_APPROVAL and UNCERTAIN: hash of the settled terms, for the step that sends. */
  settled: z.optional(termsHash),
  /** With AWAITING_APPROVAL: hash of the terms to be approved. With HELD: hash of the terms already announced. */
  awaited: z.optional(termsHash),
  assetSymbol: z.optional(z.string()),
  /** The amount that the contact receives, without the fee. */
  amount: z.optional(amountText),
  fee: z.optional(amountText),
  /** The amount that the account is debited. */
  total: z.optional(amountText),
  transactionHash: z.optional(z.nullable(z.string())),
  bankReference: z.optional(z.nullable(z.string())),
  /** With NEEDS_ATTENTION: the rows from which a person chooses. */
  candidates: z.optional(z.array(withdrawalCandidate)),
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
  /** With PROCESSING: the service calls the withdrawal failed, and its refund is not proven. */
  isRefundDue: z.optional(z.literal(true)),
  /**
   * With FAILED_REFUNDED: no entry of the ledger names the refund. The account's balance is as without the withdrawal, which
   * a credit of the same amount would show too.
   */
  isByBalance: z.optional(z.literal(true)),
  /** With RECORDED: CheckWithdrawal itself refused the intent. */
  refused: z.optional(refusedNow),
})
export type WithdrawReport = z.infer<typeof withdrawReport>

/**
 * Statuses in which a withdrawal has failed for good. The service documents only PENDING and COMPLETED. Any other
 * status counts as still moving.
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
