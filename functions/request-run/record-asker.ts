// Records on AWS who asks for a conversion or a withdrawal, under the identity that signed, for the log of people. It
// starts nothing, and no step reads the record: the person starts the execution with a permission of the person's own.
import type { Clock } from '../../core/clock.ts'
import type { AskMovementAnswer, AskMovementRequest } from '../../core/contract/people.ts'
import type { Askers } from '../../core/journal/askers.ts'
import type { Journal } from '../../core/journal/journal.ts'

interface RecordAskerPorts {
  readonly askers: Askers
  readonly journal: Pick<Journal, 'find'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** The first record counts. Nobody becomes the asker of an intent that has begun without one. @throws Transient, Defect */
export async function recordAsker(
  { intent, kind, ownId, requestHash }: AskMovementRequest,
  by: string,
  { askers, clock, journal }: RecordAskerPorts,
): Promise<AskMovementAnswer> {
  const known = await askers.find(kind, intent)
  if (known !== undefined) return { outcome: 'RECORDED', by: known.by }
  if ((await journal.find(intent, kind)) !== undefined) return { outcome: 'BEGUN' }
  const at = new Date(clock.nowMs()).toISOString()
  const first = await askers.record(kind, intent, { by, at, requestHash, ...(ownId !== undefined && { ownId }) })
  return { outcome: 'RECORDED', by: first.by }
}
