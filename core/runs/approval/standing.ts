// Where the words of people on a plan leave it: approved, rejected, or waiting for more. The policy says who may approve,
// whether that may be who asked for the run, and from which value on two must. Pure: the step that lets a run go on judges by it, and whoever records a word asks it
// first, so that nobody is told yes who does not count.
import { isSamePerson, nameIn } from '../../contract/person.ts'
import type { ApprovalRule } from '../../contract/policies.ts'
import type { Requester } from '../../contract/runs.ts'
import { parseDecimal } from '../../money/decimal.ts'

export interface Word {
  readonly decision: 'approved' | 'rejected'
  /** Who: on AWS the ARN that STS knows, at a desk a name that is marked as not verified. */
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** Of a yes that needs another person's, because of what this person alone approved before: one sentence. */
  readonly secondBecause?: string | undefined
}

export interface Rules {
  /** As the run was planned, or of a guard on single movements. */
  readonly approval: Pick<ApprovalRule, 'twoAbove' | 'approvers' | 'requesterMayApprove'> | undefined
  /** The value that the plan or the movement gives up, in the rule's valuation asset. */
  readonly turnover: string
  /** Of this run and this request, or of this movement. Undefined: nobody recorded it. */
  readonly requester: Requester | undefined
}

export interface Standing {
  /** Absent: it waits. */
  readonly decision?: Word['decision']
  /** The word that decided it. */
  readonly last?: Word
  /** Those that count, one a person. */
  readonly approvals: readonly Word[]
  readonly needed: number
}

/** A no of anybody ends it, unless it was approved before. @throws nothing: what does not count is left out */
export function standingOf(words: readonly Word[], rules: Rules): Standing {
  const approvals: Word[] = []
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

function neededOf(rules: Rules, approvals: readonly Word[]): number {
  const { approval, requester } = rules
  const { requesterMayApprove } = approval ?? {}
  const isAboveTwo = isPlanAboveTwo(rules) || approvals.some(({ secondBecause }) => secondBecause !== undefined)
  // Nobody knows who put an event: one of those who approve may be who did, and then the others did not.
  const isUnnamed = requesterMayApprove === false && requester?.kind === 'event'
  return 1 + (isAboveTwo ? 1 : 0) + (isUnnamed ? 1 : 0)
}

/** Whether the plan by itself needs two people, whatever one of them approved before. */
export function isPlanAboveTwo({ approval, turnover }: Pick<Rules, 'approval' | 'turnover'>): boolean {
  const { twoAbove } = approval ?? {}
  return twoAbove !== undefined && parseDecimal(turnover, 'turnover') > parseDecimal(twoAbove, 'approval.twoAbove')
}

export type Disregard = 'no approver' | 'unrecorded' | 'requester'

/** Why the approval of this person does not count; undefined where it does. */
export function disregardOf(by: string, { approval, requester }: Rules): Disregard | undefined {
  const { approvers, requesterMayApprove } = approval ?? {}
  if (approvers !== undefined && !approvers.some((pattern) => isLike(nameIn(by), pattern))) return 'no approver'
  if (requesterMayApprove !== false) return undefined
  if (requester === undefined) return 'unrecorded'
  return requester.kind === 'person' && isSamePerson(by, requester.by) ? 'requester' : undefined
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
