// Defines the outcomes: the values on which a state machine branches and with which an execution ends. The outcomes of
// movements are here, those of runs in runs.ts. Also has the codes of the guards that refuse. An expected outcome is an output
// of a step, never an error.

/**
 * The guard that refused a movement, in its result. Absent: no guard did. Such an end is a certified zero and not a
 * failure. The codes are stable, because people's queries use them.
 */
export const GuardCode = {
  /** Less of the asset would be left than the floor. */
  Floor: 'floor',
  /** A quote is worse than the plan, the indicative price or the request allows. */
  Price: 'price',
  /** The amount exceeds the rest of a daily bound. */
  Budget: 'budget',
  /** The amount exceeds the bound of a single movement. */
  Largest: 'largest',
  /** The contact or the market is not on its list, or a bound cannot be checked. */
  Allowed: 'allowed',
  /** The deployment's guards have changed since a person approved the plan. */
  Approval: 'approval',
  /** The contact has changed since it was planned or checked. */
  Contact: 'contact',
} as const
export type GuardCode = (typeof GuardCode)[keyof typeof GuardCode]

/** The named ends of the Convert state machine, and the `outcome` of its result. */
export const ConvertEnd = {
  /** The order is filled. The result carries its fills. */
  Filled: 'FILLED',
  /** A quote was outside the price guard. Nothing was sent. */
  PriceRefused: 'PRICE_REFUSED',
  /** The attempts or the intent's time ran out. Each attempt is certified to have moved nothing. */
  ExpiredOut: 'EXPIRED_OUT',
  /** The request is not valid, or the service declined it. It is certified that nothing moved. */
  Rejected: 'REJECTED',
  /** The order ended FAILED (the result has its fills), or a fault stopped the execution before any send. */
  Failed: 'FAILED',
  /**
   * Our own fault stopped it before anything was sent: a key, a permission, the configuration or a bug. Nothing moved.
   * After the repair the same id continues, unless `why` says that it is closed. Raises an alarm.
   */
  OwnFault: 'OWN_FAULT',
  /** The order exists, but did not end within the time limit. Raises an alarm. */
  Stuck: 'STUCK',
  /** No step can find out whether money moved, or the order differs from the request. Raises an alarm. */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type ConvertEnd = (typeof ConvertEnd)[keyof typeof ConvertEnd]

/** Outcomes of a step after which the Convert state machine continues. */
export const ConvertStep = {
  Quoted: 'QUOTED',
  /** The journal already has more facts than a quote could add. The Order step reads it. */
  Recorded: 'RECORDED',
  /** A person has halted sending. Nothing is sent, and nothing is in doubt. */
  Held: 'HELD',
  /**
   * The step may not send until people approve the terms; otherwise the same as HELD. It is returned once for the same
   * terms, so that they are announced once.
   */
  AwaitingApproval: 'AWAITING_APPROVAL',
  /**
   * Order asks for a new quote, and nothing is in doubt. Reasons: the quote was too old or of another attempt, the
   * attempt moved nothing, the key was replaced, or a wait is over.
   */
  QuoteExpired: 'QUOTE_EXPIRED',
  /** Sent, with an unknown effect. `waitSeconds` says how long until the effect can be certified. */
  Uncertain: 'UNCERTAIN',
  Processing: 'PROCESSING',
} as const
export type ConvertStep = (typeof ConvertStep)[keyof typeof ConvertStep]

/** The named ends of the Withdraw state machine, and the `outcome` of its result. */
export const WithdrawEnd = {
  /** The service completed it. The result has the hash or the bank reference where one exists. */
  Completed: 'COMPLETED',
  /** The request, a check or the service declined it. It is certified that nothing moved. */
  Rejected: 'REJECTED',
  /** The attempts or the intent's time ran out. Each attempt is certified to have moved nothing. */
  Exhausted: 'EXHAUSTED',
  /** The service accepted it, then it failed, and the full total came back. */
  FailedRefunded: 'FAILED_REFUNDED',
  /** Our own fault stopped it before anything was sent, as in `ConvertEnd.OwnFault`. Raises an alarm. */
  OwnFault: 'OWN_FAULT',
  /** The withdrawal exists, but did not end within the time limit, or its refund did not appear. Raises an alarm. */
  Stuck: 'STUCK',
  /** It is uncertain whether money moved, or which movement is ours. Raises an alarm. */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type WithdrawEnd = (typeof WithdrawEnd)[keyof typeof WithdrawEnd]

/** Outcomes of a step after which the Withdraw state machine continues. */
export const WithdrawStep = {
  /** The checks passed, and the terms are frozen. */
  Checked: 'CHECKED',
  /** The journal already has more facts than the checks could add. */
  Recorded: 'RECORDED',
  /** Another intent holds the lane of this asset, or a person has halted sending. The step tries again later. */
  Held: 'HELD',
  /**
   * The step may not send until people approve the terms; otherwise the same as HELD. It is returned once for the same
   * terms, so that they are announced once.
   */
  AwaitingApproval: 'AWAITING_APPROVAL',
  /** The attempt is certified to have moved nothing. The next attempt may begin. */
  Again: 'AGAIN',
  /** Sent, with an unknown effect. `waitSeconds` says how long until the effect can be certified. */
  Uncertain: 'UNCERTAIN',
  Processing: 'PROCESSING',
} as const
export type WithdrawStep = (typeof WithdrawStep)[keyof typeof WithdrawStep]
