// Owns the names of state machines, of their states and of the functions behind them. A state that runs a function has one name
// with it and its folder: the state `PollOrder` runs `functions/poll-order`.
import type { IntentKind } from './records.ts'

/** State machines, by their deployed name without the environment's prefix. */
export const StateMachine = {
  Convert: 'sluice-convert',
  Withdraw: 'sluice-withdraw',
  Rebalance: 'sluice-rebalance',
  Sweep: 'sluice-sweep',
} as const
export type StateMachine = (typeof StateMachine)[keyof typeof StateMachine]

export const MACHINE_OF_INTENTS: Readonly<Record<IntentKind, StateMachine>> = {
  convert: StateMachine.Convert,
  withdraw: StateMachine.Withdraw,
}

/** Whether each execution of the machine belongs to one intent, and not to a run. */
export function isOfIntents(stateMachine: StateMachine): boolean {
  return stateMachine === StateMachine.Convert || stateMachine === StateMachine.Withdraw
}

export const ConvertState = {
  Quote: 'Quote',
  Order: 'Order',
  OrderOutcome: 'OrderOutcome',
  WaitForFence: 'WaitForFence',
  Announce: 'Announce',
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
  OwnFault: 'OwnFault',
  Stuck: 'Stuck',
  NeedsAttention: 'NeedsAttention',
} as const

export const WithdrawState = {
  CheckWithdrawal: 'CheckWithdrawal',
  Withdraw: 'Withdraw',
  WithdrawOutcome: 'WithdrawOutcome',
  WaitForFence: 'WaitForFence',
  Announce: 'Announce',
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
  OwnFault: 'OwnFault',
  Stuck: 'Stuck',
  NeedsAttention: 'NeedsAttention',
} as const

export const RebalanceState = {
  PlanRebalance: 'PlanRebalance',
  PlanOutcome: 'PlanOutcome',
  WaitForTurn: 'WaitForTurn',
  FirstLegs: 'FirstLegs',
  /** For each leg: a child execution of Convert, and the state after a leg that did not succeed. */
  FirstLeg: 'FirstLeg',
  FirstLegBroke: 'FirstLegBroke',
  PlanAgain: 'PlanAgain',
  LastLegs: 'LastLegs',
  LastLeg: 'LastLeg',
  LastLegBroke: 'LastLegBroke',
  SettleRun: 'SettleRun',
  /** SettleRun, after a step that failed for good. */
  SettleBrokenRun: 'SettleBrokenRun',
  BrokenOutcome: 'BrokenOutcome',
  OwnFault: 'OwnFault',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
} as const

export const SweepState = {
  PlanSweep: 'PlanSweep',
  PlanOutcome: 'PlanOutcome',
  WaitForTurn: 'WaitForTurn',
  ConvertLegs: 'ConvertLegs',
  ConvertLeg: 'ConvertLeg',
  ConvertLegBroke: 'ConvertLegBroke',
  WithdrawLegs: 'WithdrawLegs',
  WithdrawLeg: 'WithdrawLeg',
  WithdrawLegBroke: 'WithdrawLegBroke',
  SettleRun: 'SettleRun',
  /** SettleRun, after a step that failed for good. */
  SettleBrokenRun: 'SettleBrokenRun',
  BrokenOutcome: 'BrokenOutcome',
  OwnFault: 'OwnFault',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
} as const

/** Functions by their verb. Each is an export of its file of the bundle. */
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
  StartOnDeposit: 'startOnDeposit',
  StartOnFile: 'startOnFile',
  Announce: 'announce',
  Describe: 'describe',
  LookAgain: 'lookAgain',
  Decide: 'decide',
  ThrowSwitch: 'throwSwitch',
  Resume: 'resume',
  Resolve: 'resolve',
  DeclareForeign: 'declareForeign',
  Release: 'release',
  RequestRun: 'requestRun',
  Notify: 'notify',
} as const
export type Verb = (typeof Verb)[keyof typeof Verb]

/**
 * Files of the bundle. Separate files keep a function from loading code that it never runs, so that functions that move
 * money start faster.
 */
export const BundleFile = {
  /** Steps that move money. A quote lives for seconds while Order starts, so this file holds nothing else. */
  Movements: 'movements',
  Audit: 'audit',
  /** Plans of runs, and their settlement. */
  Runs: 'runs',
  /** Starts runs, announces ends, and describes the deployment. */
  Triggers: 'triggers',
  /** Reads files of payouts from S3, and starts their runs. */
  Files: 'files',
  /** Faces the internet. It is small, so it starts fast and holds little. */
  Webhooks: 'webhooks',
  People: 'people',
  /** Called by people about doubts. It reads with a key of the service, and starts nothing. */
  Doubts: 'doubts',
  /** Re-enters executions that stopped. It reads with a key of the service, and starts executions. */
  Recovery: 'recovery',
  /** Delivers notices. It posts to addresses outside, and reaches nothing else of ours. */
  Notices: 'notices',
} as const
export type BundleFile = (typeof BundleFile)[keyof typeof BundleFile]

const FILE_OF: Readonly<Record<Verb, BundleFile>> = {
  [Verb.Quote]: BundleFile.Movements,
  [Verb.Order]: BundleFile.Movements,
  [Verb.PollOrder]: BundleFile.Movements,
  [Verb.CheckWithdrawal]: BundleFile.Movements,
  [Verb.Withdraw]: BundleFile.Movements,
  [Verb.PollWithdrawal]: BundleFile.Movements,
  [Verb.Conclude]: BundleFile.Movements,
  [Verb.Reconcile]: BundleFile.Audit,
  [Verb.PlanRebalance]: BundleFile.Runs,
  [Verb.PlanSweep]: BundleFile.Runs,
  [Verb.SettleRun]: BundleFile.Runs,
  [Verb.StartRun]: BundleFile.Triggers,
  [Verb.ReceiveWebhook]: BundleFile.Webhooks,
  [Verb.StartOnDeposit]: BundleFile.Triggers,
  [Verb.StartOnFile]: BundleFile.Files,
  [Verb.Announce]: BundleFile.Triggers,
  [Verb.Describe]: BundleFile.Triggers,
  [Verb.LookAgain]: BundleFile.Recovery,
  [Verb.Decide]: BundleFile.People,
  [Verb.ThrowSwitch]: BundleFile.People,
  [Verb.Resume]: BundleFile.People,
  [Verb.Release]: BundleFile.People,
  [Verb.Resolve]: BundleFile.Doubts,
  [Verb.DeclareForeign]: BundleFile.Doubts,
  [Verb.RequestRun]: BundleFile.People,
  [Verb.Notify]: BundleFile.Notices,
}

/** A function's handler as Lambda names it: `<file>.<export>`. */
export function handlerOf(verb: Verb): string {
  return `${FILE_OF[verb]}.${verb}`
}
