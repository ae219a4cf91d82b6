// Defines the kind `fund`: once there is less of an asset than `atLeast`, it is bought up to its target with other
// assets.
import { sameCode } from '../../contract/fields.ts'
import type { FundPolicy } from '../../contract/policies.ts'
import { repeated } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault, unitsOf } from '../policy-fault.ts'
import { NO_REFERENCES, named } from '../references.ts'

export const fund: Kind<FundPolicy> = {
  withdraws: false,
  faults: fundFaults,
  keeps: () => [],

  references({ asset, from }, hubs) {
    const assets = [named('asset', asset), ...from.map((source, index) => named(`from[${index}].asset`, source.asset))]
    return {
      ...NO_REFERENCES,
      assets,
      valued: assets,
      conversions: from.map((source, index) => ({
        at: `from[${index}].asset`,
        gives: source.asset,
        brings: asset,
        hubs,
      })),
    }
  },

  givesUp: ({ from }, hubs) => [...from.map(({ asset }) => asset), ...hubs],
  ownAssets: (policy) => [...new Set([policy.asset, ...policy.from.map(({ asset }) => asset)])],
  smallestTrade: ({ smallestTrade }) => smallestTrade,
  purchase: (policy) => policy,
}

function fundFaults(path: Path, { asset, atLeast, target, from, hubs }: FundPolicy): PolicyFault[] {
  const isBelow = target !== undefined && unitsOf(target) < unitsOf(atLeast)
  const itself = from.findIndex((source) => sameCode(source.asset, asset))
  return [
    ...(unitsOf(atLeast) > 0n ? [] : [fault([...path, 'atLeast'], `expected more than zero; got ${atLeast}`)]),
    ...(isBelow ? [fault([...path, 'target'], `expected at least atLeast, ${atLeast}; got ${target}`)] : []),
    ...(itself < 0
      ? []
      : [fault([...path, 'from', itself, 'asset'], `expected an asset other than ${asset}; got that one`)]),
    ...repeated(
      [...path, 'from'],
      from.map((source) => source.asset),
    ),
    ...repeated([...path, 'hubs'], hubs ?? []),
  ]
}
