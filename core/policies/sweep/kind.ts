// Defines the kind `sweep`: everything of some assets above `keep` goes to contacts, rule by rule.
import { sameCode } from '../../contract/fields.ts'
import type { SweepPolicy, SweepRule } from '../../contract/policies.ts'
import type { Drain, Kind } from '../kind.ts'
import { listed, NO_REFERENCES, named } from '../references.ts'
import { sweepFaults } from './rules.ts'

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
