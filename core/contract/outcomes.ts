// Outcomes: the words on which a state machine branches and with which a run ends.
// An expected outcome is an output of a step, never an error. Written once, here.

/**
 * With an end: the guard that refused the movement. Absent: no guard did. A guard that refuses has worked: such an
 * end is a certified zero, and no failure. The codes are stable: people's queries go by them.
 */
export const GuardCode = {
  /** Less would be left of the asset than is to stay. */
  Floor: 'floor',
  /** A quote is worse than the plan, the indicative price or the request allows. */
  Price: 'price',
  /** More than is left of a day. */
  Budget: 'budget',
  /** More than one movement may be. */
  Largest: 'largest',
  /** To a contact, or on a market, that is on no list; or a bound that cannot be checked. */
  Allowed: 'allowed',
  /** The deployment's guards are others than those that a person approved the plan under. */
  Approval: 'approval',
  /** The contact is not as it was planned or checked. */
  Contact: 'contact',
} as const
export type GuardCode = (typeof GuardCode)[keyof typeof GuardCode]

/** The named ends of the Convert state machine, and the `outcome` of its result. */
export const ConvertEnd = {
  /** The order is filled; the result carries its fills. */
  Filled: 'FILLED',
  /** A quote was outside the price guard; nothing was sent. */
  PriceRefused: 'PRICE_REFUSED',
  /** The attempts or the intent's time ran out, each attempt certified to have moved nothing. */
  ExpiredOut: 'EXPIRED_OUT',
  /** The request or the service said a business no; certified to have moved nothing. */
  Rejected: 'REJECTED',
  /** The order ended FAILED (the result says what was filled), or a fault stopped the run before any send. */
  Failed: 'FAILED',
  /**
   * What is ours stood in the way before anything was sent: a key, a permission, the configuration or a bug. Nothing
   * moved. Once it is put right the same id goes on, unless `why` says that it is closed. Raises an alarm.
   */
  OwnFault: 'OWN_FAULT',
  /** The order exists, but did not reach an end within the time limit. Raises an alarm. */
  Stuck: 'STUCK',
  /**
   * Whether money moved is not certain, and no step can make it so; or the order is not what was asked for. Raises an
   * alarm.
   */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type ConvertEnd = (typeof ConvertEnd)[keyof typeof ConvertEnd]

/** Outcomes of a step after which the Convert state machine goes on. */
export const ConvertStep = {
  /** A quote is in hand. */
  Quoted: 'QUOTED',
  /** The journal already knows more than a quote could add: the Order step reads it. */
  Recorded: 'RECORDED',
  /** A person has halted sending; nothing is sent, and nothing in doubt. */
  Held: 'HELD',
  /** As HELD, until people approve its terms: said once of these terms, so that it is told. */
  AwaitingApproval: 'AWAITING_APPROVAL',
  /**
   * Order asks for a new quote, and nothing is in doubt. Its quote was too old or of another attempt, the attempt moved
   * nothing, the key was replaced, or a wait is over.
   */
  QuoteExpired: 'QUOTE_EXPIRED',
  /** Sent, not known; `waitSeconds` says how long until it can be certified. */
  Uncertain: 'UNCERTAIN',
  /** The order exists and is not yet at an end. */
  Processing: 'PROCESSING',
} as const
export type ConvertStep = (typeof ConvertStep)[keyof typeof ConvertStep]

/** The named ends of the Withdraw state machine, and the `outcome` of its result. */
export const WithdrawEnd = {
  /** The service completed it; hash or bank reference recorded where there is one. */
  Completed: 'COMPLETED',
  /** The request, a check or the service said a business no; certified to have moved nothing. */
  Rejected: 'REJECTED',
  /** The attempts or the intent's time ran out, each attempt certified to have moved nothing. */
  Exhausted: 'EXHAUSTED',
  /** It failed after it was accepted, and the full total was seen to come back. */
  FailedRefunded: 'FAILED_REFUNDED',
  /** As of a conversion: what is ours stood in the way before anything was sent. Raises an alarm. */
  OwnFault: 'OWN_FAULT',
  /** It exists, but did not reach an end (or its refund was not seen) within the time limit. Raises an alarm. */
  Stuck: 'STUCK',
  /** Whether money moved is not certain, or which movement is ours is not. Raises an alarm. */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type WithdrawEnd = (typeof WithdrawEnd)[keyof typeof WithdrawEnd]

/** Outcomes of a step after which the Withdraw state machine goes on. */
export const WithdrawStep = {
  /** The checks passed, and what was asked for is frozen. */
  Checked: 'CHECKED',
  /** The journal already knows more than the checks could add. */
  Recorded: 'RECORDED',
  /** Another intent holds the lane of this asset, or a person has halted sending; try again later. */
  Held: 'HELD',
  /** As HELD, until people approve its terms: said once of these terms, so that it is told. */
  AwaitingApproval: 'AWAITING_APPROVAL',
  /** The attempt is certified to have moved nothing; the next may be made. */
  Again: 'AGAIN',
  /** Sent, not known; `waitSeconds` says how long until it can be certified. */
  Uncertain: 'UNCERTAIN',
  /** The withdrawal exists and is not yet at an end. */
  Processing: 'PROCESSING',
} as const
export type WithdrawStep = (typeof WithdrawStep)[keyof typeof WithdrawStep]
