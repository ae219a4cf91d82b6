// Finds the id that a person gave to `sluice run`, from the record of who asked. It counts only where the record's own id
// follows from it, so no wrong id is ever shown. Reads only.
import { recordKey } from '../../core/contract/records.ts'
import { askerIn } from '../../core/journal/askers.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { requesterIn } from '../../core/runs/approval/requesters.ts'
import type { RequestAccess } from '../../place/journal/journal-parts.ts'
import { idMadeOf, type RunVerb } from './intent-id.ts'
import type { RequestKind } from './record-kind.ts'

/** Ids that are made of a person's id. Legs, and what schedules, events and services start, have others. */
const MADE_OF_OWN_ID = /^(?:cv|wd|rb|sw)-[0-9a-f]{32}$/
const STARTS: Readonly<Record<RunVerb, RequestKind>> = {
  convert: 'convert',
  withdraw: 'withdraw',
  rebalance: 'run',
  sweep: 'run',
}
const VERBS = Object.keys(STARTS) as readonly RunVerb[]

/** Undefined where nobody gave an id, or where who asked was not recorded. @throws Transient, Defect */
export async function findOwnId(
  kind: RequestKind,
  id: string,
  { readRecord }: Pick<RequestAccess, 'readRecord'>,
): Promise<string | undefined> {
  if (!MADE_OF_OWN_ID.test(id)) return undefined
  const record = await readRecord(kind === 'run' ? recordKey.requester(id) : recordKey.asked(kind, id))
  if (record === undefined) return undefined
  const { ownId } = kind === 'run' ? { ...requesterIn(record) } : askerIn(record)
  return ownId !== undefined && isMadeOf(ownId, { id, kind }) ? ownId : undefined
}

/** Whether the id of a record was made of this id. */
function isMadeOf(ownId: string, { id, kind }: { readonly id: string; readonly kind: RequestKind }): boolean {
  return VERBS.some((verb) => STARTS[verb] === kind && idMadeOf(verb, ownId) === id)
}

/** The same, without the id where the record of who asked was edited: that must not hide what it is about. */
export function findReadableOwnId(
  kind: RequestKind,
  id: string,
  access: Pick<RequestAccess, 'readRecord'>,
  onMisfit: (misfit: Error) => void = () => {},
): Promise<string | undefined> {
  return findReadable(() => findOwnId(kind, id, access), onMisfit)
}
