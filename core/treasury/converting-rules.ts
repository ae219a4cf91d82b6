// Finds what is wrong across the fields of a policy that only converts: rebalance, fund, convert-on-arrival.
import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import {
  type ConvertingPolicy,
  type ConvertOnArrivalPolicy,
  type FundPolicy,
  type Policy,
  PolicyKind,
  type RebalancePolicy,
} from '../contract/policies.ts'
import { fault, findRepeat, type Path, type PolicyFault, textOf, unitsOf } from './policy-fault.ts'

export function convertingFaults(path: Path, policy: ConvertingPolicy, guards: Guards): PolicyFault[] {
  switch (policy.kind) {
    case PolicyKind.Rebalance:
      return rebalanceFaults(path, policy, guards)
    case PolicyKind.Fund:
      return fundFaults(path, policy)
    case PolicyKind.ConvertOnArrival:
      return convertOnArrivalFaults(path, policy)
  }
}

/** Assets to which the policy gives a share or a value, as it spells them. */
export function targetsOf({ weights, amounts }: RebalancePolicy): readonly string[] {
  return Object.keys(weights ?? amounts ?? {})
}

/** Assets that a policy converts through. */
export function hubsOf({ hubs, valuationAsset }: Policy, guards: Guards): readonly string[] {
  return hubs ?? [valuationAsset ?? guards.valuationAsset]
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

/** An asset has one role: a target, left alone, or neither. */
function roleFaults(path: Path, policy: RebalancePolicy, guards: Guards): PolicyFault[] {
  const { leaveAlone, reserve } = policy
  const targets = targetsOf(policy)
  const hubs = hubsOf(policy, guards)
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

/** Sizes that leave no trade at all. */
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

function convertOnArrivalFaults(path: Path, { asset, into, hubs }: ConvertOnArrivalPolicy): PolicyFault[] {
  const isSame = sameCode(asset, into)
  return [
    ...(isSame ? [fault([...path, 'into'], `expected an asset other than ${asset}; got that one`)] : []),
    ...repeated([...path, 'hubs'], hubs ?? []),
  ]
}

export function repeated(path: Path, codes: readonly string[]): PolicyFault[] {
  const index = findRepeat(codes)
  return index === undefined
    ? []
    : [fault(path, `expected each asset once; got ${codes[index]} twice: codes match in any case`)]
}
