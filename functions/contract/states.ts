// Names of state machines, their states and the functions behind them. A state, its folder
// and its function are one thing: the state `PollOrder` runs `functions/poll-order`.

/** State machines, by the name they are deployed under. */
export const StateMachine = {
  Convert: 'sluice-convert',
  Withdraw: 'sluice-withdraw',
  Rebalance: 'sluice-rebalance',
  Sweep: 'sluice-sweep',
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

/** States of the Rebalance state machine. */
export const RebalanceState = {
  PlanRebalance: 'PlanRebalance',
  PlanOutcome: 'PlanOutcome',
  FirstLegs: 'FirstLegs',
  /** For each of the legs: a child execution of Convert, and where one that did not succeed goes. */
  FirstLeg: 'FirstLeg',
  FirstLegBroke: 'FirstLegBroke',
  PlanAgain: 'PlanAgain',
  LastLegs: 'LastLegs',
  LastLeg: 'LastLeg',
  LastLegBroke: 'LastLegBroke',
  SettleRun: 'SettleRun',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
} as const

/** States of the Sweep state machine. */
export const SweepState = {
  PlanSweep: 'PlanSweep',
  PlanOutcome: 'PlanOutcome',
  ConvertLegs: 'ConvertLegs',
  ConvertLeg: 'ConvertLeg',
  ConvertLegBroke: 'ConvertLegBroke',
  WithdrawLegs: 'WithdrawLegs',
  WithdrawLeg: 'WithdrawLeg',
  WithdrawLegBroke: 'WithdrawLegBroke',
  SettleRun: 'SettleRun',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
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
  PlanRebalance: 'planRebalance',
  PlanSweep: 'planSweep',
  SettleRun: 'settleRun',
  StartRun: 'startRun',
  ReceiveWebhook: 'receiveWebhook',
  Announce: 'announce',
} as const
export type Verb = (typeof Verb)[keyof typeof Verb]
