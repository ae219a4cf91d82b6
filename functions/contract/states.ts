// Names of state machines, their states and the functions behind them. A state, its folder
// and its function are one thing: the state `PollOrder` runs `functions/poll-order`.

/** State machines, by the name they are deployed under. */
export const StateMachine = {
  Convert: 'sluice-convert',
} as const
export type StateMachine = (typeof StateMachine)[keyof typeof StateMachine]

/**
 * An execution is named after its intent; one that enters the same intent again (after a halt,
 * say) adds this and a number. Ids of intents do not contain it.
 */
export const ENTRY_SEPARATOR = '_'

/** Name of the `entry`-th execution of an intent, counting from 1. */
export function executionName(intentId: string, entry = 1): string {
  return entry === 1 ? intentId : `${intentId}${ENTRY_SEPARATOR}${entry}`
}

/** States of the Convert state machine. */
export const ConvertState = {
  Quote: 'Quote',
  Order: 'Order',
  OrderOutcome: 'OrderOutcome',
  WaitForFence: 'WaitForFence',
  PollOrder: 'PollOrder',
  PollOutcome: 'PollOutcome',
  WaitToPoll: 'WaitToPoll',
  Conclude: 'Conclude',
  ConcludeOutcome: 'ConcludeOutcome',
  Unconcluded: 'Unconcluded',
  Filled: 'Filled',
  PriceRefused: 'PriceRefused',
  ExpiredOut: 'ExpiredOut',
  Rejected: 'Rejected',
  Failed: 'Failed',
  Stuck: 'Stuck',
  NeedsAttention: 'NeedsAttention',
} as const

/** Exports of the shared bundle, so `index.<name>` is a function's handler. */
export const Verb = {
  Quote: 'quote',
  Order: 'order',
  PollOrder: 'pollOrder',
  Conclude: 'conclude',
} as const
export type Verb = (typeof Verb)[keyof typeof Verb]
