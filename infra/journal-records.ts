// Names the journal's records by their keys, for the rights in steps.ts. core/contract/records.ts says what each record
// is for.
import { STARTED_DIGITS } from '../core/contract/fields.ts'
import { PEOPLES_MOVEMENTS, PEOPLES_RUNS } from '../core/contract/people.ts'
import { AUDIT_WALK, IntentKind, listing, recordKey } from '../core/contract/records.ts'
import { Verb } from '../core/contract/states.ts'

/** Keys of records, `*` for any. */
export interface JournalAccess {
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  /** Keys that it may not write, although `writes` matches them. */
  readonly writesNever?: readonly string[]
  /** Keys of the index of lists. */
  readonly lists?: readonly string[]
}

const ANY = '*'
export const CONVERSIONS = recordKey.intent(IntentKind.Convert, ANY)
export const WITHDRAWALS = recordKey.intent(IntentKind.Withdraw, ANY)
export const INTENTS = [CONVERSIONS, WITHDRAWALS]
export const CLAIMS_ON_ORDERS = recordKey.claim(IntentKind.Convert, ANY)
export const CLAIMS_ON_WITHDRAWALS = recordKey.claim(IntentKind.Withdraw, ANY)
export const CLAIMS = [CLAIMS_ON_ORDERS, CLAIMS_ON_WITHDRAWALS]
/**
 * People's declarations that a movement is foreign. No function of a run may write them, because they hide a movement
 * from the audit.
 */
export const FOREIGN_WORDS = Object.values(IntentKind).map((kind) => recordKey.foreign(kind, ANY))
export const BUDGETS = [recordKey.budget(ANY, ANY, ANY)]
/**
 * Budgets of both kinds. Those of `dailyOutflow` are missing, because they bound withdrawals alone: a sender of orders
 * must not be able to use them up.
 */
export const BUDGETS_OF_BOTH = [recordKey.budget(ANY, ANY, 'asset:*'), recordKey.budget(ANY, ANY, 'value:*')]
/** Budgets of contacts, by each policy's scope and by that of all: only withdrawals go to contacts. */
export const BUDGETS_OF_CONTACTS = ['contact:*', '*/contact:*'].map((scope) => recordKey.budget(scope, ANY, ANY))
/** People's statements about doubts, and what they wrote off, for the log of people. No function of a run may write it. */
export const RESOLVED = Object.values(IntentKind).map((kind) => recordKey.resolved(kind, ANY, ANY))
export const RELEASED = recordKey.released(ANY, ANY)
/** Versions of treasury.json, for the log of people. No step that sends money may write them. */
export const CONFIGURATIONS = `${recordKey.configuration}${ANY}`
const IN_FLIGHT = recordKey.inFlight(ANY)
/** People's halts stop a send, and so do the trips of breakers. No function of a run may write a halt. */
export const HALTS = recordKey.halt(ANY)
export const TRIPS = recordKey.trip(ANY, ANY)
export const SWITCHES = [HALTS, TRIPS]
export const LANES = recordKey.lane(ANY, ANY)
export const LOST = recordKey.lostOf(ANY)
export const TURNS = recordKey.turns
/** Pages of long lists. Their keys are hashes of their content, so a page that was changed is read by nobody. */
export const PAGES = recordKey.page(ANY)
/** Runs, with the pages of the long ones. */
export const RUNS = [recordKey.run(ANY), PAGES]
/** People's decisions: written by no step of a run. */
export const DECISIONS = recordKey.decisions(ANY, ANY)
/** Decisions, and the signed requests without which none counts: for steps that let legs continue. */
export const COUNTED_DECISIONS = [DECISIONS, recordKey.spoken(Verb.Decide, ANY)]
/** Who asked for runs: written by the functions that start them, and by no step of a run. */
export const REQUESTERS = recordKey.requester(ANY)
const digits = (count: number) => '?'.repeat(count)
/**
 * Requesters of runs that people started, by the form of the ids. Functions that no person calls may not write these
 * records, so they cannot hide who asked.
 */
export const PEOPLES_REQUESTERS = PEOPLES_RUNS.stems.map((stem) =>
  recordKey.requester(`${stem}-${digits(PEOPLES_RUNS.digits)}`),
)
/** Who asked for single movements, by the form of the ids. No step reads these records. */
export const ASKERS = Object.values(IntentKind).map((kind) =>
  recordKey.asked(kind, `${PEOPLES_MOVEMENTS.stems[kind]}-${digits(PEOPLES_MOVEMENTS.digits)}`),
)
export const STARTED_REQUESTERS = recordKey.requester(`${ANY}-${digits(STARTED_DIGITS)}`)
/** Signed requests that this function accepted. No other function may write them. */
export const spokenTo = (verb: Verb): string => recordKey.spoken(verb, ANY)
export const POLICIES = recordKey.policy(ANY)
export const INBOX = recordKey.event(ANY)
export const VERIFIED = recordKey.verified
/** All names of policies: halts and budgets count under each. No step of a run writes it. */
export const POLICY_NAMES = recordKey.policyNames
/** The account of the service whose journal it is. */
export const ACCOUNT = recordKey.account
export const WATERMARK = recordKey.watermark(AUDIT_WALK)

export const LISTED = {
  open: listing.open,
  openRuns: listing.openRuns,
  residues: listing.residues,
  movements: listing.movedOn(ANY),
  foreign: listing.foreignOn(ANY),
  done: listing.doneInHour(0).replace(/0$/, ANY),
}

/**
 * Records for opening an intent. Its guards may come from the run that asked for it, and people may have had to approve
 * its plan.
 */
export const opens = (own: string): JournalAccess => ({
  reads: [own, ...RUNS, ...COUNTED_DECISIONS, REQUESTERS, POLICY_NAMES, ACCOUNT],
  writes: [own, ACCOUNT],
})

/**
 * Records for sending. Guards reserve budgets right before a send, and intents of both kinds share a budget. A rule of
 * approval needs people's decision on the movement, or on the plan of its leg.
 */
export const sends = (own: string, claims: string, budgets: readonly string[]): JournalAccess => ({
  reads: [
    ...[...INTENTS, claims, ...budgets, IN_FLIGHT, ...SWITCHES, POLICY_NAMES],
    ...[...RUNS, ...COUNTED_DECISIONS, REQUESTERS],
  ],
  writes: [own, claims, ...budgets, IN_FLIGHT],
})

export const both = (...records: readonly string[]): JournalAccess => ({ reads: records, writes: records })
