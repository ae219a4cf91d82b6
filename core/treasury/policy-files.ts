// Finds faults of the places in S3 from which files of payouts come, and the policy that pays an object. One object is the file
// of one policy, so no place lies within another.
import { MOST_POLICIES_WITH_FILES, type PayoutFiles } from '../contract/payouts.ts'
import type { Policy } from '../contract/policies.ts'
import { filesOf } from '../policies/kinds.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'

type Policies = Readonly<Record<string, Policy>>

/** A place in S3, and the policy that pays its files. */
export interface PlaceOfFiles {
  readonly policy: string
  readonly files: PayoutFiles
}

export function placesOfFiles(policies: Policies): readonly PlaceOfFiles[] {
  return Object.entries(policies).flatMap(([policy, config]) => {
    const files = filesOf(config)
    return files === undefined ? [] : [{ policy, files }]
  })
}

/** The policy that pays this object; undefined where no policy does. */
export function policyOfObject(policies: Policies, bucket: string, key: string): string | undefined {
  return placesOfFiles(policies).find(({ files }) => files.bucket === bucket && key.startsWith(prefixOf(files)))?.policy
}

export function filesFaults(policies: Policies): PolicyFault[] {
  const places = placesOfFiles(policies)
  const shared = places.flatMap((second, index) =>
    places
      .slice(0, index)
      .filter((first) => overlap(first.files, second.files))
      .map((first) =>
        fault(
          ['policies', second.policy, 'files'],
          `expected a place of its own; got one that policy ${first.policy} takes files from: one file would be paid by two policies`,
        ),
      ),
  )
  const tooMany = places[MOST_POLICIES_WITH_FILES]
  if (tooMany === undefined) return shared
  const says = `expected at most ${MOST_POLICIES_WITH_FILES} policies with files; got ${places.length}`
  return [...shared, fault(['policies', tooMany.policy, 'files'], says)]
}

function overlap(first: PayoutFiles, second: PayoutFiles): boolean {
  const [one, other] = [prefixOf(first), prefixOf(second)]
  return first.bucket === second.bucket && (one.startsWith(other) || other.startsWith(one))
}

function prefixOf({ prefix = '' }: PayoutFiles): string {
  return prefix
}
