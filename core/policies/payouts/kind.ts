// Defines the kind `payouts`: the rows of a file go to contacts, each row once over all runs of the policy.
import { sameCode } from '../../contract/fields.ts'
import type { PayoutsPolicy } from '../../contract/policies.ts'
import { repeated } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault } from '../policy-fault.ts'
import { keyed, listed, NO_REFERENCES, named } from '../references.ts'

export const payouts: Kind<PayoutsPolicy> = {
  withdraws: true,
  faults: payoutsFaults,
  keeps: () => [],

  // The planner names the contacts of rows that the service does not know, each with its row.
  references({ assets, reserve, from = [] }) {
    return {
      ...NO_REFERENCES,
      assets: [
        ...listed('assets', assets),
        ...keyed('reserve', Object.keys(reserve)),
        ...from.map((source, index) => named(`from[${index}].asset`, source.asset)),
      ],
      conversions: from.flatMap((source, index) =>
        assets.map((brings) => ({ at: `from[${index}].asset`, gives: source.asset, brings, hubs: [] })),
      ),
    }
  },

  givesUp: ({ assets, from = [] }) => [...assets, ...from.map(({ asset }) => asset)],
  ownAssets: () => [],
  withdrawals: ({ rows, feeMode, feeCeilingBps, reserve }) =>
    rows.map(({ id, contactId, asset, amount }) => ({
      key: `pay-${id}-`,
      assets: [asset],
      keep: { target: reserve[asset] ?? '0' },
      contactId,
      canary: false,
      exactly: amount,
      feeMode,
      feeCeilingBps,
    })),

  convertsFirst: ({ from }) => from !== undefined,
  withRows: (policy, rows) => ({ ...policy, rows: [...rows] }),
  files: ({ files }) => files,
  payments: ({ rows, feeMode }) => rows.map((row) => ({ ...row, feeMode })),
}

function payoutsFaults(
  path: Path,
  { approval, assets, files, from = [], reserve, rows, schedule }: PayoutsPolicy,
): PolicyFault[] {
  const sources = from.map(({ asset }) => asset)
  const paid = sources.findIndex((source) => assets.some((asset) => sameCode(asset, source)))
  const stray = Object.keys(reserve).find((code) => !assets.some((asset) => sameCode(asset, code)))
  return [
    ...repeated([...path, 'assets'], assets),
    ...repeated([...path, 'from'], sources),
    ...repeated([...path, 'reserve'], Object.keys(reserve)),
    ...(paid < 0
      ? []
      : [fault([...path, 'from', paid, 'asset'], `expected an asset that rows do not pay; got ${sources[paid]}`)]),
    ...(stray === undefined
      ? []
      : [fault([...path, 'reserve', stray], 'expected an asset of `assets`; name what stays of others in `from`')]),
    ...(schedule === undefined
      ? []
      : [fault([...path, 'schedule'], 'expected no schedule: a file starts each run of payouts')]),
    ...(files === undefined || approval !== undefined
      ? []
      : [
          fault(
            [...path, 'approval'],
            'expected approval beside `files`: whoever may write to the bucket may ask for payments; got none',
          ),
        ]),
    ...(rows.length === 0 ? [] : [fault([...path, 'rows'], 'expected no rows: the request of a run has them')]),
  ]
}
