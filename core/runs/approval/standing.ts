// Judges people's decisions on a plan or a movement: approved, rejected, or waiting for more. The policy, or the guard, says
// who may approve, whether the requester may, and from which value on two people must. Pure. The step that continues a run uses
// it. A command that records a decision asks it first, so that nobody gives an approval that does not count.

import type { StandingDecision } from '../../contract/people.ts'
import { isSamePerson, nameIn } from '../../contract/person.ts'
import type { ApprovalRule } from '../../contract/policies.ts'
import type { Requester } from '../../contract/runs.ts'
import { parseDecimal } from '../../money/decimal.ts'

export interface Decision {
  readonly decision: 'approved' | 'rejected'
  /** The person: on AWS the ARN that STS knows, at a desk a name marked as not verified. */
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** One sentence for an approval that needs another person's, because of what this person alone approved before. */
  readonly secondBecause?: string | undefined
  /** The key of the record of this person's request (core/journal/accepted-requests.ts). No decision counts without it. */
  readonly spoken?: string | undefined
  /** Signature of the key of decisions over the whole decision (signed-decision.ts). No decision counts without it. */
  readonly signed?: string | undefined
}

export interface Rules {
  /** From the policy as the run was planned, or from a guard on single movements. */
  readonly approval: Pick<ApprovalRule, 'twoAbove' | 'approvers' | 'requesterMayApprove'> | undefined
  /** The value that the plan or the movement sells and withdraws, in the rule's valuation asset. */
  readonly turnover: string
  /** The requester of this run and this request, or of this movement. Undefined: nobody was recorded. */
  readonly requester: Requester | undefined
}

export interface DecisionState {
  /** Absent: it still waits. */
  readonly decision?: Decision['decision']
  readonly last?: Decision
  /** The approvals that count, one for each person. */
  readonly approvals: readonly Decision[]
  readonly needed: number
}

/**
 * Judges the decisions. One rejection ends the wait, unless people approved before. Approvals that do not count are ignored;
 * nothing is thrown.
 */
export function decisionStateOf(words: readonly Decision[], rules: Rules): DecisionState {
  const approvals: Decision[] = []
  let needed = neededOf(rules, approvals)
  for (const word of words) {
    if (word.decision === 'rejected') return { decision: 'rejected', last: word, approvals, needed }
    if (disregardOf(word.by, rules) !== undefined) continue
    if (approvals.some(({ by }) => isSamePerson(by, word.by))) continue
    approvals.push(word)
    needed = neededOf(rules, approvals)
    if (approvals.length === needed) return { decision: 'approved', last: word, approvals, needed }
  }
  return { approvals, needed }
}

function neededOf(rules: Rules, approvals: readonly Decision[]): number {
  const { approval, requester } = rules
  const { requesterMayApprove } = approval ?? {}
  const isAboveTwo = isPlanAboveTwo(rules) || approvals.some(({ secondBecause }) => secondBecause !== undefined)
  // Nobody knows who caused an event or wrote a file: one of those who approve may have, so one more person must approve.
  const isUnnamed = requesterMayApprove === false && (requester?.kind === 'event' || requester?.kind === 'file')
  return 1 + (isAboveTwo ? 1 : 0) + (isUnnamed ? 1 : 0)
}

/** Whether the plan alone needs two people, whatever one of them approved before. */
export function isPlanAboveTwo({ approval, turnover }: Pick<Rules, 'approval' | 'turnover'>): boolean {
  const { twoAbove } = approval ?? {}
  return twoAbove !== undefined && parseDecimal(turnover, 'turnover') > parseDecimal(twoAbove, 'approval.twoAbove')
}

export type Disregard = 'no approver' | 'unrecorded' | 'requester'

/** Why this person's approval does not count; undefined where it counts. */
export function disregardOf(by: string, { approval, requester }: Rules): Disregard | undefined {
  const { approvers, requesterMayApprove } = approval ?? {}
  if (approvers !== undefined && !approvers.some((pattern) => isLike(nameIn(by), pattern))) return 'no approver'
  if (requesterMayApprove !== false) return undefined
  if (requester === undefined) return 'unrecorded'
  return requester.kind === 'person' && isSamePerson(by, requester.by) ? 'requester' : undefined
}

/** The decision that leaves nothing to record: this person's own among those given, or else the one that settled it. */
export function findStanding(
  by: string,
  given: readonly StandingDecision[],
  settled: StandingDecision | undefined,
): StandingDecision | undefined {
  const standing = given.find((word) => isSamePerson(word.by, by)) ?? settled
  return standing && { by: standing.by, at: standing.at }
}

/** `*` stands for any text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let from = first.length
  const until = text.length - last.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at === -1 || at + part.length > until) return false
    from = at + part.length
  }
  return text.endsWith(last)
}
