// Owns how a name follows from what it is of, and the names of executions that schedules start. It is apart from names.ts, so
// that the audit looks for a run without loading what events are.
import { createHash } from 'node:crypto'
import { STARTED_DIGITS } from '../contract/fields.ts'

/** `stem`, for people, and a digest of what is hashed. The first word keeps the kinds of triggers apart. */
export function nameFrom(stem: string, hashed: readonly [kind: string, ...rest: string[]]): string {
  const digest = createHash('sha256').update(JSON.stringify(hashed)).digest('hex')
  return `${stem}-${digest.slice(0, STARTED_DIGITS)}`
}

/** `scheduledTime`: ISO-8601, in whatever spelling. */
export function scheduledName(policy: string, scheduledTime: string): string {
  return nameFrom(policy, ['schedule', policy, new Date(scheduledTime).toISOString()])
}
