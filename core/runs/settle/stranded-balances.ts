// A stranded balance is what runs of a policy brought into a hub, or to send to a contact, and have not moved on. Computes what
// the next plan may count on, and what a run leaves. A stranded balance reserves nothing of the account, and it never grows by
// an uncertain amount. Records and reports call it `residues`. Pure.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { type BalanceOwner, balanceKey, IntentKind, ownerOf } from '../../contract/records.ts'
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
import { keyOf, type SweepTask, taskOf } from '../../planning/sweep/task.ts'
import { balanceOwnersOf, isWithdrawing, ownAssetsOf, withdrawalsOf } from '../../policies/kinds.ts'
import type { Balances, PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import type { RunMove, RunRecord } from '../record/run-record.ts'
import type { LegEnd } from './settle-leg.ts'

/**
 * The remembered balances by their keys, as far as they are still there. What others have taken meanwhile never counts again.
 * Assets that now count as the policy's own are left out. A balance that the policy no longer uses stays remembered, and plans
 * report it until it is gone.
 */
export function claimedBalances(
  policy: Policy,
  { residues = {} }: PolicyRecord,
  { positions, valuationAsset }: Pick<Snapshot, 'positions' | 'valuationAsset'>,
): ReadonlyMap<string, Decimal> {
  const own = ownAssetsOf(policy, valuationAsset)
  const remaining = new Map<string, Decimal>()
  // Amounts for different contacts share one balance of the account: no two of them may count the same units.
  const roomIn = (asset: string): Decimal => {
    const holding = positions.get(asset)?.holding ?? ZERO
    const floor = isWithdrawing(policy) ? proceedsFloor(policy, asset) : ZERO
    return remaining.get(asset) ?? greatest(ZERO, minus(holding, floor))
  }
  const claims = Object.entries(residues).flatMap(([key, text]): (readonly [string, Decimal])[] => {
    const { asset, contactId } = ownerOf(key)
    const amount = read(text)
    // While a movement of the asset is in doubt, its balance proves nothing.
    const claim = positions.get(asset)?.inDoubt === undefined ? least(amount, roomIn(asset)) : amount
    remaining.set(asset, greatest(ZERO, minus(roomIn(asset), claim)))
    return (contactId === undefined && own.includes(asset)) || claim === 0n ? [] : [[key, claim]]
  })
  return new Map(claims)
}

/** The balances for the run's record once its plan is made. They replace those of an earlier plan of the run. */
export function plannedBalances({ stranded }: Snapshot): Pick<RunMove, 'residues'> {
  const planned = Object.entries(textsOf(stranded)).map(([key, amount]) => balanceOf(key, amount, amount))
  return { residues: planned.length === 0 ? undefined : planned }
}

/** The policy's balances without the amounts that the snapshot does not confirm; undefined where it confirms all. */
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
 * The balances after the run's legs are settled. A leg in doubt counts as if it spent everything and brought nothing. Undefined
 * where there is nothing to report.
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
  /** Amount that the plan counted on. */
  readonly start: Decimal
  /** By asset: units of the proceeds that stay for its floor, and so are not stranded. Each owner uses up its part. */
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

/** Codes of a policy that has run are settled codes, so they stay as spelled. */
const asSpelled = (code: string) => code

function proceedsFloor(policy: Policy, asset: string): Decimal {
  return floorOfProceeds(withdrawalsOf(policy).map(taskOf), asset, asSpelled)
}

/** Units that the run's conversions brought, less what its withdrawals sent of them, for one contact. */
function changeOfProceeds(policy: Policy, { asset, contactId }: BalanceOwner, legs: readonly LegEnd[]): Decimal {
  const tasks = withdrawalsOf(policy)
    .map(taskOf)
    .filter((task) => task.convertInto === asset && task.contactId === contactId)
  return sumOf(legs.map((end) => changeOfLeg(tasks, asset, end)))
}

function changeOfLeg(tasks: readonly SweepTask[], asset: string, { leg, result, moved }: LegEnd): Decimal {
  const isOf = (purpose: 'convert' | 'canary' | 'withdraw', code: string) =>
    tasks.some((task) => leg.key === keyOf(task, code, purpose))
  if (leg.kind === IntentKind.Convert) {
    return leg.brings.asset === asset && isOf('convert', leg.gives.asset) ? broughtBy(result.conversion) : ZERO
  }
  if (leg.assetSymbol !== asset || moved === 'nothing') return ZERO
  if (!isOf('withdraw', asset) && !isOf('canary', asset)) return ZERO
  const planned = parseDecimal(leg.total, 'total')
  const reported = result.withdrawal?.total
  const sent = reported === undefined ? planned : parseDecimal(reported, 'total')
  return minus(ZERO, moved === 'unknown' ? greatest(planned, sent) : sent)
}

/** Units of the proceeds that stay: what the asset's balance lacked of its floor when the run was planned. */
function refillOf(policy: Policy, { positions }: Plan, asset: string): Decimal {
  const position = positions.find((each) => each.asset === asset)
  if (position === undefined) return ZERO
  const available = least(parseDecimal(position.spendable, 'spendable'), parseDecimal(position.holding, 'holding'))
  return greatest(ZERO, minus(proceedsFloor(policy, asset), available))
}
