// Describes each end of a run of a policy in one sentence for a person, with its look: good, plain, wait or bad. Also
// describes a plan that could not be checked.
import { REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { RunEnd } from '../../core/contract/runs.ts'

type Look = 'good' | 'plain' | 'wait' | 'bad'

interface OutcomeWords {
  readonly says: string
  readonly look: Look
}

const words: Readonly<Record<RunEnd | 'RUNNING', OutcomeWords>> = {
  RUNNING: { says: 'the run is under way', look: 'wait' },
  [RunEnd.Settled]: { says: 'every leg moved what it should', look: 'good' },
  [RunEnd.PartlySettled]: { says: 'some legs moved; what did not is certified to have moved nothing', look: 'wait' },
  [RunEnd.NothingMoved]: { says: 'no leg moved anything, and that is certain', look: 'bad' },
  [RunEnd.NothingToDo]: { says: 'there was nothing to move, and the plan says why', look: 'good' },
  [RunEnd.OffTarget]: { says: 'the plan leaves assets off their target, and nothing explains it', look: 'bad' },
  [RunEnd.Shadowed]: { says: 'nothing was sent', look: 'plain' },
  [RunEnd.Guarded]: { says: 'a guard refused the run; nothing moved', look: 'wait' },
  [RunEnd.Halted]: { says: 'the policy, or everything, is halted; nothing moved', look: 'wait' },
  [RunEnd.AlreadyRunning]: { says: 'another run of the policy is under way; this one did nothing', look: 'plain' },
  [RunEnd.AwaitingApproval]: { says: 'the run waits for a person to approve its plan', look: 'wait' },
  [RunEnd.Disapproved]: { says: 'a person rejected the plan; nothing moved', look: 'plain' },
  [RunEnd.ApprovalVoid]: { says: 'the approval no longer held; nothing moved', look: 'wait' },
  [RunEnd.Failed]: { says: 'the run failed before any leg began', look: 'bad' },
  [RunEnd.OwnFault]: {
    says: 'a key, a permission, the configuration or a bug stopped the run; what did not move is certain',
    look: 'bad',
  },
  [RunEnd.NeedsAttention]: { says: 'a leg is in doubt or stuck: a person decides', look: 'bad' },
}

const DECIDED = {
  approved: { says: 'the plan is approved; the run continues by itself once nothing stands against it', look: 'wait' },
  rejected: { says: 'the plan is rejected; the run ends by itself, and moves nothing', look: 'wait' },
} as const satisfies Record<string, OutcomeWords>

/** `decision`: people's decision on the plan of a run that waited for them. */
export function outcomeWords(outcome: string, decision?: 'approved' | 'rejected'): OutcomeWords {
  if (outcome === RunEnd.AwaitingApproval && decision !== undefined) return DECIDED[decision]
  const known: Readonly<Record<string, OutcomeWords>> = words
  const found = Object.hasOwn(known, outcome) ? known[outcome] : undefined
  return found ?? { says: 'an outcome that this version does not know', look: 'bad' }
}

/** The reason of a run. Undefined after people's decision: then the reason is that it waited for them. */
export function whyNow(
  { outcome, why }: { readonly outcome: string; readonly why?: string | undefined },
  decision?: 'approved' | 'rejected',
): string | undefined {
  return outcome === RunEnd.AwaitingApproval && decision !== undefined ? undefined : why
}

/**
 * The look of a leg. Its outcome is an end of Convert or of Withdraw, or the last outcome that an unfinished leg
 * reported.
 */
export function lookOfLeg(outcome: string): Look {
  if (outcome === 'FILLED' || outcome === 'COMPLETED') return 'good'
  return ['NEEDS_ATTENTION', 'OWN_FAULT', 'STUCK', REFUND_DUE].includes(outcome) ? 'bad' : 'wait'
}

export const NOT_LOOKED = 'whether the plan still holds could not be checked'
/** While a movement of its assets is in doubt, their balances prove nothing. */
export const NOT_COMPARED = 'balances and prices were not compared with the plan'
