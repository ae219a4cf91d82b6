// Owns how names are derived from their parts, and the names of executions that schedules start. It is separate from
// names.ts, so that the audit finds a run without loading the shapes of events.
import { createHash } from 'node:crypto'
import { STARTED_DIGITS } from '../contract/fields.ts'

/** `stem`, for people, and a digest of `hashed`. The first part of `hashed` separates the kinds of triggers. */
export function nameFrom(stem: string, hashed: readonly [kind: string, ...rest: string[]]): string {
  const digest = createHash('sha256').update(JSON.stringify(hashed)).digest('hex')
  return `${stem}-${digest.slice(0, STARTED_DIGITS)}`
}

/** `scheduledTime`: ISO-8601 in any spelling. */
export function scheduledName(policy: string, scheduledTime: string): string {
  return nameFrom(policy, ['schedule', policy, new Date(scheduledTime).toISOString()])
}
