// Reads the filters of the log of people, and says whether an act passes them. Pure.

import { isSamePerson } from '../../core/contract/person.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { readSpan } from '../movements/list-requests.ts'
import { type Act, Did } from './act.ts'

/** The filters as texts, before they are checked. */
export interface ActFilters {
  /** An ARN, or the name at its end. */
  readonly person?: string
  readonly did?: string
  /** ISO-8601. */
  readonly since?: string
  readonly before?: string
}

export interface ActFilter {
  readonly person: string | undefined
  readonly did: string | undefined
  /** Epoch ms: from then on. */
  readonly sinceMs: number | undefined
  /** Epoch ms: before then. */
  readonly beforeMs: number | undefined
}

const KINDS: readonly string[] = Object.values(Did)

/** @throws OperationError (exit 2) for a filter that is not valid */
export function readActFilter(filters: ActFilters): ActFilter {
  const { person, did } = filters
  if (person === '')
    throw unfit('person', 'expected a name; got an empty text', advice`give ${option('person')} a name`)
  if (did !== undefined && !KINDS.includes(did)) {
    throw unfit('did', `expected one of ${KINDS.join(', ')}; got something else`)
  }
  return { person, did, ...readSpan(filters) }
}

export function isWanted({ at, by, did }: Act, { person, did: asked, sinceMs, beforeMs }: ActFilter): boolean {
  const atMs = Date.parse(at)
  return (
    // A time that cannot be read excludes nothing.
    !(atMs < (sinceMs ?? Number.NEGATIVE_INFINITY)) &&
    !(atMs >= (beforeMs ?? Number.POSITIVE_INFINITY)) &&
    (person === undefined || isSamePerson(by, person)) &&
    (asked === undefined || did === asked)
  )
}
