// Finds faults across the keys of `encryption`: a key of another region than its data, and a missing or unused key for
// copies. Pure.
import type { EncryptedData, Treasury } from '../contract/treasury.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'

export function findEncryptionFaults({
  aws,
  encryption = {},
  journal: { copyRegion } = {},
}: Pick<Treasury, 'aws' | 'encryption' | 'journal'>): PolicyFault[] {
  const { copies, ...here } = encryption
  const regions = Object.entries(here).flatMap(([field, arn]) =>
    arn === undefined ? [] : [[field, regionOf(arn)] as const],
  )
  const home = aws?.region ?? regions[0]?.[1]
  return [
    ...regions.flatMap(([field, region]) =>
      region === home ? [] : [fault(pathOf(field), `expected a key of ${home}; got one of ${region}`)],
    ),
    ...copyFaults(copies, here.journal, copyRegion),
  ]
}

function copyFaults(copies?: string, journal?: string, copyRegion?: string): PolicyFault[] {
  const path = pathOf('copies' satisfies EncryptedData)
  if (copyRegion === undefined) {
    return copies === undefined ? [] : [fault(path, 'expected journal.copyRegion too; without it there are no copies')]
  }
  // Copies under a key of AWS would be readable without the journal's own key.
  if (copies === undefined) {
    return journal === undefined
      ? []
      : [fault(path, `expected a key of ${copyRegion}, as encryption.journal is set; it is missing`)]
  }
  const region = regionOf(copies)
  return region === copyRegion ? [] : [fault(path, `expected a key of ${copyRegion}; got one of ${region}`)]
}

const pathOf = (field: string) => ['encryption', field]

function regionOf(arn: string): string {
  return arn.split(':')[3] ?? ''
}
