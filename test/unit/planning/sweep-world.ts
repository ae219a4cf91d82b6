// Makes a small world for the planners of sweeps: balances, contacts, markets with a spread that grows with size. It
// carries legs out with its own arithmetic, so that it can check the planner's.
import type { PayeeFacts } from '../../../core/contract/payee.ts'
import type { Plan, PlanLeg } from '../../../core/contract/plan.ts'
import type { ConvertAndWithdrawPolicy, Policy, SweepPolicy } from '../../../core/contract/policies.ts'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import type { SettledLeg } from '../../../core/contract/runs.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../../core/money/decimal.ts'
import type {
  AssetFacts,
  ContactFacts,
  MarketFacts,
  PlanLimits,
  PriceObservation,
  RequiredPrice,
  Snapshot,
} from '../../../core/planning/market/snapshot.ts'
import type { Planned, Planner, Replanned, Replanner } from '../../../core/planning/planner.ts'

const read = new Map<string, Decimal>()

/** Kept, since a world is read again for each plan. */
export function dec(text: string): Decimal {
  const known = read.get(text)
  if (known !== undefined) return known
  const value = parseDecimal(text, 'test')
  read.set(text, value)
  return value
}
const ONE = 10n ** 18n

export interface WorldAsset {
  readonly increment?: string
  readonly fee?: string
  readonly minimum?: string
  readonly internal?: string
  readonly maxIndicative?: string
}

export interface WorldMarket {
  readonly mid: string
  /** Half of the spread, parts per million: at no size, and more for each unit of quote. */
  readonly half?: number
  readonly perUnit?: number
  readonly minBase?: string
  readonly minQuote?: string
}

export interface World {
  readonly assets: Readonly<Record<string, WorldAsset>>
  readonly markets: Readonly<Record<string, WorldMarket>>
  readonly contacts: Readonly<Record<string, ContactGiven>>
  balances: Record<string, bigint>
  readonly limits?: Partial<PlanLimits>
  readonly doubts?: Readonly<Record<string, string>>
}

const NETWORK = 'NET'

function assetFacts(code: string, { increment, fee, minimum, internal, maxIndicative }: WorldAsset): AssetFacts {
  return {
    assetSymbol: code,
    assetClass: 'CRYPTO',
    increment: dec(increment ?? '0.01'),
    maxIndicativeAmount: dec(maxIndicative ?? '0'),
    minimumWithdrawal: dec(minimum ?? '1'),
    minimumInternalWithdrawal: dec(internal ?? '0.01'),
    // The asset's cheapest network comes first, and is never the contact's.
    networks: [
      { networkId: 'CHEAP', withdrawalFee: dec('0'), minimumWithdrawal: dec('0') },
      { networkId: NETWORK, withdrawalFee: dec(fee ?? '0.5'), minimumWithdrawal: dec(minimum ?? '1') },
    ],
  }
}

type ContactGiven = Partial<PayeeFacts & Omit<ContactFacts, 'payee'>>

function contactFacts(contactId: string, { isProven = true, onItsWay, ...given }: ContactGiven): ContactFacts {
  const labels = { alias: contactId, reference: null, bank: null, updatedAt: '2026-01-01T00:00:00Z' }
  const payee = { contactId, ...labels, type: 'EXTERNAL_CRYPTO', assetSymbol: null, networkId: NETWORK, ...given }
  return { payee, isProven, ...(onItsWay !== undefined && { onItsWay }) }
}

export function snapshotOf(world: World, prices: readonly PriceObservation[] = []): Snapshot {
  const assets = new Map(Object.entries(world.assets).map(([code, facts]) => [code, assetFacts(code, facts)]))
  const positions = Object.entries(world.balances).map(([code, units]) => {
    const asset = assets.get(code) as AssetFacts
    const inDoubt = world.doubts?.[code]
    const amount = units as Decimal
    return [code, { asset, spendable: amount, holding: amount, ...(inDoubt !== undefined && { inDoubt }) }] as const
  })
  return {
    takenAtMs: Date.parse('2026-03-01T09:00:00Z'),
    valuationAsset: 'USD',
    positions: new Map(positions),
    assets,
    markets: Object.entries(world.markets).map(([id, market]) => marketFacts(id, market)),
    prices,
    contacts: new Map(Object.entries(world.contacts).map(([id, facts]) => [id, contactFacts(id, facts)])),
    limits: { assets: new Map(), contacts: new Map(), ...world.limits },
    turnoverToday: 0n as Decimal,
  }
}

function marketFacts(id: string, { minBase, minQuote }: WorldMarket): MarketFacts {
  const [baseAsset = '', quoteAsset = ''] = id.split('-')
  return { id, baseAsset, quoteAsset, minBaseAmount: dec(minBase ?? '0.01'), minQuoteAmount: dec(minQuote ?? '0.01') }
}

/** Quote units per base unit for `amount` of one leg. */
export function rateOf(world: World, id: string, side: 'BUY' | 'SELL', amount: bigint, leg: 'base' | 'quote'): bigint {
  const { mid, half = 1000, perUnit = 1 } = world.markets[id] as WorldMarket
  const middle = dec(mid) as bigint
  const quote = leg === 'quote' ? amount : (amount * middle) / ONE
  const wide = BigInt(half) + (BigInt(perUnit) * quote) / (100n * ONE)
  const spread = (middle * (wide < 100_000n ? wide : 100_000n)) / 1_000_000n
  return side === 'BUY' ? middle + spread : middle - spread
}

export function observe(world: World, { marketId, side, amount, amountAsset }: RequiredPrice): PriceObservation {
  const { baseAsset, minBaseAmount } = marketFacts(marketId, world.markets[marketId] as WorldMarket)
  const leg = amountAsset === undefined || amountAsset === baseAsset ? 'base' : 'quote'
  const size = amount === undefined ? (minBaseAmount as bigint) : (dec(amount) as bigint)
  const rate = rateOf(world, marketId, side, size, leg)
  const base = leg === 'base' ? size : (size * ONE) / rate
  return { marketId, side, baseAmount: base as Decimal, rate: rate as Decimal }
}

/** Plans with prices in rounds, as a run does: at most three rounds. `snapshot` belongs to the last round. */
export function planned<Kind extends Policy>(planner: Planner<Kind>, policy: Kind, world: World) {
  const asked = new Map<string, PriceObservation>()
  let snapshot = snapshotOf(world)
  let result: Planned = planner('nightly', policy, snapshot)
  let rounds = 0
  for (; rounds < 3; rounds += 1) {
    const fresh = result.required.filter((price) => !asked.has(JSON.stringify(price)))
    if (fresh.length === 0) break
    for (const price of fresh) asked.set(JSON.stringify(price), observe(world, price))
    snapshot = snapshotOf(world, [...asked.values()])
    result = planner('nightly', policy, snapshot)
  }
  const isSettled = result.required.every((price) => asked.has(JSON.stringify(price)))
  return { plan: result.plan, snapshot, isSettled, prices: [...asked.values()] }
}

export function parsePolicy<Kind extends Policy['kind']>(given: { kind: Kind } & Record<string, unknown>) {
  return policySchema.parse(given) as Extract<Policy, { kind: Kind }>
}

/**
 * Carries out a leg; throws if it would overdraw. `betterBps`: the proceeds of a conversion beyond its indicative rate.
 */
export function carryOut(world: World, leg: PlanLeg, betterBps = 0): SettledLeg {
  const { balances } = world
  const take = (asset: string, units: bigint) => {
    const left = (balances[asset] ?? 0n) - units
    if (left < 0n) throw new Error(`${leg.key} overdraws ${asset} by ${formatDecimal(-left as Decimal)}`)
    balances[asset] = left
  }
  const intentId = `intent-of-${leg.key}`
  if (leg.kind === 'withdraw') {
    take(leg.assetSymbol, dec(leg.total))
    const { assetSymbol, fee, total } = leg
    return {
      leg,
      intentId,
      outcome: 'COMPLETED',
      withdrawal: { outcome: 'COMPLETED', intentId, assetSymbol, fee, total },
    }
  }
  const { side, amountAsset, baseAsset, quoteAsset, amount } = leg.request
  const given = dec(amount) as bigint
  const rate = rateOf(world, leg.market, side, given, amountAsset === baseAsset ? 'base' : 'quote')
  take(amountAsset, given)
  const brings = side === 'SELL' ? quoteAsset : baseAsset
  const step = dec(world.assets[brings]?.increment ?? '0.01') as bigint
  const raw = side === 'SELL' ? (given * rate) / ONE : (given * ONE) / rate
  const moved = (raw * BigInt(10_000 + betterBps)) / 10_000n
  const brought = moved - (moved % step)
  balances[brings] = (balances[brings] ?? 0n) + brought
  const [baseAmount, quoteAmount] = (side === 'SELL' ? [given, brought] : [brought, given]).map((units) =>
    formatDecimal(units as Decimal),
  )
  const filled = {
    outcome: 'FILLED' as const,
    intentId,
    side,
    ...(baseAmount && { baseAmount }),
    ...(quoteAmount && { quoteAmount }),
  }
  return { leg, intentId, outcome: 'FILLED', conversion: filled }
}

export interface Run {
  readonly plan: Plan
  readonly phases: readonly (readonly PlanLeg[])[]
  readonly replans: readonly Replanned[]
  readonly settled: readonly SettledLeg[]
}

/**
 * A whole run: the plan, then each phase planned again and carried out. Contacts that a leg reached are proven
 * afterwards.
 */
export function run<Kind extends ConvertAndWithdrawPolicy | SweepPolicy>(
  { planner, replanner }: { planner: Planner<Kind>; replanner: Replanner<Kind> },
  policy: Kind,
  world: World,
  betterBps = 0,
): Run {
  const { plan, prices } = planned(planner, policy, world)
  const last = Math.max(0, ...plan.legs.map(({ phase }) => phase))
  const settled: SettledLeg[] = []
  const phases: PlanLeg[][] = []
  const replans: Replanned[] = []
  for (let phase = 1; phase <= last; phase += 1) {
    const again =
      phase === 1
        ? { legs: plan.legs.filter((leg) => leg.phase === 1), nonLegs: [] }
        : replanner({ plan, phase, snapshot: snapshotOf(world, prices), settled, policy })
    replans.push(again)
    phases.push([...again.legs])
    settled.push(...again.legs.map((leg) => carryOut(world, leg, betterBps)))
  }
  return { plan, phases, replans, settled }
}
