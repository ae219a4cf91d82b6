// Defines the kind `convert-on-arrival`: everything of an asset above `keep` becomes another asset, by a schedule or at a
// deposit.
import { sameCode } from '../../contract/fields.ts'
import type { ConvertOnArrivalPolicy } from '../../contract/policies.ts'
import { repeated } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault } from '../policy-fault.ts'
import { NO_REFERENCES, named } from '../references.ts'

export const convertOnArrival: Kind<ConvertOnArrivalPolicy> = {
  withdraws: false,
  faults: convertOnArrivalFaults,
  keeps: (path, { keep }) => [{ at: path, keep }],

  references({ asset, into }, hubs) {
    const assets = [named('asset', asset), named('into', into)]
    return {
      ...NO_REFERENCES,
      assets,
      valued: assets,
      conversions: [{ at: 'into', gives: asset, brings: into, hubs }],
    }
  },

  givesUp: ({ asset }, hubs) => [asset, ...hubs],
  ownAssets: ({ asset, into }) => [...new Set([asset, into])],
  smallestTrade: ({ smallestTrade }) => smallestTrade,
  startedByDepositOf: ({ asset, onDeposit }) => (onDeposit ? asset : undefined),
  drains: (path, { asset, keep }) => [
    { at: path, verb: 'converts', keep, codes: [asset], takes: (other) => sameCode(asset, other) },
  ],
  arrival: (policy) => policy,
}

function convertOnArrivalFaults(path: Path, { asset, into, hubs }: ConvertOnArrivalPolicy): PolicyFault[] {
  const isSame = sameCode(asset, into)
  return [
    ...(isSame ? [fault([...path, 'into'], `expected an asset other than ${asset}; got that one`)] : []),
    ...repeated([...path, 'hubs'], hubs ?? []),
  ]
}
