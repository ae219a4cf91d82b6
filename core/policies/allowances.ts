// Rules that several kinds share: each asset once, and guards that would let no movement of the policy through.
import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import { fault, findRepeat, type Path, type PolicyFault } from './policy-fault.ts'

/** The policy's own guards, and those of everything. */
export type Allowances = readonly Pick<Guards, 'allowedContacts' | 'allowedMarkets'>[]

export function repeated(path: Path, codes: readonly string[]): PolicyFault[] {
  const index = findRepeat(codes)
  return index === undefined
    ? []
    : [fault(path, `expected each asset once; got ${codes[index]} twice: codes match in any case`)]
}

/** Guards that let no withdrawal of the policy through. */
export function contactFaults(path: Path, contactId: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(({ allowedContacts }) => allowedContacts?.includes(contactId) ?? true)
  return isAllowed ? [] : [fault(path, 'expected a contact that allowedContacts of the guards lists; got another')]
}

/** Such a conversion takes the direct market, one way round or the other. */
export function marketFaults(path: Path, from: string, into: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(
    ({ allowedMarkets }) =>
      allowedMarkets?.some((id) => sameCode(id, `${from}-${into}`) || sameCode(id, `${into}-${from}`)) ?? true,
  )
  if (isAllowed) return []
  return [fault(path, `expected a market that allowedMarkets of the guards lists; got ${from} into ${into}`)]
}
