// What runs of a policy left on its way, in hubs or to go to a contact: what the next plan may count on, what a run
// leaves behind, and what the policy remembers of it. A claim and no more: it never grows by what is not certain. Pure.
import { isWithdrawing, type Policy } from '../../contract/policies.ts'
import type { Residue } from '../../contract/runs.ts'
import { type Decimal, formatDecimal, greatest, least, minus, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import { broughtBy, givenBy } from '../../planning/conversions/replan.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { ownAssetsOf } from '../../treasury/policy-hubs.ts'
import { ownerOfResidue, type ResidueOwner, residueKey, residueOwnersOf } from '../../treasury/residue-key.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import type { RunMove, RunRecord } from '../record/run-record.ts'
import { changeOfProceeds, proceedsFloor, refillOf } from './proceeds.ts'
import type { LegEnd } from './settle-leg.ts'

/** Runs with a leg in doubt whose residues may grow yet. Of more, some are forgotten: which, records do not order. */
const MOST_DOUBTFUL = 20

/**
 * What is remembered, by its key, as far as it is still there: who took it meanwhile took it for good. Not of assets that
 * the policy has come to count whole. What the policy carries on no more stays remembered: it is told until it is gone.
 */
export function claimedResidues(
  policy: Policy,
  { residues = {} }: PolicyRecord,
  { positions, valuationAsset }: Pick<Snapshot, 'positions' | 'valuationAsset'>,
): ReadonlyMap<string, Decimal> {
  const own = isWithdrawing(policy) ? [] : ownAssetsOf(policy, valuationAsset)
  const left = new Map<string, Decimal>()
  // What was to go to different contacts lies in one balance: no two claims are on the same.
  const roomIn = (asset: string): Decimal => {
    const holding = positions.get(asset)?.holding ?? ZERO
    const floor = isWithdrawing(policy) ? proceedsFloor(policy, asset) : ZERO
    return left.get(asset) ?? greatest(ZERO, minus(holding, floor))
  }
  const claims = Object.entries(residues).flatMap(([key, text]): (readonly [string, Decimal])[] => {
    const { asset, contactId } = ownerOfResidue(key)
    const amount = read(text)
    // While a movement of it is in doubt, its figures say nothing.
    const claim = positions.get(asset)?.inDoubt === undefined ? least(amount, roomIn(asset)) : amount
    left.set(asset, greatest(ZERO, minus(roomIn(asset), claim)))
    return (contactId === undefined && own.includes(asset)) || claim === 0n ? [] : [[key, claim]]
  })
  return new Map(claims)
}

/** For the run's record, once its plan is made: nothing of an earlier plan of it stays. */
export function plannedResidues({ stranded }: Snapshot): Pick<RunMove, 'residues'> {
  const told = Object.entries(textsOf(stranded)).map(([key, amount]) => tellResidue(key, amount, amount))
  return { residues: told.length === 0 ? undefined : told }
}

/** What the policy is to remember of claims that the snapshot does not bear out; undefined where it does all. */
export function givenUpClaims(
  { residues = {} }: PolicyRecord,
  snapshot: Snapshot,
): Pick<PolicyMove, 'residues'> | undefined {
  const claims = textsOf(snapshot.stranded)
  return Object.entries(residues).every(([key, amount]) => claims[key] === amount) ? undefined : { residues: claims }
}

function textsOf(stranded: Snapshot['stranded'] = new Map()): Readonly<Record<string, string>> {
  return Object.fromEntries([...stranded].map(([key, amount]) => [key, formatDecimal(amount)]))
}

/**
 * Once its legs are settled. Of a leg in doubt, what it may give up counts as given and what it may bring as not
 * come. Undefined where there is nothing to tell.
 */
export function settledResidues(run: RunRecord, legs: readonly LegEnd[]): Residue[] | undefined {
  const before = new Map(run.residues?.map((residue) => [residueKey(residue), read(residue.before)]))
  const owners = run.plan ? residueOwnersOf(run.asPlanned, run.plan.valuationAsset) : []
  const staying = new Map<string, Decimal>()
  const carried = new Map(owners.map((owner) => [residueKey(owner), owner]))
  const told = [...new Set([...before.keys(), ...carried.keys()])].flatMap((key) => {
    const start = before.get(key) ?? ZERO
    const owner = carried.get(key)
    const left = owner === undefined ? start : leftOf(run, owner, start, legs, staying)
    return start === 0n && left === 0n ? [] : [tellResidue(key, formatDecimal(start), formatDecimal(left))]
  })
  return told.length === 0 ? undefined : told
}

function tellResidue(key: string, before: string, amount: string): Residue {
  const { asset, contactId } = ownerOfResidue(key)
  return { asset, ...(contactId !== undefined && { contactId }), before, amount }
}

/** `staying`: of what came of an asset, so much was to stay of it, and is no residue. Used up by those it is taken from. */
function leftOf(
  { asPlanned, plan }: RunRecord,
  owner: ResidueOwner,
  start: Decimal,
  legs: readonly LegEnd[],
  staying: Map<string, Decimal>,
): Decimal {
  const { asset } = owner
  if (!isWithdrawing(asPlanned)) return greatest(ZERO, plus(start, changeOf(asset, legs)))
  const left = greatest(ZERO, plus(start, changeOfProceeds(asPlanned, owner, legs)))
  const refill = staying.get(asset) ?? (plan ? refillOf(asPlanned, plan, asset) : ZERO)
  const stays = least(left, refill)
  staying.set(asset, minus(refill, stays))
  return minus(left, stays)
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
  const changes = residues.map((one) => [residueKey(one), minus(read(one.amount), read(one.before))] as const)
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
  const keys = new Set([...Object.keys(counted), ...Object.keys(amounts)])
  const changes = [...keys].map((key) => [key, minus(read(amounts[key]), read(counted[key]))] as const)
  if (!isCertain && changes.every(([, change]) => change === 0n)) return undefined
  const doubts = isCertain ? others : { ...others, [runId]: amounts }
  return { residues: changed(known, changes), doubtful: doubts }
}

function amountsOf(residues: readonly Residue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(residues.map((one) => [residueKey(one), one.amount]))
}

/** Without those that have come to nothing. */
function changed(
  known: Readonly<Record<string, string>>,
  changes: readonly (readonly [string, Decimal])[],
): Readonly<Record<string, string>> {
  const sums = changes.map(([key, change]) => [key, greatest(ZERO, plus(read(known[key]), change))] as const)
  const texts = { ...known, ...Object.fromEntries(sums.map(([key, sum]) => [key, formatDecimal(sum)])) }
  return Object.fromEntries(Object.entries(texts).filter(([, amount]) => amount !== '0'))
}

function read(amount: string | undefined): Decimal {
  return amount === undefined ? ZERO : parseDecimal(amount, 'residues')
}
