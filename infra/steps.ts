// Owns the table of the steps: a row for each Lambda function, with everything in which functions differ. A step is a
// row here and a folder of the same name in functions/. The constructs use the rows: verb-function.ts for the
// functions, machine-kit.ts for retries, watched-metrics.ts for alarms. A test compares the rights with the requests of
// real runs (test/workflow/permissions.long.test.ts). It gives the reason for each right that no run uses.
import type { Watched } from '../core/contract/alarms.ts'
import { Environment } from '../core/contract/environment.ts'
import { FILE_REFUSED, SwitchEvent } from '../core/contract/events.ts'
import { KeyRole } from '../core/contract/service-settings.ts'
import { StateMachine, Verb } from '../core/contract/states.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { placesOfFiles } from '../core/treasury/policy-files.ts'
import * as record from './journal-records.ts'
import { both, LISTED, opens, sends } from './journal-records.ts'
import * as retry from './retry-policies.ts'
import { journal, type Right, type Step } from './step.ts'

const MACHINES = Object.values(StateMachine)
const MACHINES_OF_RUNS = [StateMachine.Rebalance, StateMachine.Sweep]

/** Rights to start executions, and to check whether an existing name has the same request. */
const enters = (machines: readonly StateMachine[]): readonly Right[] => [{ starts: machines }, { describes: machines }]

const RUN_RECORDS = {
  reads: [
    ...[...record.INTENTS, ...record.CLAIMS, ...record.RUNS],
    ...[record.POLICIES, record.POLICY_NAMES, ...record.SWITCHES],
  ],
  writes: [...record.RUNS, record.POLICIES, record.TRIPS],
}
/**
 * Rights of planners. A run that plans first ends the run before it, when nobody continues that run, and also its
 * conversions that were never sent. It may not write withdrawals: a planner of a payout must not be able to change one.
 */
const PLANS = journal({
  reads: [...RUN_RECORDS.reads, ...record.BUDGETS, ...record.COUNTED_DECISIONS, record.REQUESTERS],
  writes: [record.CONVERSIONS, ...RUN_RECORDS.writes],
  lists: [LISTED.open, LISTED.residues, LISTED.movements],
})

export const STEPS = {
  workflow: {
    [Verb.Quote]: {
      does: 'Opens the intent, and asks for a quote inside its price guard.',
      // Processor time comes with memory, and a quote lives for five seconds: at 512 MB signing and TLS take little of them.
      memoryMb: 512,
      // Time, the account, two assets, a price and a quote, each within the client's 15 s; guards in values need some
      // more prices. A longer call is retried, with nothing sent.
      timeoutSeconds: 90,
      // The record of turns at the service, for a service that reports a limit.
      may: [journal(opens(record.CONVERSIONS), both(record.TURNS)), { key: KeyRole.Trade }],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.QUOTE_RETRY,
    },
    [Verb.Order]: {
      does: 'Arms the intent, sends its order once, and certifies what became of it.',
      memoryMb: 512,
      // Time, the account, the send, a read and its fills: 75 s if each takes the client's whole 15 s. The answer to a
      // send must still reach the journal then. At most 20 s of polling inside come after that.
      timeoutSeconds: 120,
      may: [
        journal(sends(record.CONVERSIONS, record.CLAIMS_ON_ORDERS, record.BUDGETS_OF_BOTH), {
          writesNever: record.BUDGETS_OF_CONTACTS,
        }),
        { key: KeyRole.Trade, signs: true },
      ],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.ORDER_RETRY,
    },
    [Verb.PollOrder]: {
      does: 'Looks for some seconds whether the order has come to its end.',
      // PollOrder mostly waits and is not urgent, so it has the least memory that starts quickly.
      memoryMb: 256,
      // At most 20 s of polling inside, then the account, the order, its fills and the time, each within 15 s.
      timeoutSeconds: 90,
      may: [journal({ reads: [record.CONVERSIONS, record.CLAIMS_ON_ORDERS] }), { key: KeyRole.Read }],
      knows: [Environment.Timing],
      retry: retry.POLL_RETRY,
    },
    [Verb.CheckWithdrawal]: {
      does: 'Settles what a withdrawal will be, and refuses what cannot be right.',
      memoryMb: 512,
      // Asset, contact, account and balance: 60 s if each takes the client's whole 15 s.
      timeoutSeconds: 90,
      may: [journal(opens(record.WITHDRAWALS)), { key: KeyRole.Read }],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.QUOTE_RETRY,
    },
    [Verb.Withdraw]: {
      does: 'Arms the intent, sends its withdrawal once, and certifies what became of it.',
      memoryMb: 512,
      // Two walks through the asset's withdrawals, and the send. The answer to a send must still reach the journal. At
      // most 20 s of polling inside come after that.
      timeoutSeconds: 240,
      may: [
        journal(sends(record.WITHDRAWALS, record.CLAIMS_ON_WITHDRAWALS, record.BUDGETS), both(record.LANES), {
          reads: [record.LOST],
        }),
        { key: KeyRole.Transfer, signs: true },
      ],
      knows: [Environment.Timing, Environment.TreasuryFile, Environment.Shared],
      retry: retry.WITHDRAW_RETRY,
    },
    [Verb.PollWithdrawal]: {
      does: 'Looks for some seconds whether the withdrawal has come to its end.',
      memoryMb: 256,
      // At most 20 s of polling inside, then the row, its ledger entries and the time, each within 15 s.
      timeoutSeconds: 90,
      may: [journal({ reads: [record.WITHDRAWALS, record.CLAIMS_ON_WITHDRAWALS] }), { key: KeyRole.Read }],
      knows: [Environment.Timing],
      retry: retry.POLL_RETRY,
    },
    // One function ends the executions of both state machines. Each machine passes the kind of its intents. Conclude has no
    // key of the service and reads only its own request, so a second function would protect little.
    [Verb.Conclude]: {
      does: 'Gives a run that broke down its named end, from the journal alone.',
      memoryMb: 256,
      // Four moves of the journal, each tried up to three times for 3 s.
      timeoutSeconds: 60,
      may: [journal(both(...record.INTENTS), { reads: record.CLAIMS }, both(record.LOST))],
      knows: [Environment.Timing],
      retry: retry.CONCLUDE_RETRY,
    },
    [Verb.Reconcile]: {
      does: 'Audits what moved against the journal, and tells what does not tie out.',
      memoryMb: 512,
      // Lambda's maximum. The audit itself is bounded by its counts of movements and intents, at some milliseconds
      // each.
      timeoutSeconds: 900,
      may: [
        journal({
          reads: [
            ...[...record.INTENTS, ...record.CLAIMS, ...record.FOREIGN_WORDS],
            ...[
              ...record.RUNS,
              ...record.COUNTED_DECISIONS,
              record.REQUESTERS,
              record.WATERMARK,
              record.ACCOUNT,
              record.VERIFIED,
            ],
            ...[record.CONFIGURATIONS, record.POLICY_NAMES, record.HALTS],
            // The signed requests of people whose words it reads.
            ...[Verb.DeclareForeign, Verb.Resolve, Verb.Resume].map(record.spokenTo),
          ],
          // The audit writes its own watermark, the log of configurations and the names of policies, so no bug of it can
          // touch an intent.
          writes: [record.WATERMARK, record.CONFIGURATIONS, record.POLICY_NAMES],
          lists: [LISTED.open, LISTED.done, LISTED.foreign],
        }),
        { key: KeyRole.Read },
      ],
      knows: [
        ...[Environment.Timing, Environment.TreasuryFile, Environment.Shared],
        ...[Environment.Release, Environment.Stack, Environment.DeployedBy, Environment.DeployedCommit],
      ],
      errorAlarm: 'run-errors',
    },
    // The three steps of a run have no key that moves money. The legs of a plan move it, by the steps above.
    [Verb.PlanRebalance]: {
      does: 'Plans a run of a policy that converts, and freezes its legs.',
      // Ten thousand assets are planned in a tenth of a second only with a whole processor.
      memoryMb: 1024,
      // Reads of balances, markets and prices, in a few rounds. Figures older than a plan allows are refused.
      timeoutSeconds: 240,
      may: [PLANS, { key: KeyRole.Read }],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.PLAN_RETRY,
      errorAlarm: 'run-errors',
    },
    [Verb.PlanSweep]: {
      does: 'Plans a phase of a run that withdraws, and freezes its legs.',
      memoryMb: 1024,
      timeoutSeconds: 240,
      may: [PLANS, { key: KeyRole.Read }],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.PLAN_RETRY,
      errorAlarm: 'run-errors',
    },
    [Verb.SettleRun]: {
      does: 'Tells what became of every leg of a run, from the journal and the service.',
      memoryMb: 512,
      // A call begins reads for 90 s, and leaves what remains of a long run to the next call. The last reads take two minutes.
      timeoutSeconds: 240,
      may: [journal({ writes: record.INTENTS }, RUN_RECORDS), { key: KeyRole.Read }],
      knows: [Environment.Timing, Environment.TreasuryFile],
      retry: retry.SETTLE_RETRY,
      errorAlarm: 'run-errors',
    },
    [Verb.Describe]: {
      does: 'Says what this deployment runs with.',
      memoryMb: 256,
      timeoutSeconds: 10,
      may: [],
      knows: [Environment.TreasuryFile, Environment.Release, Environment.ServiceUrl],
      errorAlarm: 'run-errors',
    },
  },
  lookAgain: {
    // LookAgain has no right to write, and its key only reads.
    [Verb.LookAgain]: {
      does: 'Enters again what stopped in doubt, and what people have decided on, once the service answers.',
      memoryMb: 256,
      // Up to 5,000 records and 200 intents with a few executions each, eight at a time.
      timeoutSeconds: 240,
      may: [
        journal({
          reads: [
            ...record.INTENTS,
            ...record.RUNS,
            ...record.COUNTED_DECISIONS,
            record.REQUESTERS,
            ...record.SWITCHES,
            record.POLICY_NAMES,
            record.ACCOUNT,
          ],
          lists: [LISTED.open, LISTED.openRuns],
        }),
        { starts: MACHINES },
        // Finds stopped executions, whose bank payouts nobody polls any more.
        { lists: [StateMachine.Withdraw] },
        { describes: MACHINES },
        { key: KeyRole.Read },
      ],
      knows: [Environment.Timing, Environment.TreasuryFile],
      errorAlarm: 'run-errors',
    },
  },
  // People settle doubts with these. IAM sees which function is called and nothing of the request. So there are two: a
  // person who may declare a movement foreign must not thereby say that nothing moved. Neither has a key that sends.
  doubts: {
    [Verb.Resolve]: {
      does: 'Records what a person found out about an intent in doubt.',
      memoryMb: 512,
      // Two walks through the asset's withdrawals, or 20,000 records, eight at a time.
      timeoutSeconds: 120,
      may: [
        journal(
          both(...record.INTENTS, ...record.CLAIMS),
          { reads: [record.ACCOUNT, record.LANES] },
          both(...record.RESOLVED, record.spokenTo(Verb.Resolve)),
        ),
        { key: KeyRole.Read },
      ],
      knows: [Environment.Timing],
      errorAlarm: 'doubt-errors',
    },
    [Verb.DeclareForeign]: {
      does: "Records that a person declares a movement to be somebody else's.",
      memoryMb: 512,
      timeoutSeconds: 120,
      may: [
        journal(
          { reads: record.INTENTS, lists: [LISTED.open] },
          both(...record.CLAIMS, ...record.FOREIGN_WORDS, record.spokenTo(Verb.DeclareForeign)),
        ),
        { key: KeyRole.Read },
      ],
      knows: [Environment.Timing],
      errorAlarm: 'doubt-errors',
    },
  },
  // The functions below can neither move nor sign for money: they start executions by name.
  triggers: {
    [Verb.StartRun]: {
      does: 'Starts what a schedule or an event asks for, once.',
      memoryMb: 256,
      // The table check, the requester's record, and two calls of Step Functions, each tried up to three times for 3 s.
      timeoutSeconds: 60,
      may: [
        ...enters(MACHINES),
        // StartRun reads whether keys were verified, and writes the requester: the schedule, or the event.
        journal({ reads: [record.VERIFIED, record.REQUESTERS], writes: [record.STARTED_REQUESTERS] }),
      ],
      knows: [Environment.TreasuryFile],
      errorAlarm: 'trigger-errors',
    },
    // trigger-stack.ts also lets it publish results on the bus.
    [Verb.Announce]: {
      does: 'Tells on the bus how an execution ended, and what waits for people.',
      memoryMb: 256,
      timeoutSeconds: 30,
      may: [{ describes: MACHINES }],
      knows: [Environment.EventBus],
      retry: retry.ANNOUNCE_RETRY,
      errorAlarm: 'trigger-errors',
    },
  },
  // People reach the journal with these. No other function may write their records, except for intents, claims and policies'
  // records. People need a permission of constructs/people-policies.ts, because a URL of AuthType AWS_IAM alone lets nobody
  // in.
  people: {
    [Verb.RequestRun]: {
      does: 'Records that a person asks for a run of a policy, and starts it, or for a movement, which it does not start.',
      memoryMb: 256,
      // The table check, the run, the requester's record and the start, each tried up to three times for 3 s.
      timeoutSeconds: 60,
      may: [
        ...enters(MACHINES_OF_RUNS),
        journal(
          {
            reads: [...record.INTENTS, ...record.RUNS, record.REQUESTERS],
            writes: [...record.PEOPLES_REQUESTERS, record.PAGES],
          },
          both(...record.ASKERS, record.spokenTo(Verb.RequestRun)),
        ),
      ],
      knows: [Environment.TreasuryFile],
      errorAlarm: 'people-errors',
    },
    [Verb.Decide]: {
      does: 'Records what a person says of a plan or a movement, and lets the run go on.',
      memoryMb: 256,
      // The table check, the run, its decisions and a few starts, each tried up to three times for 3 s.
      timeoutSeconds: 60,
      may: [
        ...enters(MACHINES_OF_RUNS),
        journal({
          reads: [...record.INTENTS, ...record.RUNS, ...record.COUNTED_DECISIONS, record.REQUESTERS],
          writes: record.COUNTED_DECISIONS,
        }),
        { decisions: 'signs' },
      ],
      knows: [Environment.TreasuryFile],
      errorAlarm: 'people-errors',
    },
    [Verb.ThrowSwitch]: {
      does: 'Records that a person halts sending.',
      memoryMb: 256,
      timeoutSeconds: 30,
      // ThrowSwitch may only halt. A trip ends when people resume, so ThrowSwitch may not write trips.
      may: [journal(both(record.HALTS, record.spokenTo(Verb.ThrowSwitch))), { publishes: [SwitchEvent.Halted] }],
      knows: [Environment.EventBus],
      errorAlarm: 'people-errors',
    },
    [Verb.Resume]: {
      does: 'Records that a person lets sending go on.',
      memoryMb: 256,
      timeoutSeconds: 30,
      may: [journal(both(...record.SWITCHES, record.spokenTo(Verb.Resume))), { publishes: [SwitchEvent.Resumed] }],
      knows: [Environment.EventBus, Environment.TreasuryFile],
      errorAlarm: 'people-errors',
    },
    [Verb.Release]: {
      does: 'Records that a person writes off what runs left stranded.',
      memoryMb: 256,
      timeoutSeconds: 30,
      may: [journal(both(record.POLICIES, record.RELEASED, record.spokenTo(Verb.Release)))],
      knows: [],
      errorAlarm: 'doubt-errors',
    },
  },
  notices: {
    // constructs/notices.ts also gives it its queue, its topics and the secrets with addresses.
    [Verb.Notify]: {
      does: 'Tells people what happened, at the addresses of treasury.json.',
      memoryMb: 256,
      // A batch in parallel: the secret within 9 s, the post within 10 s.
      timeoutSeconds: 60,
      may: [],
      knows: [Environment.TreasuryFile, Environment.TopicPrefix, Environment.IsDesk],
      errorAlarm: 'trigger-errors',
    },
  },
  files: {
    // constructs/payout-files.ts also lets it read the objects of the places in treasury.json, and write dead letters.
    [Verb.StartOnFile]: {
      does: 'Reads a file of payouts from S3, and starts the run that pays it, once.',
      // A file of a megabyte is parsed in some hundred milliseconds.
      memoryMb: 512,
      // The object within 20 s, up to 20 pages of the journal eight at a time, the requester's record and the start.
      timeoutSeconds: 60,
      may: [
        ...enters([StateMachine.Sweep]),
        journal({
          reads: [record.VERIFIED, record.REQUESTERS, ...record.RUNS],
          writes: [record.STARTED_REQUESTERS, record.PAGES],
        }),
        { publishes: [FILE_REFUSED] },
      ],
      knows: [Environment.TreasuryFile, Environment.EventBus, Environment.DeadLetterQueue],
      errorAlarm: 'trigger-errors',
    },
  },
  webhooks: {
    // ReceiveWebhook is open to the internet, and may only fill the queue of deposits (constructs/deposit-queue.ts).
    [Verb.ReceiveWebhook]: {
      does: 'Queues the policies that wait for a deposit, when the service says that one came.',
      memoryMb: 256,
      // The service's keys within 2 s, and a message sent up to three times for 3 s.
      timeoutSeconds: 20,
      may: [],
      knows: [Environment.TreasuryFile, Environment.DepositQueue, Environment.ServiceUrl, Environment.WebhookHeader],
      errorAlarm: 'trigger-errors',
    },
    [Verb.StartOnDeposit]: {
      does: 'Starts the policies that a deposit was queued for, once.',
      memoryMb: 256,
      // Ten messages, each of which starts a few policies.
      timeoutSeconds: 60,
      may: [
        ...enters([StateMachine.Rebalance]),
        journal(both(record.INBOX), {
          reads: [record.VERIFIED, record.REQUESTERS],
          writes: [record.STARTED_REQUESTERS],
        }),
      ],
      knows: [Environment.TreasuryFile],
      errorAlarm: 'trigger-errors',
    },
  },
} as const satisfies Readonly<Record<string, Partial<Record<Verb, Step>>>>

export type Part = keyof typeof STEPS

/** All rows. A verb without a row does not compile. */
const ROWS: Readonly<Record<Verb, Step>> = {
  ...{ ...STEPS.workflow, ...STEPS.lookAgain, ...STEPS.doubts },
  ...{ ...STEPS.triggers, ...STEPS.people, ...STEPS.notices, ...STEPS.files, ...STEPS.webhooks },
}

export function stepOf(verb: Verb): Step {
  return ROWS[verb]
}

/**
 * The functions of a deployment. Those of notices, webhooks and files exist where treasury.json has notices, webhooks or files.
 */
export function verbsOf({ notices = [], policies, webhooks }: Treasury): readonly Verb[] {
  const absent = {
    ...(notices.length === 0 && STEPS.notices),
    ...(webhooks === undefined && STEPS.webhooks),
    ...(placesOfFiles(policies).length === 0 && STEPS.files),
  }
  return (Object.keys(ROWS) as Verb[]).filter((verb) => !(verb in absent))
}

/** The functions whose failures ring this alarm. */
export function verbsRinging(alarm: Watched): readonly Verb[] {
  return (Object.keys(ROWS) as Verb[]).filter((verb) => (stepOf(verb).errorAlarm ?? 'function-errors') === alarm)
}
