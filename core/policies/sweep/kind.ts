// Defines the kind `sweep`: what there is above `keep` of some assets, or of all but some, goes to contacts, rule by rule, or is
// first converted into one asset. Finds faults across the fields of its policies.
import { sameCode } from '../../contract/fields.ts'
import type { Guards } from '../../contract/guards.ts'
import type { SweepPolicy, SweepRule } from '../../contract/policies.ts'
import { type Allowances, contactFaults, marketFaults, repeated } from '../allowances.ts'
import type { Drain, Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault } from '../policy-fault.ts'
import { listed, NO_REFERENCES, named } from '../references.ts'

export const sweep: Kind<SweepPolicy> = {
  withdraws: true,
  faults: sweepFaults,
  keeps: (path, { rules }) => rules.map(({ keep }, index) => ({ at: [...path, 'rules', index], keep })),
  references: referencesOfSweep,
  givesUp: ({ rules }) => (rules.some(({ allBut }) => allBut !== undefined) ? 'any' : rules.flatMap(assetsOf)),
  ownAssets: () => [],
  withdrawals: ({ rules }) => rules.map((rule, index) => ({ ...rule, key: `rule${index + 1}-` })),

  drains: (path, { rules }) =>
    rules.map(({ assets, allBut, keep }, index): Drain => {
      const takes = (asset: string) => (assets === undefined ? !isIn(allBut ?? [], asset) : isIn(assets, asset))
      return { at: [...path, 'rules', index], verb: 'sweeps', keep, codes: assets, takes }
    }),
}

const isIn = (codes: readonly string[], code: string) => codes.some((each) => sameCode(each, code))

function assetsOf({ assets = [], convertInto }: SweepRule): string[] {
  return convertInto === undefined ? assets : [...assets, convertInto]
}

function referencesOfSweep({ rules }: SweepPolicy) {
  const all = rules.map(({ assets, allBut, convertInto, contactId }, index) => {
    const at = `rules[${index}]`
    const sent = convertInto === undefined ? (assets ?? []) : [convertInto]
    return {
      assets: [
        ...listed(`${at}.assets`, assets ?? []),
        ...listed(`${at}.allBut`, allBut ?? []),
        ...(convertInto === undefined ? [] : [named(`${at}.convertInto`, convertInto)]),
      ],
      contacts: [{ at: `${at}.contactId`, id: contactId, assets: sent }],
      conversions:
        convertInto === undefined
          ? []
          : (assets ?? []).map((gives) => ({ at: `${at}.convertInto`, gives, brings: convertInto, hubs: [] })),
    }
  })
  return {
    ...NO_REFERENCES,
    assets: all.flatMap(({ assets }) => assets),
    contacts: all.flatMap(({ contacts }) => contacts),
    conversions: all.flatMap(({ conversions }) => conversions),
  }
}

function sweepFaults(path: Path, policy: SweepPolicy, guards: Guards): PolicyFault[] {
  const bounds = [policy.guards, guards]
  const single = policy.rules.flatMap((rule, index) => ruleFaults([...path, 'rules', index], rule, bounds))
  return [...single, ...overtakenCanaries([...path, 'rules'], policy)]
}

function ruleFaults(path: Path, rule: SweepRule, bounds: Allowances): PolicyFault[] {
  const { assets, allBut, convertInto, contactId } = rule
  return [
    ...choiceFaults(path, rule),
    ...repeated([...path, 'assets'], assets ?? []),
    ...repeated([...path, 'allBut'], allBut ?? []),
    ...(convertInto === undefined ? [] : convertIntoFaults(path, assets ?? [], convertInto, bounds)),
    ...contactFaults([...path, 'contactId'], contactId, bounds),
  ]
}

function choiceFaults(path: Path, { assets, allBut }: SweepRule): PolicyFault[] {
  if ((assets === undefined) !== (allBut === undefined)) return []
  const [got, fix] =
    assets === undefined ? ['neither', '"allBut": [] means every asset'] : ['both', 'keep one of the two']
  return [fault([...path, 'assets'], `expected either assets or allBut; got ${got}: ${fix}`)]
}

function convertIntoFaults(path: Path, assets: readonly string[], into: string, bounds: Allowances): PolicyFault[] {
  const own = assets.findIndex((asset) => sameCode(asset, into))
  const itself = `expected an asset other than convertInto; got ${into}: give what there is of it a rule of its own`
  return [
    ...(own < 0 ? [] : [fault([...path, 'assets', own], itself)]),
    ...assets
      .filter((asset) => !sameCode(asset, into))
      .flatMap((asset) => marketFaults([...path, 'convertInto'], asset, into, bounds)),
  ]
}

/** A canary is useless where another rule sends to the same contact at once. */
function overtakenCanaries(path: Path, { rules }: SweepPolicy): PolicyFault[] {
  return rules.flatMap(({ contactId, canary }, index) => {
    const careful = rules.findIndex((other) => other.contactId === contactId && other.canary)
    if (canary || careful < 0) return []
    const why = `rules[${careful}] sends a canary to this contact first, which this rule would overtake`
    return [fault([...path, index, 'canary'], `expected true; got false: ${why}`)]
  })
}
