// Checks an approval again, right before its legs are frozen. An approval rests on the policy and every guard, on the plan
// itself, the contacts, the figures of its assets (the approval snapshot, stored as `basis`), rates and values. Returns one
// sentence for the first of these that has changed. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { Plan } from '../../contract/plan.ts'
import { USUAL_APPROVAL } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import { hashGuards } from '../../guards/effective-guards.ts'
import {
  compareScaled,
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  magnitude,
  minus,
  multiply,
  ONE_UNIT,
  parseDecimal,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { createValuation } from '../../planning/market/valuation.ts'
import { rowKey } from '../../planning/payouts/rows.ts'
import { hashPlan, hashPolicy } from '../../planning/plan-hash.ts'
import { kindOf, paymentsOf } from '../../policies/kinds.ts'
import { observe, priceOfLeg, withPrices } from '../plan/price-plan.ts'
import { readPayeesOf } from '../plan/read-payees.ts'
import { takeSnapshot } from '../plan/take-snapshot.ts'
import type { RunPorts, RunService } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { findRequestedPolicy } from '../record/request.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Basis points of the largest amount that a leg moves, for a policy without a smallest trade: a smaller change is dust. */
const DUST_BPS = 100n

interface Recheck {
  /** Absent: the run may continue. */
  readonly changed?: string
  /** A doubt that will pass: nothing has changed, and nothing may be sent yet. */
  readonly waits?: string
  /** Epoch ms: when the figures were read. */
  readonly takenAtMs: number
}

/** Needs a measured clock. `run`: waits for a person, or was approved. @throws Transient, Defect */
export async function recheckApproval(run: RunRecord, memory: PolicyRecord, ports: RunPorts): Promise<Recheck> {
  const terms = changedTerms(run, ports)
  if (terms !== undefined) return { changed: terms, takenAtMs: ports.service.clock.nowMs() }
  const payees = await readPayeesOf(run.asPlanned, run.plan?.legs ?? [], memory, ports)
  const { snapshot } = await takeSnapshot(run, memory, payees, ports)
  const { takenAtMs } = snapshot
  const payment = changedContact(run, snapshot) ?? paidMeanwhile(run, snapshot)
  if (payment !== undefined) return { changed: payment, takenAtMs }
  const waits = inDoubt(run, snapshot)
  if (waits !== undefined) return { waits, takenAtMs }
  const changed =
    changedFigure(run, snapshot) ?? (await changedRate(run, ports.service)) ?? (await raisedValue(run, snapshot, ports))
  return { ...(changed !== undefined && { changed }), takenAtMs }
}

/** Checks the terms that need no read of the service: a change of them is never undone. */
export function changedTerms(run: RunRecord, { treasury }: Pick<RunPorts, 'treasury'>): string | undefined {
  const { plan, approval } = run
  if (plan === undefined || approval === undefined) throw new TypeError(`run ${run.runId} waits without a plan`)
  const now = findRequestedPolicy(run.request, treasury)
  const policyHash = hashPolicy(run.asPlanned)
  if (now?.policyHash !== policyHash || now.name !== run.policy) return 'the policy has changed since'
  const covered = { policyHash, guardsHash: hashGuards(treasury.guards), expiresAt: approval.expiresAt }
  if (hashPlan(plan, covered) === approval.planHash) return undefined
  // The run's legs are never written again, so the guards must differ.
  return 'the guards have changed since'
}

/** One sentence for the first contact that has changed: the approved withdrawal may lead elsewhere. */
function changedContact({ plan }: RunRecord, { contacts }: Snapshot): string | undefined {
  for (const leg of plan?.legs ?? []) {
    if (leg.kind !== IntentKind.Withdraw) continue
    const contact = contacts.get(leg.contactId)
    if (contact === undefined) return `contact ${leg.contactId} is no longer there`
    if (contact.payee.updatedAt !== leg.payee?.updatedAt) return `contact ${leg.contactId} has changed since`
  }
  return undefined
}

/** One sentence for the first row that others pay too since people saw the plan, or whose refund is gone. */
function paidMeanwhile({ plan, asPlanned }: RunRecord, { payments }: Snapshot): string | undefined {
  const legs = new Map(plan?.legs.map((leg) => [leg.key, leg]))
  for (const { id } of paymentsOf(asPlanned)) {
    const leg = legs.get(rowKey(id))
    const { earlier, paidAs } = payments?.get(id) ?? {}
    if (earlier !== undefined)
      return `intent ${earlier.intentId} has paid row ${id} or may: the balance no longer shows that it came back`
    if (leg?.kind === IntentKind.Withdraw && paidAs !== undefined && leg.paidAs === undefined)
      return `row ${id} pays the same as row ${paidAs}, which people did not see`
  }
  return undefined
}

function inDoubt({ basis = {} }: RunRecord, { positions }: Snapshot): string | undefined {
  const doubtful = Object.keys(basis).find((asset) => positions.get(asset)?.inDoubt !== undefined)
  return doubtful && `intent ${positions.get(doubtful)?.inDoubt} of ${doubtful} is in doubt`
}

/** The intent that a sentence of `waits` names. */
export function intentInDoubt(waits: string): string | undefined {
  return /^intent (\S+) of \S+ is in doubt$/.exec(waits)?.[1]
}

/** One sentence for the first asset of the legs whose balance has changed by more than dust. */
function changedFigure(run: RunRecord, { positions }: Snapshot): string | undefined {
  for (const [asset, then] of Object.entries(run.basis ?? {})) {
    const now = positions.get(asset)?.spendable ?? ZERO
    const before = parseDecimal(then, 'basis')
    const change = magnitude(minus(now, before))
    if (change === 0n || isDust(run, asset, change)) continue
    return `the spendable balance of ${asset} was ${then} and is ${formatDecimal(now)}`
  }
  return undefined
}

/** Whether the change is too small for a trade, by the plan's prices: anybody may send so small an amount at any time. */
function isDust({ plan, asPlanned }: RunRecord, asset: string, change: Decimal): boolean {
  const smallestTrade = kindOf(asPlanned).smallestTrade?.(asPlanned)
  if (smallestTrade !== undefined) {
    const price = plan && priceIn(plan, asset)
    if (price === undefined) return false
    return multiply(change, price, 'up') < parseDecimal(smallestTrade, 'smallestTrade')
  }
  const moved = (plan?.legs ?? []).flatMap((leg) => {
    if (leg.kind === IntentKind.Withdraw) return leg.assetSymbol === asset ? [leg.total] : []
    return [leg.gives, leg.brings].filter((each) => each.asset === asset).map(({ amount }) => amount)
  })
  const most = moved.map((amount) => parseDecimal(amount, 'amount')).reduce(greatest, ZERO)
  return compareScaled(change, WHOLE_BPS, most, DUST_BPS) < 0
}

/** A hub that is only passed through is no position of the plan: its price follows from a leg's amount and value. */
function priceIn({ positions, legs, valuationAsset }: Plan, asset: string): Decimal | undefined {
  if (asset === valuationAsset) return ONE_UNIT
  const price = positions.find((each) => each.asset === asset)?.price
  if (typeof price === 'string') return parseDecimal(price, 'price')
  for (const leg of legs) {
    const side = leg.kind === IntentKind.Convert && [leg.gives, leg.brings].find((each) => each.asset === asset)
    if (side) return divide(parseDecimal(leg.value, 'value'), parseDecimal(side.amount, 'amount'), 'up')
  }
  return undefined
}

/** One sentence for the first conversion whose indicative rate, at its size, has moved beyond the bound. */
async function changedRate({ plan, asPlanned }: RunRecord, service: RunService): Promise<string | undefined> {
  const bound = boundOf(asPlanned)
  const legs = (plan?.legs ?? []).flatMap((leg) => (leg.kind === IntentKind.Convert ? [leg] : []))
  const moved = await mapBounded(legs, READS_AT_ONCE, async (leg) => {
    const observed = await observe(priceOfLeg(leg), service)
    if (observed === undefined) return `${leg.market} has no indicative price at the size of ${leg.key}`
    const then = parseDecimal(leg.indicativeRate, 'indicativeRate')
    const isBelow = compareScaled(observed.rate, WHOLE_BPS, then, WHOLE_BPS - bound) < 0
    const isAbove = compareScaled(observed.rate, WHOLE_BPS, then, WHOLE_BPS + bound) > 0
    if (!isBelow && !isAbove) return undefined
    return `the indicative rate of ${leg.key} was ${leg.indicativeRate} and is ${formatDecimal(observed.rate)}: more than ${bound} bps away`
  })
  return moved.find((why) => why !== undefined)
}

/** One sentence for the first withdrawal whose value has risen beyond the bound. */
async function raisedValue(run: RunRecord, snapshot: Snapshot, { service }: RunPorts): Promise<string | undefined> {
  const { plan, asPlanned } = run
  const legs = (plan?.legs ?? []).flatMap((leg) => (leg.kind === IntentKind.Withdraw ? [leg] : []))
  if (legs.length === 0) return undefined
  const hubs = asPlanned.hubs ?? []
  const unpriced = createValuation(snapshot, hubs)
  const prices = legs.flatMap(({ assetSymbol }) => unpriced.requiredFor(assetSymbol))
  const valuation = createValuation(await withPrices(snapshot, prices, service), hubs)
  const bound = boundOf(asPlanned)
  for (const { key, assetSymbol, total, value } of legs) {
    const now = valuation.valueUp(assetSymbol, parseDecimal(total, 'total'))
    if (now === null && value === '0') continue
    if (now === null) return `no market tells the value of ${key} any more`
    if (compareScaled(now, WHOLE_BPS, parseDecimal(value, 'value'), WHOLE_BPS + bound) <= 0) continue
    return `the value of ${key} was ${value} and is ${formatDecimal(now)}: more than ${bound} bps above`
  }
  return undefined
}

function boundOf({ approval }: RunRecord['asPlanned']): bigint {
  return BigInt((approval ?? USUAL_APPROVAL).priceBoundBps)
}
