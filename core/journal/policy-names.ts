// Knows all names of a policy. Halts, trips and used days stay under the name that the policy had then, so each of its names
// binds it. treasury.json says the name before (`was`). The journal remembers the last 50 names of a policy, so a later file
// leaves no halt behind. The audit and the start of a desk record it, and no step of a run does.
import * as z from 'zod/mini'
import { recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

/** The names of each policy that had several, oldest first. */
type Names = readonly (readonly string[])[]
/** The policies of treasury.json, by name. */
type Named = Readonly<Record<string, { readonly was?: string | undefined }>>

/** Returns all names of a policy by any of them, oldest first. @throws Transient, Defect */
export type PolicyNames = (policy: string) => Promise<readonly string[]>

/** Maximum names of one policy. Halts are read under each of them right before a send. The oldest are forgotten first. */
const MOST_NAMES = 50

const namesFields = z.object({ names: z.array(z.array(z.string())) })

export function createPolicyNames(store: RecordStore, policies: Named): PolicyNames {
  return async (policy) => {
    const names = withNamesOf(policies, namesIn(await store.read(recordKey.policyNames)))
    return names.find((each) => each.includes(policy)) ?? [policy]
  }
}

/** The name in treasury.json of the policy that has this name, or had it before. @throws Transient, Defect */
export async function findPresentName(
  policy: string,
  policies: Named,
  namesOf: PolicyNames,
): Promise<string | undefined> {
  const isPresent = (name: string) => Object.hasOwn(policies, name)
  return isPresent(policy) ? policy : (await namesOf(policy)).findLast(isPresent)
}

/** Remembers the names that this treasury.json says. @throws Transient, Defect */
export async function rememberNames(writer: RecordWriter, policies: Named): Promise<void> {
  const pk = recordKey.policyNames
  const known = await writer.store.read(pk)
  const names = withNamesOf(policies, namesIn(known))
  if (JSON.stringify(names) === JSON.stringify(namesIn(known))) return
  assertWritten(await putOver(writer, known, pk, { names }), 'the names of policies were recorded meanwhile')
}

function namesIn(record: StoredRecord | undefined): Names {
  return record === undefined ? [] : checkRecord(namesFields, record).names
}

/** A policy of the file is the one that it was, with all names of both. */
function withNamesOf(policies: Named, known: Names): Names {
  return Object.entries(policies).reduce((names, [name, { was }]) => {
    if (was === undefined) return names
    const former = names.find((each) => each.includes(was)) ?? [was]
    const own = names.find((each) => each.includes(name)) ?? [name]
    if (former === own) return names
    return [...names.filter((each) => each !== former && each !== own), [...former, ...own].slice(-MOST_NAMES)]
  }, known)
}
