// Owns the record of a person's accepted request: `N#<function>#<hash of the signature>`. It is written before the request is
// carried out, and never changed. So nobody can repeat an intercepted request in the signer's name, and a record that says
// what a person decided counts only together with the record of the request. At a desk nobody signs, so the command that
// decides writes it, in a name that nobody verified.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { nameIn } from '../contract/person.ts'
import { recordKey } from '../contract/records.ts'
import type { Verb } from '../contract/states.ts'
import { Refused } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore, type StoredRecord } from './record-store.ts'

export const acceptedFields = z.object({
  by: z.string(),
  /** ARN of the function, or `DESK`. */
  to: z.string(),
  /** ISO-8601. */
  at: z.string(),
  /** Hash of the request. */
  asked: z.string(),
})

/** Takes the place of the function's ARN where nobody signed. */
export const DESK = 'desk'

/** Who speaks, and when. `spoken`: the key of the record of that person's request. */
export interface Speaker {
  readonly by: string
  readonly at: string
  readonly spoken: string
}

interface AcceptedRequest {
  /** Hash of the signature, or another name that no other request has. */
  readonly id: string
  readonly by: string
  readonly to: string
  readonly at: string
  readonly request: unknown
}

/** Returns the record's key. @throws Refused for a request that was already accepted; Transient */
export type AcceptOnce = (verb: Verb, request: AcceptedRequest) => Promise<string>

export function createAcceptedRequests(store: RecordStore, newId: NewId): AcceptOnce {
  return async (verb, { id, by, to, at, request }) => {
    const pk = recordKey.spoken(verb, id)
    const written = await putRecord({ store, newId }, pk, { by, to, at, asked: hashParams(request) })
    if (written === 'written') return pk
    throw new Refused(
      'this signed request was already accepted, and counts only once: give the command again, which signs it anew',
    )
  }
}

/** Whether the key can be that of a request to this function. */
export function isSpokenTo(verb: Verb, key: string | undefined): key is string {
  return key?.startsWith(recordKey.spoken(verb, '')) === true
}

/**
 * Whether this is the record of the person's request. `request`: what it asked for, where what it led to still tells.
 * @throws Defect
 */
export function isOfSpeaker(
  record: StoredRecord | undefined,
  { by, at, spoken }: Pick<Speaker, 'by' | 'at'> & { readonly spoken?: string | undefined },
  request?: object,
): boolean {
  if (record === undefined || record.pk !== spoken) return false
  const accepted = checkRecord(acceptedFields, record)
  return accepted.by === by && accepted.at === at && (request === undefined || accepted.asked === hashParams(request))
}

/**
 * One sentence where a person whom AWS confirmed is said to have spoken to this function, and no request of that person is
 * recorded. Undefined for a name that nobody verified, because nobody signs at a desk.
 * @throws Transient, Defect
 */
export async function findUnheard(
  verb: Verb,
  said: Pick<Speaker, 'by' | 'at'> & { readonly spoken?: string | undefined },
  store: Pick<RecordStore, 'read'>,
): Promise<string | undefined> {
  if (nameIn(said.by) !== said.by) return undefined
  const request = isSpokenTo(verb, said.spoken) ? await store.read(said.spoken) : undefined
  return isOfSpeaker(request, said) ? undefined : unheardText(said)
}

export function unheardText({ by, at }: Pick<Speaker, 'by' | 'at'>): string {
  return `no signed request of ${by} is recorded for what was written in this name at ${at}`
}
