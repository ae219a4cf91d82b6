// Writes the words for a run whose wait for people is over, and that has not been entered since. Says when it will be
// known whether a send in doubt has moved something. Pure.

import type { EndOfWait } from '../../core/runs/approval/end-of-wait.ts'
import type { Doubt } from '../../operations/cases/doubts.ts'
import type { StandsAgainst } from '../../operations/runs/stands-against.ts'

const WAIT_ENDED: Readonly<Record<EndOfWait, string>> = {
  approved: 'was approved, and continues by itself once nothing stands against it',
  rejected: 'was rejected, and ends by itself',
  expired: 'was not carried out in time: it ends by itself once nothing is halted, and moves nothing',
}

/** The rest of a sentence about a run, such as `run 7 of policy core …`, without its full stop. */
export function waitEndedText({
  waitEnded,
  against,
}: {
  readonly waitEnded: EndOfWait
  readonly against?: StandsAgainst
}): string {
  if (waitEnded !== 'approved' || against === undefined) return WAIT_ENDED[waitEnded]
  const { isForPerson, says, since } = against
  const from = since === undefined ? '' : ` (since ${since})`
  const then =
    isForPerson === true ? 'continues once a person has settled that doubt' : 'continues by itself once that is over'
  return `was approved, and waits: ${says}${from}; it ${then}`
}

export function knownWhen({ until, isOverdue }: Pick<Doubt, 'until' | 'isOverdue'>): string {
  return isOverdue
    ? `It was to be known by ${until} whether it moved, and is checked again until the service shows it`
    : `By ${until} it is known whether it moved: its movement is found, or it is certain that nothing moved`
}
