// Names of state machines, their states and the functions behind them. A state, its folder
// and its function are one thing: the state `PollOrder` runs `functions/poll-order`.

/** State machines, by the name they are deployed under. */
export const StateMachine = {
  Convert: 'sluice-convert',
  Withdraw: 'sluice-withdraw',
} as const
export type StateMachine = (typeof StateMachine)[keyof typeof StateMachine]

/** States of the Convert state machine. */
export const ConvertState = {
  Quote: 'Quote',
  Order: 'Order',
  OrderOutcome: 'OrderOutcome',
  WaitForFence: 'WaitForFence',
  WaitForTurn: 'WaitForTurn',
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

/** States of the Withdraw state machine. */
export const WithdrawState = {
  CheckWithdrawal: 'CheckWithdrawal',
  Withdraw: 'Withdraw',
  WithdrawOutcome: 'WithdrawOutcome',
  WaitForFence: 'WaitForFence',
  WaitForTurn: 'WaitForTurn',
  PollWithdrawal: 'PollWithdrawal',
  PollOutcome: 'PollOutcome',
  WaitToPoll: 'WaitToPoll',
  Conclude: 'Conclude',
  ConcludeOutcome: 'ConcludeOutcome',
  Unconcluded: 'Unconcluded',
  Completed: 'Completed',
  Rejected: 'Rejected',
  Exhausted: 'Exhausted',
  FailedRefunded: 'FailedRefunded',
  Stuck: 'Stuck',
  NeedsAttention: 'NeedsAttention',
} as const

/** Exports of the shared bundle, so `index.<name>` is a function's handler. */
export const Verb = {
  Quote: 'quote',
  Order: 'order',
  PollOrder: 'pollOrder',
  CheckWithdrawal: 'checkWithdrawal',
  Withdraw: 'withdraw',
  PollWithdrawal: 'pollWithdrawal',
  Conclude: 'conclude',
  Reconcile: 'reconcile',
} as const
export type Verb = (typeof Verb)[keyof typeof Verb]
