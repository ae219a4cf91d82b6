// Whether there is a policy of a name that a person gives: in treasury.json, or in the journal, which also knows those
// that were renamed or came with their runs. Reads only.
import { policyName } from '../../core/contract/fields.ts'
import { usageError } from '../terminal/command-error.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { JournalPlace } from './journal/journal-target.ts'
import { findPolicy } from './named-policy.ts'

const FLAG = '--policy'

/** @throws CommandError (exit 2) for what cannot be a policy's name */
export function assertPolicyName(name: string): void {
  if (policyName.safeParse(name).success) return
  const expected = 'expected at most 48 lower-case letters, digits and dashes'
  throw usageError('usage', `${FLAG}: ${expected}; got another`, `${INVOCATION} policies`)
}

/** @throws CommandError (exit 2) with the nearest name of treasury.json, where neither it nor the journal has it */
export async function assertKnownPolicy(
  name: string,
  { treasury, runJournal }: Pick<JournalPlace, 'treasury' | 'runJournal'>,
  nowMs: number,
): Promise<void> {
  if (Object.hasOwn(treasury.policies, name)) return
  if ((await runJournal.policy(name)).version > 0) return
  // One that only planned, or came with its run, is remembered by its runs alone.
  if ((await runJournal.listOf(name, 1, nowMs)).length > 0) return
  findPolicy(name, treasury, FLAG)
}
