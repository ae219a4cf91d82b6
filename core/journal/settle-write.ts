// What a conditional put came to when its answer is unclear: settled by reading back and comparing
// the stamp. Knows no SDK, so that a simulation can put the same rule to the test.
import { Transient } from '../errors.ts'
import type { StoredRecord } from './record-store.ts'

/** The name under which DynamoDB says that a condition did not hold. */
export const CONDITION_FAILED = 'ConditionalCheckFailedException'

/**
 * `failure`: the name of the put's error, `undefined` for none. A put whose answer was lost may have
 * been applied, and the SDK's own retry of it then fails the condition. @throws Transient when it
 * stays unclear: the write may still be applied.
 */
export async function settleWrite(
  record: StoredRecord,
  failure: string | undefined,
  read: (pk: string) => Promise<StoredRecord | undefined>,
): Promise<'written' | 'stale'> {
  if (failure === undefined) return 'written'
  const stored = await read(record.pk)
  if (stored?.stamp === record.stamp) return 'written'
  if (failure === CONDITION_FAILED) return 'stale'
  // Not there now, but a write that errored may still be applied: the version guards the next one.
  throw new Transient(`the journal did not confirm a write (${failure})`)
}
