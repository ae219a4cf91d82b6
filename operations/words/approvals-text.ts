// Says how many of the approvals are given that a plan or a movement needs, and that a person has given theirs. Before
// they approve, it says that the approval counts for a day, or that another person must approve too.

import type { StandingDecision } from '../../core/contract/people.ts'
import { isSamePerson } from '../../core/contract/person.ts'
import { printable } from '../../core/printable.ts'
import type { AloneTerms } from '../../core/runs/approval/alone.ts'

export interface GivenApprovals {
  /** Names of those whose approval counts. */
  readonly approvedBy: readonly string[]
  /** Number of people who must approve it. */
  readonly needed: number
}

/** `1 of 2 approvals (ada)`. Empty where one person is enough. */
export function approvalsText({ approvedBy, needed }: GivenApprovals): string {
  if (needed < 2) return ''
  const names = approvedBy.length === 0 ? '' : ` (${approvedBy.map(printable).join(', ')})`
  return `${approvedBy.length} of ${needed} approvals${names}`
}

/** Such as `has 1 of 2 approvals (ada), and `, before what it waits for. Empty where one person is enough. */
export function givenText(given: GivenApprovals): string {
  const text = approvalsText(given)
  return text === '' ? '' : `has ${text}, and `
}

/** The decision for which another one was not recorded. */
export interface Before extends StandingDecision {
  /** The same in one sentence, to the person whose decision was not needed. */
  readonly says: string
}

/** `by`: empty where the person is not known. */
export function beforeOf(
  before: StandingDecision | undefined,
  { decision, by }: { readonly decision: 'approved' | 'rejected'; readonly by: string },
): { readonly before?: Before } {
  if (before === undefined) return {}
  const stands = `${printable(before.by)} ${decision} it at ${before.at}`
  const isOwn = by === '' || isSamePerson(before.by, by)
  const more = isOwn ? '; nothing more is recorded' : ', before you; yours was not needed and is not recorded'
  return { before: { ...before, says: `${stands}${more}` } }
}

/** One sentence for a person who has approved it before. Undefined for others, and where nobody is known. */
export function alreadyText(by: string, approvedBy: readonly string[]): string | undefined {
  const isOwn = by !== '' && approvedBy.some((each) => isSamePerson(each, by))
  return isOwn ? `${printable(by)} has approved it already, and another person must approve it too` : undefined
}

export async function aloneNote(
  { value, asset, twoAbove }: AloneTerms,
  findWhy: (() => Promise<string | undefined>) | undefined,
): Promise<string> {
  const why = await findWhy?.()
  if (why !== undefined) return `another person must approve it too: ${why}`
  return `it counts for 24 hours: ${value} of the ${twoAbove} ${asset} that one person alone may approve`
}
