// Owns what several kinds share. It finds an asset that is named twice, and guards that would stop every movement of
// the policy. It lists the assets that a portfolio holds at a target. Pure.

import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import type { Portfolio } from './kind.ts'
import { fault, findRepeat, type Path, type PolicyFault } from './policy-fault.ts'

/** The policy's own guards, and the deployment's. */
export type Allowances = readonly Pick<Guards, 'allowedContacts' | 'allowedMarkets'>[]

export function repeated(path: Path, codes: readonly string[]): PolicyFault[] {
  const index = findRepeat(codes)
  return index === undefined
    ? []
    : [fault(path, `expected each asset once; got ${codes[index]} twice: codes match in any case`)]
}

/** A fault where the guards stop every withdrawal to the contact. */
export function contactFaults(path: Path, contactId: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(({ allowedContacts }) => allowedContacts?.includes(contactId) ?? true)
  return isAllowed
    ? []
    : [fault(path, 'expected a contact that allowedContacts of the guards lists; got something else')]
}

/** A fault where the guards stop the conversion. It takes the direct market, in either direction. */
export function marketFaults(path: Path, from: string, into: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(
    ({ allowedMarkets }) =>
      allowedMarkets?.some((id) => sameCode(id, `${from}-${into}`) || sameCode(id, `${into}-${from}`)) ?? true,
  )
  if (isAllowed) return []
  return [fault(path, `expected a market that allowedMarkets of the guards lists; got ${from} into ${into}`)]
}

/** Assets to which the policy gives a share or a value, spelled as in the policy. */
export function targetsOf({ weights, amounts }: Portfolio): readonly string[] {
  return Object.keys(weights ?? amounts ?? {})
}
