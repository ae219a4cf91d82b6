// What runs of a policy left in hubs on its way: what the next plan may count on, what a run leaves behind, and
// what the policy remembers of it. A claim on the hub and no more: it never grows by what is not certain. Pure.
import { isWithdrawing, type Policy } from '../../contract/policies.ts'
import { ownAssetsOf, passingHubsOf } from '../../contract/policy-hubs.ts'
import type { Residue } from '../../contract/runs.ts'
import { type Decimal, formatDecimal, greatest, least, minus, parseDecimal, plus, ZERO } from '../money/decimal.ts'
import { broughtBy, givenBy } from '../planning/replan-shares.ts'
import type { Snapshot } from '../planning/snapshot.ts'
import type { PolicyMove, PolicyRecord } from './policy-record.ts'
import type { RunMove, RunRecord } from './run-record.ts'
import type { LegEnd } from './settle-leg.ts'

/** Runs with a leg in doubt whose residues may grow yet. Of more, some are forgotten: which, records do not order. */
const MOST_DOUBTFUL = 20

/**
 * What is remembered, as far as it is still there: who took it meanwhile took it for good. Not of assets that
 * the policy has come to count whole.
 */
export function claimedResidues(
  policy: Policy,
  { residues = {} }: PolicyRecord,
  { positions, valuationAsset }: Pick<Snapshot, 'positions' | 'valuationAsset'>,
): ReadonlyMap<string, Decimal> {
  if (isWithdrawing(policy)) return new Map()
  const own = ownAssetsOf(policy, valuationAsset)
  const claims = Object.entries(residues).flatMap(([asset, text]): (readonly [string, Decimal])[] => {
    const amount = read(text)
    const position = positions.get(asset)
    // While a movement of it is in doubt, its figures say nothing.
    const claim = position?.inDoubt === undefined ? least(amount, position?.holding ?? ZERO) : amount
    return own.includes(asset) || claim === 0n ? [] : [[asset, claim]]
  })
  return new Map(claims)
}

/** For the run's record, once its plan is made: nothing of an earlier plan of it stays. */
export function plannedResidues({ residues }: Snapshot): Pick<RunMove, 'residues'> {
  const told = Object.entries(textsOf(residues)).map(([asset, amount]) => ({ asset, before: amount, amount }))
  return { residues: told.length === 0 ? undefined : told }
}

/** What the policy is to remember of claims that the snapshot does not bear out; undefined where it does all. */
export function givenUpClaims(
  { residues = {} }: PolicyRecord,
  snapshot: Snapshot,
): Pick<PolicyMove, 'residues'> | undefined {
  const claims = textsOf(snapshot.residues)
  return Object.entries(residues).every(([asset, amount]) => claims[asset] === amount)
    ? undefined
    : { residues: claims }
}

function textsOf(residues: Snapshot['residues'] = new Map()): Readonly<Record<string, string>> {
  return Object.fromEntries([...residues].map(([asset, amount]) => [asset, formatDecimal(amount)]))
}

/**
 * Once its legs are settled. Of a leg in doubt, what it may give up counts as given and what it may bring as not
 * come. Undefined where there is nothing to tell.
 */
export function settledResidues(run: RunRecord, legs: readonly LegEnd[]): Residue[] | undefined {
  const before = new Map(run.residues?.map((residue) => [residue.asset, read(residue.before)]))
  const passing = run.plan ? passingHubsOf(run.asPlanned, run.plan.valuationAsset) : []
  const told = [...new Set([...before.keys(), ...passing])].flatMap((asset) => {
    const start = before.get(asset) ?? ZERO
    const left = passing.includes(asset) ? greatest(ZERO, plus(start, changeOf(asset, legs))) : start
    return start === 0n && left === 0n ? [] : [{ asset, before: formatDecimal(start), amount: formatDecimal(left) }]
  })
  return told.length === 0 ? undefined : told
}

function changeOf(asset: string, legs: readonly LegEnd[]): Decimal {
  return legs.reduce((change, { leg, moved, result: { conversion } }) => {
    if (!('gives' in leg)) return change
    if (leg.brings.asset === asset) return plus(change, broughtBy(conversion))
    if (leg.gives.asset !== asset) return change
    const given = givenBy(conversion)
    return minus(change, moved === 'unknown' ? greatest(given, parseDecimal(leg.gives.amount, 'gives.amount')) : given)
  }, ZERO)
}

/** What the policy remembers once the run is counted: other runs may have added to it since the plan. */
export function rememberedResidues(
  { runId }: Pick<RunRecord, 'runId'>,
  residues: readonly Residue[] = [],
  isCertain: boolean,
  { doubtful = {}, residues: known = {} }: PolicyRecord,
): Pick<PolicyMove, 'residues' | 'doubtful'> {
  const changes = residues.map(({ asset, before, amount }) => [asset, minus(read(amount), read(before))] as const)
  const move = changes.length === 0 ? {} : { residues: changed(known, changes) }
  if (isCertain) return move
  const others = Object.entries(doubtful).filter(([other]) => other !== runId)
  const kept = others.slice(0, MOST_DOUBTFUL - 1)
  return { ...move, doubtful: Object.fromEntries([...kept, [runId, amountsOf(residues)]]) }
}

/**
 * The same of a run that was counted with a leg in doubt and is settled again: what it turned out to have left
 * besides, once however often this is asked. Undefined where there is nothing to change.
 */
export function rememberedLate(
  { runId }: Pick<RunRecord, 'runId'>,
  residues: readonly Residue[] = [],
  isCertain: boolean,
  { residues: known = {}, doubtful = {} }: PolicyRecord,
): Pick<PolicyMove, 'residues' | 'doubtful'> | undefined {
  const { [runId]: counted, ...others } = doubtful
  if (counted === undefined) return undefined
  const amounts = amountsOf(residues)
  const assets = new Set([...Object.keys(counted), ...Object.keys(amounts)])
  const changes = [...assets].map((asset) => [asset, minus(read(amounts[asset]), read(counted[asset]))] as const)
  if (!isCertain && changes.every(([, change]) => change === 0n)) return undefined
  const doubts = isCertain ? others : { ...others, [runId]: amounts }
  return { residues: changed(known, changes), doubtful: doubts }
}

function amountsOf(residues: readonly Residue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(residues.map(({ asset, amount }) => [asset, amount]))
}

/** Without those that have come to nothing. */
function changed(
  known: Readonly<Record<string, string>>,
  changes: readonly (readonly [string, Decimal])[],
): Readonly<Record<string, string>> {
  const sums = changes.map(([asset, change]) => [asset, greatest(ZERO, plus(read(known[asset]), change))] as const)
  const texts = { ...known, ...Object.fromEntries(sums.map(([asset, sum]) => [asset, formatDecimal(sum)])) }
  return Object.fromEntries(Object.entries(texts).filter(([, amount]) => amount !== '0'))
}

function read(amount: string | undefined): Decimal {
  return amount === undefined ? ZERO : parseDecimal(amount, 'residues')
}
