// Names codes of closed sets in words: of plans, audits, notices and executions. service-names.ts names those of the
// service, and outcome-names.ts ends and states. Pure.
import { NoticeAbout } from './notices.ts'
import { NonLegCode } from './plan.ts'
import { FindingType } from './reconcile.ts'

export const NON_LEG_NAMES: Readonly<Record<NonLegCode, string>> = {
  [NonLegCode.WithinBand]: 'close enough to its target',
  [NonLegCode.BelowSmallest]: 'less than the smallest trade',
  [NonLegCode.BelowMinimum]: "below the service's minimum",
  [NonLegCode.CostsMoreThanDrift]: 'it would cost more than it mends',
  [NonLegCode.FeeTooDear]: 'the fee is too high',
  [NonLegCode.BelowTrigger]: 'too little to begin with',
  [NonLegCode.NoMarket]: 'no market exchanges it',
  [NonLegCode.NoPrice]: 'no market prices it',
  [NonLegCode.NothingSpendable]: 'nothing of it may be spent',
  [NonLegCode.InDoubt]: 'an earlier movement is in doubt',
  [NonLegCode.Guard]: 'a guard forbids it',
  [NonLegCode.TurnoverSpent]: 'the turnover is used up',
  [NonLegCode.CoolingDown]: 'it cools down after a trade',
  [NonLegCode.LeftAlone]: 'the policy leaves it alone',
  [NonLegCode.Reserved]: 'a reserve keeps it',
  [NonLegCode.ContactMismatch]: 'the payee takes something else',
  [NonLegCode.AlreadyPaid]: 'an earlier run paid it',
  [NonLegCode.OtherTerms]: 'an earlier run has it with other terms',
  [NonLegCode.PaidTwice]: 'paid more than once',
  [NonLegCode.AwaitsCanary]: 'waits for the small first withdrawal',
  [NonLegCode.NoFacts]: 'its figures cannot be read',
  [NonLegCode.Stranded]: 'left by an earlier run',
  [NonLegCode.NoCounterpart]: 'nothing to exchange it with',
  [NonLegCode.CutShort]: 'too much for one run',
}

export const FINDING_NAMES: Readonly<Record<FindingType, string>> = {
  [FindingType.UnclaimedMovement]: 'money moved that nobody asked for',
  [FindingType.UnprovenClaim]: 'a claim that nothing proves',
  [FindingType.ForeignMovement]: 'a movement that a person declared as of others',
  [FindingType.MissingMovement]: 'a movement that the service does not show',
  [FindingType.DifferingTerms]: 'a movement with other terms than asked for',
  [FindingType.PaidTwice]: 'a payout row that was paid more than once',
  [FindingType.UnlistedEntry]: 'an entry of the ledger without a movement',
  [FindingType.DifferingEntry]: 'an entry of the ledger with another amount',
  [FindingType.MissingEntry]: 'a movement that the ledger lacks',
  [FindingType.OverdueIntent]: 'a request long past its time',
  [FindingType.ChangedRecord]: 'a record that differs from its request',
  [FindingType.UnreadableRecord]: 'a record that was edited or is damaged',
}

export const NOTICE_NAMES: Readonly<Record<NoticeAbout, string>> = {
  [NoticeAbout.NeedsPerson]: 'what needs a person',
  [NoticeAbout.WaitsForApproval]: 'what waits for approval',
  [NoticeAbout.Halted]: 'halts and resumes',
  [NoticeAbout.RunEnded]: 'ends of runs',
}

const EXECUTION_ENDS: Readonly<Record<string, string>> = {
  RUNNING: 'is under way',
  SUCCEEDED: 'ended well',
  FAILED: 'failed',
  TIMED_OUT: 'ran out of time',
  ABORTED: 'was stopped from outside',
}

/** The status of an execution on AWS, as the predicate of a sentence. */
export function executionEndText(status: string): string {
  return Object.hasOwn(EXECUTION_ENDS, status) ? (EXECUTION_ENDS[status] ?? status) : `ended ${status}`
}
