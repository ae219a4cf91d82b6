// Owns which records of the journal each function may read, write and list. A function that is not told of here may
// touch none. What a record is for stands in core/contract/records.ts. test/workflow/permissions.test.ts holds this table
// against what runs ask for: a permission that nothing uses is taken away, or has its reason there.
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { STARTED_DIGITS } from '../../core/contract/fields.ts'
import { PEOPLES_RUNS } from '../../core/contract/people.ts'
import { AUDIT_WALK, IntentKind, LISTED_INDEX, listing, recordKey } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { mayDecrypt } from './own-keys.ts'

/** Keys of records, `*` for any. */
interface JournalAccess {
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  /** Keys that it may not write, though `writes` has them. */
  readonly writesNever?: readonly string[]
  /** Keys of the index of lists. */
  readonly lists?: readonly string[]
}

const ANY = '*'
const CONVERSIONS = recordKey.intent(IntentKind.Convert, ANY)
const WITHDRAWALS = recordKey.intent(IntentKind.Withdraw, ANY)
const INTENTS = [CONVERSIONS, WITHDRAWALS]
const CLAIMS_ON_ORDERS = recordKey.claim(IntentKind.Convert, ANY)
const CLAIMS_ON_WITHDRAWALS = recordKey.claim(IntentKind.Withdraw, ANY)
/** What people declared to be others'. No function of a run may write it: it hides a movement from the audit. */
const FOREIGN_WORDS = Object.values(IntentKind).map((kind) => recordKey.foreign(kind, ANY))
const BUDGETS = [recordKey.budget(ANY, ANY, ANY)]
/** Without those of `dailyOutflow`, which bounds withdrawals alone: who sends orders must not be able to empty it. */
const BUDGETS_OF_BOTH = [recordKey.budget(ANY, ANY, 'asset:*'), recordKey.budget(ANY, ANY, 'value:*')]
/** Of contacts: only withdrawals go to them. By each policy's scope, and by that of all. */
const BUDGETS_OF_CONTACTS = ['contact:*', '*/contact:*'].map((scope) => recordKey.budget(scope, ANY, ANY))
const IN_FLIGHT = recordKey.inFlight(ANY)
/** What stops a send: the word of people, and what breakers write. The first is nothing that a run may write. */
const HALTS = recordKey.halt(ANY)
const TRIPS = recordKey.trip(ANY, ANY)
const SWITCHES = [HALTS, TRIPS]
const LANES = recordKey.lane(ANY, ANY)
const LOST = recordKey.lostOf(ANY)
const RUNS = recordKey.run(ANY)
/** What people said of plans: read by the steps that let their legs go on, and written by none. */
const DECISIONS = recordKey.decisions(ANY, ANY)
/** Who asked for runs: written by what starts them, and by no step of a run. */
const REQUESTERS = recordKey.requester(ANY)
const digits = (count: number) => '?'.repeat(count)
/** By the form of their ids: what starts by itself must not say of a run of people that nobody asked for it. */
const PEOPLES_REQUESTERS = PEOPLES_RUNS.stems.map((stem) =>
  recordKey.requester(`${stem}-${digits(PEOPLES_RUNS.digits)}`),
)
const STARTED_REQUESTERS = recordKey.requester(`${ANY}-${digits(STARTED_DIGITS)}`)
/** Words of people that were taken, by the functions that take them. */
const SPOKEN = recordKey.spoken(ANY)
const POLICIES = recordKey.policy(ANY)
const INBOX = recordKey.event(ANY)
const DONE = listing.doneInHour(0).replace(/0$/, ANY)
/** In which table the journal was written, and in which form: whoever touches a record makes sure of that first. No function writes it. */
const IDENTITY = recordKey.journal
/** Whose the journal is. */
const ACCOUNT = recordKey.account
const WATERMARK = recordKey.watermark(AUDIT_WALK)

/** Opens an intent: its guards may be those of the run that asked for it, and people may have had to approve its plan. */
const opens = (own: string) => ({
  reads: [own, RUNS, DECISIONS, REQUESTERS, ACCOUNT],
  writes: [own, ACCOUNT],
})
/**
 * Guards are spent right before a send. Intents of either kind hold parts of one budget. What a rule asks people about needs
 * their words: on the movement, or on the plan whose leg it is.
 */
const sends = (own: string, claims: string, budgets: readonly string[]) => ({
  reads: [...INTENTS, claims, ...budgets, IN_FLIGHT, ...SWITCHES, RUNS, DECISIONS, REQUESTERS],
  writes: [own, claims, ...budgets, IN_FLIGHT],
})

const RUN_RECORDS = {
  reads: [...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, RUNS, POLICIES, ...SWITCHES],
  writes: [RUNS, POLICIES, TRIPS],
}
/**
 * A run that plans first ends the one before, where nobody carries that on: also its conversions that were never sent. Its
 * withdrawals it leaves: who plans what is paid out must not be able to change a payout.
 */
const PLANS: JournalAccess = {
  writes: [CONVERSIONS, ...RUN_RECORDS.writes],
  reads: [...RUN_RECORDS.reads, ...BUDGETS, DECISIONS, REQUESTERS],
  lists: [listing.open, listing.residues, listing.movedOn(ANY)],
}

const JOURNAL_ACCESS: Readonly<Record<Verb, JournalAccess>> = {
  // Its turn at the service, where that tells a limit.
  [Verb.Quote]: {
    reads: [...opens(CONVERSIONS).reads, recordKey.turns],
    writes: [...opens(CONVERSIONS).writes, recordKey.turns],
  },
  [Verb.Order]: { ...sends(CONVERSIONS, CLAIMS_ON_ORDERS, BUDGETS_OF_BOTH), writesNever: BUDGETS_OF_CONTACTS },
  [Verb.PollOrder]: { reads: [CONVERSIONS, CLAIMS_ON_ORDERS] },
  [Verb.CheckWithdrawal]: opens(WITHDRAWALS),
  [Verb.Withdraw]: {
    reads: [...sends(WITHDRAWALS, CLAIMS_ON_WITHDRAWALS, BUDGETS).reads, LANES, LOST],
    writes: [...sends(WITHDRAWALS, CLAIMS_ON_WITHDRAWALS, BUDGETS).writes, LANES],
  },
  [Verb.PollWithdrawal]: { reads: [WITHDRAWALS, CLAIMS_ON_WITHDRAWALS] },
  // One function ends the executions of both state machines: of the kind that its state machine says, and of the other none.
  // It has no key of the service and reads no request that it did not get, so a second function would buy little.
  [Verb.Conclude]: {
    reads: [...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, LOST],
    writes: [...INTENTS, LOST],
  },
  // The one record that the audit may write is its own watermark: no bug of it can touch an intent.
  [Verb.Reconcile]: {
    reads: [
      ...[...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, ...FOREIGN_WORDS],
      ...[RUNS, DECISIONS, REQUESTERS, WATERMARK, ACCOUNT],
    ],
    writes: [WATERMARK],
    lists: [listing.open, DONE, listing.foreignOn(ANY)],
  },
  [Verb.PlanRebalance]: PLANS,
  [Verb.PlanSweep]: PLANS,
  [Verb.SettleRun]: { ...RUN_RECORDS, writes: [...INTENTS, ...RUN_RECORDS.writes] },
  [Verb.LookAgain]: { reads: [...INTENTS, RUNS, ...SWITCHES, ACCOUNT], lists: [listing.open, listing.openRuns] },
  // What only people say. No other function may write what they record, but for intents, claims and what policies remember.
  [Verb.RequestRun]: { reads: [RUNS, REQUESTERS, SPOKEN], writes: [...PEOPLES_REQUESTERS, SPOKEN] },
  [Verb.Decide]: { reads: [...INTENTS, RUNS, DECISIONS, REQUESTERS, SPOKEN], writes: [DECISIONS, SPOKEN] },
  // It halts alone: a trip that people let go on is none of its records.
  [Verb.ThrowSwitch]: { reads: [HALTS, SPOKEN], writes: [HALTS, SPOKEN] },
  [Verb.Resume]: { reads: [...SWITCHES, SPOKEN], writes: [...SWITCHES, SPOKEN] },
  // Whoever took over Resolve or DeclareForeign could settle a doubt wrongly. Neither has a key that sends.
  [Verb.Resolve]: {
    reads: [...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, ACCOUNT, SPOKEN],
    writes: [...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, SPOKEN],
  },
  [Verb.DeclareForeign]: {
    reads: [...INTENTS, CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, ...FOREIGN_WORDS, SPOKEN],
    writes: [CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS, ...FOREIGN_WORDS, SPOKEN],
    lists: [listing.open],
  },
  [Verb.Release]: { reads: [POLICIES, SPOKEN], writes: [POLICIES, SPOKEN] },
  // Whether keys were verified; and who asked: the schedule, or the event.
  [Verb.StartRun]: { reads: [recordKey.verified, REQUESTERS], writes: [STARTED_REQUESTERS] },
  // Whoever faces the internet can touch nothing of it.
  [Verb.ReceiveWebhook]: {},
  [Verb.StartOnDeposit]: { reads: [INBOX, recordKey.verified, REQUESTERS], writes: [INBOX, STARTED_REQUESTERS] },
  [Verb.Announce]: {},
  [Verb.Describe]: {},
  [Verb.Notify]: {},
}

/**
 * Conditional puts and consistent reads of one record are all that the journal's protocol uses. Without delete and scan,
 * no bug can forget an intent.
 */
export function journalAccess(journal: ITable, verb: Verb): readonly PolicyStatement[] {
  const { lists = [], reads = [], writes = [], writesNever = [] } = JOURNAL_ACCESS[verb]
  if (reads.length === 0) return []
  return [
    new PolicyStatement({ actions: ['dynamodb:DescribeTable'], resources: [journal.tableArn] }),
    ...statement('dynamodb:GetItem', journal.tableArn, [...reads, IDENTITY]),
    ...statement('dynamodb:PutItem', journal.tableArn, writes),
    ...(writesNever.length === 0 ? [] : [denial(journal.tableArn, writesNever)]),
    ...statement('dynamodb:Query', `${journal.tableArn}/index/${LISTED_INDEX}`, lists),
    ...mayDecrypt(journal, 'journal', 'dynamodb'),
  ]
}

function denial(resource: string, keys: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    actions: ['dynamodb:PutItem'],
    resources: [resource],
    conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
  })
}

function statement(action: string, resource: string, keys: readonly string[]): readonly PolicyStatement[] {
  if (keys.length === 0) return []
  return [
    new PolicyStatement({
      actions: [action],
      resources: [resource],
      // Of all: the one form that AWS documents for this key. Each of these requests names one.
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
    }),
  ]
}
