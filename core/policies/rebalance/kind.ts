// Defines the kind `rebalance`: assets are held at shares of their total value, or at fixed values. Finds faults
// across the fields of its policies.
import { sameCode } from '../../contract/fields.ts'
import type { Guards } from '../../contract/guards.ts'
import type { RebalancePolicy } from '../../contract/policies.ts'
import { repeated, targetsOf } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault, textOf, unitsOf } from '../policy-fault.ts'
import { keyed, listed, NO_REFERENCES } from '../references.ts'

export const rebalance: Kind<RebalancePolicy> = {
  withdraws: false,
  faults: rebalanceFaults,
  keeps: () => [],

  references(policy) {
    const { weights, reserve, leaveAlone } = policy
    const targets = keyed(weights === undefined ? 'amounts' : 'weights', targetsOf(policy))
    return {
      ...NO_REFERENCES,
      assets: [...targets, ...keyed('reserve', Object.keys(reserve)), ...listed('leaveAlone', leaveAlone)],
      portfolio: targets,
      valued: targets,
    }
  },

  givesUp: (policy, hubs) => [...targetsOf(policy), ...hubs],

  ownAssets({ weights = {}, amounts, hubs }, valuationAsset) {
    const [first] = hubs ?? [valuationAsset]
    if (amounts === undefined) return Object.keys(weights)
    // With `amounts`, the first hub takes the rest of the value.
    return [...new Set([...Object.keys(amounts), ...(first === undefined ? [] : [first])])]
  },

  smallestTrade: ({ smallestTrade }) => smallestTrade,
  leavesAlone: ({ leaveAlone }) => leaveAlone,
  portfolio: (policy) => policy,
}

const WHOLE = unitsOf('1')

function rebalanceFaults(path: Path, policy: RebalancePolicy, guards: Guards): PolicyFault[] {
  const { weights, amounts } = policy
  if ((weights === undefined) === (amounts === undefined)) {
    const got = weights === undefined ? 'neither' : 'both'
    return [fault([...path, 'weights'], `expected either weights or amounts; got ${got}: keep one of the two`)]
  }
  return [
    ...(weights === undefined ? [] : weightFaults([...path, 'weights'], weights)),
    ...repeated([...path, weights === undefined ? 'amounts' : 'weights'], targetsOf(policy)),
    ...roleFaults(path, policy, guards),
    ...sizeFaults(path, policy),
  ]
}

function weightFaults(path: Path, weights: Readonly<Record<string, string>>): PolicyFault[] {
  const sum = Object.values(weights).reduce((total, weight) => total + unitsOf(weight), 0n)
  if (sum === WHOLE) return []
  const apart =
    sum < WHOLE ? `${textOf(WHOLE - sum)} is left over: give it to an asset` : `${textOf(sum - WHOLE)} too much`
  return [fault(path, `expected weights that add up to exactly 1; got ${textOf(sum)}: ${apart}`)]
}

/** An asset has one role: a target, left alone, or neither of them. */
function roleFaults(path: Path, policy: RebalancePolicy, guards: Guards): PolicyFault[] {
  const { leaveAlone, reserve } = policy
  const targets = targetsOf(policy)
  const hubs = policy.hubs ?? [policy.valuationAsset ?? guards.valuationAsset]
  const has = (codes: readonly string[], code: string) => codes.some((each) => sameCode(each, code))
  const inTwo = leaveAlone.flatMap((code, index) => {
    const at = [...path, 'leaveAlone', index]
    if (has(targets, code)) return [fault(at, `expected an asset without a target; got ${code}, which has one`)]
    if (has(policy.hubs ?? [], code)) return [fault(at, `expected an asset that is no hub; got ${code}, which is one`)]
    return []
  })
  const idle = Object.keys(reserve).filter((code) => !has(targets, code) && !has(hubs, code))
  return [
    ...inTwo,
    ...repeated([...path, 'leaveAlone'], leaveAlone),
    ...repeated([...path, 'hubs'], policy.hubs ?? []),
    ...idle.map((code) =>
      fault(
        [...path, 'reserve', code],
        'expected an asset with a target, or a hub; this policy touches no other: remove it',
      ),
    ),
  ]
}

/** Sizes that allow no trade at all. */
function sizeFaults(path: Path, { smallestTrade, largestTrade, turnover: { run, day } }: RebalancePolicy) {
  const least = unitsOf(smallestTrade)
  const bounds = [
    { at: [...path, 'largestTrade'], most: largestTrade },
    { at: [...path, 'turnover', 'run'], most: run },
    { at: [...path, 'turnover', 'day'], most: day },
  ]
  const faults = bounds.flatMap(({ at, most }) =>
    most === undefined || unitsOf(most) >= least
      ? []
      : [fault(at, `expected at least smallestTrade, ${smallestTrade}; got ${most}, which lets nothing through`)],
  )
  if (run === undefined || day === undefined || unitsOf(run) <= unitsOf(day)) return faults
  return [...faults, fault([...path, 'turnover', 'run'], `expected at most that of a day, ${day}; got ${run}`)]
}
