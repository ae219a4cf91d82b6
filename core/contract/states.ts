// Names of state machines, their states and the functions behind them. A state, its folder
// and its function are one thing: the state `PollOrder` runs `functions/poll-order`.
import type { IntentKind } from './records.ts'

/** State machines, by the name they are deployed under. */
export const StateMachine = {
  Convert: 'sluice-convert',
  Withdraw: 'sluice-withdraw',
  Rebalance: 'sluice-rebalance',
  Sweep: 'sluice-sweep',
} as const
export type StateMachine = (typeof StateMachine)[keyof typeof StateMachine]

/** The machine that enters intents of each kind. */
export const MACHINE_OF_INTENTS: Readonly<Record<IntentKind, StateMachine>> = {
  convert: StateMachine.Convert,
  withdraw: StateMachine.Withdraw,
}

/** Whether its executions are each of one intent, and not of a run. */
export function isOfIntents(stateMachine: StateMachine): boolean {
  return stateMachine === StateMachine.Convert || stateMachine === StateMachine.Withdraw
}

/** States of the Convert state machine. */
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

/** States of the Withdraw state machine. */
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

/** States of the Rebalance state machine. */
export const RebalanceState = {
  PlanRebalance: 'PlanRebalance',
  PlanOutcome: 'PlanOutcome',
  WaitForTurn: 'WaitForTurn',
  FirstLegs: 'FirstLegs',
  /** For each of the legs: a child execution of Convert, and where one that did not succeed goes. */
  FirstLeg: 'FirstLeg',
  FirstLegBroke: 'FirstLegBroke',
  PlanAgain: 'PlanAgain',
  LastLegs: 'LastLegs',
  LastLeg: 'LastLeg',
  LastLegBroke: 'LastLegBroke',
  SettleRun: 'SettleRun',
  /** The same, after a step that failed for good. */
  SettleBrokenRun: 'SettleBrokenRun',
  BrokenOutcome: 'BrokenOutcome',
  OwnFault: 'OwnFault',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
} as const

/** States of the Sweep state machine. */
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
  /** The same, after a step that failed for good. */
  SettleBrokenRun: 'SettleBrokenRun',
  BrokenOutcome: 'BrokenOutcome',
  OwnFault: 'OwnFault',
  Unsettled: 'Unsettled',
  Ended: 'Ended',
} as const

/** Functions, by what they do: each is an export of its file of the bundle. */
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

/** Files of the bundle, so that no function loads what it never runs: what moves money starts the quicker. */
export const BundleFile = {
  /** Movements, and the audit of them. */
  Movements: 'movements',
  /** Runs of policies: plans, and what became of them. */
  Runs: 'runs',
  /** What starts runs, tells of their ends, and describes the deployment. */
  Triggers: 'triggers',
  /** What faces the internet: the less there is in it, the sooner it is at work, and the less it holds. */
  Webhooks: 'webhooks',
  /** What people reach. */
  People: 'people',
  /** What people reach with a word on doubts: it reads with a key, and starts nothing. */
  Doubts: 'doubts',
  /** What looks again at what stopped: it reads with a key, and starts executions. */
  Recovery: 'recovery',
  /** What tells people: it posts to addresses of others, and reaches nothing else of ours. */
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
  [Verb.Reconcile]: BundleFile.Movements,
  [Verb.PlanRebalance]: BundleFile.Runs,
  [Verb.PlanSweep]: BundleFile.Runs,
  [Verb.SettleRun]: BundleFile.Runs,
  [Verb.StartRun]: BundleFile.Triggers,
  [Verb.ReceiveWebhook]: BundleFile.Webhooks,
  [Verb.StartOnDeposit]: BundleFile.Triggers,
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
