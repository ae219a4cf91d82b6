// Says when it will be known whether a send in doubt has moved something. Pure.
import type { Doubt } from '../../operations/cases/doubts.ts'

export function knownWhen({ until, isOverdue }: Pick<Doubt, 'until' | 'isOverdue'>): string {
  return isOverdue
    ? `It was to be known by ${until} whether it moved, and is checked again until the service shows it`
    : `By ${until} it is known whether it moved: its movement is found, or it is certain that nothing moved`
}
