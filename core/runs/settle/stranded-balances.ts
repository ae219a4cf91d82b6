// Stranded balances: what runs of a policy brought on its way and have not carried on, in hubs, or to go to a contact.
// Owns what the next plan may count on, and what a run leaves behind. It is a claim and no more: it never grows by what
// is not certain. Records and reports call it `residues`. Pure.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import type { StrandedBalance } from '../../contract/runs.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  least,
  minus,
  parseDecimal,
  plus,
  sumOf,
  ZERO,
} from '../../money/decimal.ts'
import { broughtBy, givenBy } from '../../planning/conversions/replan.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { floorOfProceeds } from '../../planning/sweep/floors.ts'
import { keyOf, type SweepTask, tasksOf } from '../../planning/sweep/task.ts'
import { isWithdrawing } from '../../policies/kinds.ts'
import { type BalanceOwner, balanceKey, balanceOwnersOf, ownAssetsOf, ownerOf } from '../../treasury/policy-hubs.ts'
import type { Balances, PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import type { RunMove, RunRecord } from '../record/run-record.ts'
import type { LegEnd } from './settle-leg.ts'

/**
 * What is remembered, by its key, as far as it is still there: who took it meanwhile took it for good. Assets that the
 * policy has come to count whole are left out. What the policy carries on no more stays remembered, and plans report it
 * until it is gone.
 */
export function claimedBalances(
  policy: Policy,
  { residues = {} }: PolicyRecord,
  { positions, valuationAsset }: Pick<Snapshot, 'positions' | 'valuationAsset'>,
): ReadonlyMap<string, Decimal> {
  const own = ownAssetsOf(policy, valuationAsset)
  const left = new Map<string, Decimal>()
  // What was to go to different contacts lies in one balance: no two claims are on the same.
  const roomIn = (asset: string): Decimal => {
    const holding = positions.get(asset)?.holding ?? ZERO
    const floor = isWithdrawing(policy) ? proceedsFloor(policy, asset) : ZERO
    return left.get(asset) ?? greatest(ZERO, minus(holding, floor))
  }
  const claims = Object.entries(residues).flatMap(([key, text]): (readonly [string, Decimal])[] => {
    const { asset, contactId } = ownerOf(key)
    const amount = read(text)
    // While a movement of it is in doubt, its figures say nothing.
    const claim = positions.get(asset)?.inDoubt === undefined ? least(amount, roomIn(asset)) : amount
    left.set(asset, greatest(ZERO, minus(roomIn(asset), claim)))
    return (contactId === undefined && own.includes(asset)) || claim === 0n ? [] : [[key, claim]]
  })
  return new Map(claims)
}

/** For the run's record, once its plan is made: nothing of an earlier plan of it stays. */
export function plannedBalances({ stranded }: Snapshot): Pick<RunMove, 'residues'> {
  const planned = Object.entries(textsOf(stranded)).map(([key, amount]) => balanceOf(key, amount, amount))
  return { residues: planned.length === 0 ? undefined : planned }
}

/** What the policy is to remember of claims that the snapshot does not bear out; undefined where it does all. */
export function givenUpClaims(
  { residues = {} }: PolicyRecord,
  snapshot: Snapshot,
): Pick<PolicyMove, 'residues'> | undefined {
  const claims = textsOf(snapshot.stranded)
  return Object.entries(residues).every(([key, amount]) => claims[key] === amount) ? undefined : { residues: claims }
}

function textsOf(stranded: Snapshot['stranded'] = new Map()): Balances {
  return Object.fromEntries([...stranded].map(([key, amount]) => [key, formatDecimal(amount)]))
}

/**
 * Once its legs are settled. Of a leg in doubt, what it may give up counts as given and what it may bring as not
 * come. Undefined where there is nothing to report.
 */
export function settledBalances(run: RunRecord, legs: readonly LegEnd[]): StrandedBalance[] | undefined {
  const before = new Map(run.residues?.map((balance) => [balanceKey(balance), read(balance.before)]))
  const owners = run.plan ? balanceOwnersOf(run.asPlanned, run.plan.valuationAsset) : []
  const staying = new Map<string, Decimal>()
  const carried = new Map(owners.map((owner) => [balanceKey(owner), owner]))
  const settled = [...new Set([...before.keys(), ...carried.keys()])].flatMap((key) => {
    const start = before.get(key) ?? ZERO
    const owner = carried.get(key)
    const left = owner === undefined ? start : leftOf({ run, legs, owner, start, staying })
    return start === 0n && left === 0n ? [] : [balanceOf(key, formatDecimal(start), formatDecimal(left))]
  })
  return settled.length === 0 ? undefined : settled
}

function balanceOf(key: string, before: string, amount: string): StrandedBalance {
  const { asset, contactId } = ownerOf(key)
  return { asset, ...(contactId !== undefined && { contactId }), before, amount }
}

interface Leaving {
  readonly run: RunRecord
  readonly legs: readonly LegEnd[]
  readonly owner: BalanceOwner
  /** As the plan counted on it. */
  readonly start: Decimal
  /** By asset: of what came of it, so much was to stay, and is not stranded. Used up by those it is taken from. */
  readonly staying: Map<string, Decimal>
}

function leftOf({ run: { asPlanned, plan }, legs, owner, start, staying }: Leaving): Decimal {
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

function read(amount: string | undefined): Decimal {
  return amount === undefined ? ZERO : parseDecimal(amount, 'residues')
}

/** The codes of a policy that has run are settled ones. */
const asSpelled = (code: string) => code

function proceedsFloor(policy: Policy, asset: string): Decimal {
  return floorOfProceeds(tasksOf(policy), asset, asSpelled)
}

/** What the conversions of the run brought, less what its withdrawals sent of it, for one contact. */
function changeOfProceeds(policy: Policy, { asset, contactId }: BalanceOwner, legs: readonly LegEnd[]): Decimal {
  const tasks = tasksOf(policy).filter((task) => task.convertInto === asset && task.contactId === contactId)
  return sumOf(legs.map((end) => changeOfLeg(tasks, asset, end)))
}

function changeOfLeg(tasks: readonly SweepTask[], asset: string, { leg, result, moved }: LegEnd): Decimal {
  const isOf = (does: 'convert' | 'canary' | 'withdraw', of: string) =>
    tasks.some((task) => leg.key === keyOf(task, of, does))
  if (leg.kind === IntentKind.Convert) {
    return leg.brings.asset === asset && isOf('convert', leg.gives.asset) ? broughtBy(result.conversion) : ZERO
  }
  if (leg.assetSymbol !== asset || moved === 'nothing') return ZERO
  if (!isOf('withdraw', asset) && !isOf('canary', asset)) return ZERO
  const planned = parseDecimal(leg.total, 'total')
  const reported = result.withdrawal?.total
  const gone = reported === undefined ? planned : parseDecimal(reported, 'total')
  return minus(ZERO, moved === 'unknown' ? greatest(planned, gone) : gone)
}

/** Of what comes, so much was to stay: what the asset lacked of its floor when the run was planned. */
function refillOf(policy: Policy, { positions }: Plan, asset: string): Decimal {
  const position = positions.find((one) => one.asset === asset)
  if (position === undefined) return ZERO
  const there = least(parseDecimal(position.spendable, 'spendable'), parseDecimal(position.holding, 'holding'))
  return greatest(ZERO, minus(proceedsFloor(policy, asset), there))
}
