// Whatever the figures are, a sweep keeps floors, terms, guards and canaries, and comes to rest.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConvertLeg, Plan, PlanLeg, WithdrawLeg } from '../../../core/contract/plan.ts'
import type { ConvertAndWithdrawPolicy, SweepPolicy } from '../../../core/contract/policies.ts'
import type { Snapshot } from '../../../core/planning/market/snapshot.ts'
import {
  planConvertAndWithdraw,
  replanConvertAndWithdraw,
} from '../../../core/policies/convert-and-withdraw/planner.ts'
import { planSweep, replanSweep } from '../../../core/policies/sweep/planner.ts'
import { cases } from '../../helpers/cases.ts'
import { CODES, world as drawWorld, payment, sweepPolicy } from './sweep-draws.ts'
import { dec, parsePolicy, planned, type Run, run, type World } from './sweep-world.ts'

/** Each planted one-word fault of the planner that was ever found was found by a property within 235. */
const RUNS = cases(150)
const sweepers = { planner: planSweep, replanner: replanSweep }
const payers = { planner: planConvertAndWithdraw, replanner: replanConvertAndWithdraw }

const isWithdrawal = (leg: PlanLeg): leg is WithdrawLeg => leg.kind === 'withdraw'
const isConversion = (leg: PlanLeg): leg is ConvertLeg => leg.kind === 'convert'
const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, text) => total + dec(text), 0n)
const copyOf = (world: World): World => ({ ...world, balances: { ...world.balances } })

function ruleOf(policy: ConvertAndWithdrawPolicy | SweepPolicy, { key }: PlanLeg) {
  if (policy.kind === 'convert-and-withdraw') return policy
  const rule = policy.rules[Number(/^rule(\d+)-/.exec(key)?.[1]) - 1]
  if (rule === undefined) throw new Error(`${key} is of no rule`)
  return rule
}

const takes = (rule: SweepPolicy['rules'][number], asset: string) =>
  rule.assets === undefined ? !rule.allBut?.includes(asset) : rule.assets.includes(asset)

/** Withdrawals of an asset, apart from the proceeds of conversions, leave the smallest floor of its rules. */
function expectFloors(world: World, policy: SweepPolicy, legs: readonly PlanLeg[]): void {
  for (const asset of CODES) {
    const rules = policy.rules.filter((rule) => takes(rule, asset))
    const floors = rules.map(({ keep }) => dec(keep.target) as bigint).sort((a, b) => (a < b ? -1 : 1))
    const there = world.balances[asset] ?? 0n
    const surplus = floors[0] === undefined || there < floors[0] ? 0n : there - floors[0]
    const brought = sum(
      legs.filter(isConversion).flatMap(({ brings }) => (brings.asset === asset ? [brings.amount] : [])),
    )
    const sold = sum(legs.filter(isConversion).flatMap(({ gives }) => (gives.asset === asset ? [gives.amount] : [])))
    const sent = sum(
      legs.filter(isWithdrawal).flatMap(({ assetSymbol, total }) => (assetSymbol === asset ? [total] : [])),
    )
    expect(sold <= surplus).toBe(true)
    expect(sold + sent <= surplus + brought).toBe(true)
  }
}

function expectTerms(world: World, policy: ConvertAndWithdrawPolicy | SweepPolicy, leg: PlanLeg): void {
  const step = (asset: string) => dec(world.assets[asset]?.increment ?? '')
  expect(dec(leg.request.amount) > 0n).toBe(true)
  if (isConversion(leg)) {
    const { minBase = '0', minQuote = '0' } = world.markets[leg.market] ?? {}
    const [base, quote] = leg.request.side === 'SELL' ? [leg.gives, leg.brings] : [leg.brings, leg.gives]
    expect([base.asset, quote.asset]).toEqual(leg.market.split('-'))
    expect(dec(leg.gives.amount) % step(leg.gives.asset)).toBe(0n)
    expect(dec(base.amount) >= dec(minBase) && dec(quote.amount) >= dec(minQuote)).toBe(true)
    const most = dec(world.assets[leg.gives.asset]?.maxIndicative ?? '0')
    expect(most === 0n || dec(leg.gives.amount) <= most).toBe(true)
    return
  }
  const rule = ruleOf(policy, leg)
  const { fee = '0', minimum = '0', internal = '0' } = world.assets[leg.assetSymbol] ?? {}
  const type = world.contacts[leg.contactId]?.type ?? 'EXTERNAL_CRYPTO'
  const [itsFee, least] =
    type === 'INTERNAL' ? ['0', internal] : type === 'BANK_ACCOUNT' ? ['0', minimum] : [fee, minimum]
  const amount = dec(leg.request.amount)
  expect(dec(leg.fee)).toBe(dec(itsFee))
  expect(amount % step(leg.assetSymbol)).toBe(0n)
  const arrives = rule.feeMode === 'deduct' ? amount - dec(itsFee) : (amount as bigint)
  expect(dec(leg.total) as bigint).toBe(arrives + dec(itsFee))
  expect(arrives >= dec(least) && arrives > 0n).toBe(true)
  if (leg.isCanary) return
  expect(rule.smallest === undefined || amount >= dec(rule.smallest)).toBe(true)
  const ceiling = rule.feeCeilingBps
  expect(ceiling === undefined || dec(itsFee) * 10_000n <= amount * BigInt(ceiling)).toBe(true)
}

/** Bounds are compared with the values in the plan. */
function expectGuards({ limits }: Snapshot, legs: readonly PlanLeg[]): void {
  const given = (leg: PlanLeg) =>
    isWithdrawal(leg)
      ? { asset: leg.assetSymbol, units: leg.total }
      : { asset: leg.gives.asset, units: leg.gives.amount }
  const within = (amounts: readonly string[], most: bigint | undefined) =>
    expect(most === undefined || sum(amounts) <= most).toBe(true)
  const values = legs.map(({ value }) => value)
  for (const value of values) within([value], limits.largestValue)
  // Each leg's value is rounded up in the 18th place separately.
  within(values, limits.leftTodayValue === undefined ? undefined : limits.leftTodayValue + BigInt(legs.length))
  for (const [code, { largest, leftToday }] of limits.assets) {
    const units = legs.map(given).flatMap(({ asset, units }) => (asset === code ? [units] : []))
    for (const each of units) within([each], largest)
    within(units, leftToday)
  }
  const withdrawals = legs.filter(isWithdrawal)
  for (const [code, left] of limits.outflow ?? []) {
    within(
      withdrawals.flatMap(({ assetSymbol, total }) => (assetSymbol === code ? [total] : [])),
      left,
    )
  }
  for (const [id, { largestValue, leftTodayValue }] of limits.contacts) {
    const sent = withdrawals.flatMap(({ contactId, value }) => (contactId === id ? [value] : []))
    for (const value of sent) within([value], largestValue)
    within(sent, leftTodayValue === undefined ? undefined : leftTodayValue + BigInt(sent.length))
  }
  if (limits.allowedContacts) {
    for (const { contactId } of withdrawals) expect(limits.allowedContacts.has(contactId)).toBe(true)
  }
}

/** If the rule requires it, one canary goes to an unproven contact in a phase before all others. */
function expectCanaries(world: World, policy: SweepPolicy, legs: readonly PlanLeg[]): void {
  for (const leg of legs.filter(isWithdrawal)) {
    const isDue = 'canary' in ruleOf(policy, leg) && world.contacts[leg.contactId]?.isProven === false
    const rule = ruleOf(policy, leg)
    if (!isDue || !('canary' in rule) || !rule.canary) {
      expect(leg.isCanary).toBe(false)
      continue
    }
    const canaries = legs.filter((each) => isWithdrawal(each) && each.isCanary && each.contactId === leg.contactId)
    expect(canaries).toHaveLength(1)
    expect(leg.isCanary || (canaries[0]?.phase ?? 9) < leg.phase).toBe(true)
  }
}

function expectShape({ legs }: Plan): void {
  const keys = legs.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const phases = [...new Set(legs.map(({ phase }) => phase))]
  expect(phases).toEqual(phases.map((_, index) => index + 1))
  for (const phase of phases)
    expect(new Set(legs.filter((leg) => leg.phase === phase).map(({ kind }) => kind)).size).toBe(1)
}

const everyLeg = ({ phases }: Run) => phases.flat()

describe('for any world and any sweep', () => {
  test('a plan keeps floors, terms, guards and canaries, and requests prices in at most three rounds', () => {
    fc.assert(
      fc.property(drawWorld(true), sweepPolicy, (world, written) => {
        const policy = parsePolicy<'sweep'>(written)
        const { plan, snapshot, isSettled } = planned(planSweep, policy, world)
        expect(isSettled).toBe(true)
        expectShape(plan)
        expectFloors(world, policy, plan.legs)
        for (const leg of plan.legs) expectTerms(world, policy, leg)
        expectGuards(snapshot, plan.legs)
        expectCanaries(world, policy, plan.legs)
      }),
      { numRuns: RUNS },
    )
  })

  test('a run keeps them too, whatever its fills brought, and never overdraws', () => {
    fc.assert(
      fc.property(drawWorld(true), sweepPolicy, fc.integer({ min: -300, max: 300 }), (world, written, bps) => {
        const policy = parsePolicy<'sweep'>(written)
        const there = copyOf(world)
        const result = run(sweepers, policy, there, bps)
        const legs = everyLeg(result)
        for (const leg of legs) expectTerms(world, policy, leg)
        expectCanaries(world, policy, legs)
        for (const asset of CODES) expectLeft(world, there, policy, asset)
      }),
      { numRuns: RUNS },
    )
  })

  test('planning again right after a run gives nothing, unless something cut it short', () => {
    fc.assert(
      fc.property(drawWorld(false), sweepPolicy, (drawn, written) => {
        const world = quotesAll(drawn)
        const policy = parsePolicy<'sweep'>(written)
        fc.pre(!policy.rules.some(({ convertInto }) => policy.rules.some((rule) => takesProceeds(rule, convertInto))))
        run(sweepers, policy, world)
        expect(keysOf(planned(planSweep, policy, world).plan)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test("the rest of one rule's proceeds may go to another rule, and then all is still", () => {
    fc.assert(
      fc.property(drawWorld(false), sweepPolicy, (drawn, written) => {
        const world = quotesAll(drawn)
        const policy = parsePolicy<'sweep'>(written)
        for (const _ of policy.rules) run(sweepers, policy, world)
        run(sweepers, policy, world)
        expect(keysOf(planned(planSweep, policy, world).plan)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('a plan is the same whatever order the service lists things in', () => {
    fc.assert(
      fc.property(drawWorld(true), sweepPolicy, (world, written) => {
        const policy = parsePolicy<'sweep'>(written)
        const { plan, snapshot } = planned(planSweep, policy, world)
        const turned: Snapshot = {
          ...snapshot,
          positions: new Map([...snapshot.positions].reverse()),
          assets: new Map([...snapshot.assets].reverse()),
          markets: snapshot.markets.toReversed(),
          prices: snapshot.prices.toReversed(),
        }
        expect(planSweep('nightly', policy, turned).plan).toEqual(plan)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('for any conversion that is withdrawn', () => {
  test('the amount, or all above the kept amount, is sold, and the proceeds leave', () => {
    fc.assert(
      fc.property(drawWorld(true), payment, fc.integer({ min: -300, max: 300 }), (world, written, bps) => {
        const policy = parsePolicy<'convert-and-withdraw'>(written)
        const { from, into, keep, amount } = policy
        const there = copyOf(world)
        const { plan, phases, settled } = run(payers, policy, there, bps)
        const { snapshot } = planned(planConvertAndWithdraw, policy, world)
        expectShape(plan)
        expectGuards(snapshot, plan.legs)
        for (const leg of phases.flat()) expectTerms(world, policy, leg)
        const [conversion, ...others] = plan.legs.filter(isConversion)
        expect(others).toEqual([])
        expect(plan.legs.length === 0).toBe(conversion === undefined)
        if (conversion === undefined) return
        const surplus = (world.balances[from] ?? 0n) - dec(keep.target)
        const step = dec(world.assets[from]?.increment ?? '')
        const given = dec(conversion.gives.amount) as bigint
        expect(given <= surplus).toBe(true)
        if (amount !== undefined) expect(given).toBe(dec(amount) - (dec(amount) % step))
        const brought = settled[0]?.conversion
        const came = dec((conversion.request.side === 'SELL' ? brought?.quoteAmount : brought?.baseAmount) ?? '0')
        const sent = sum(
          phases
            .flat()
            .filter(isWithdrawal)
            .map(({ total }) => total),
        )
        expect(sent <= came).toBe(true)
        expect(there.balances[into]).toBe((world.balances[into] ?? 0n) + came - sent)
      }),
      { numRuns: RUNS },
    )
  })
})

/** After a run: at least the earlier balance or the smallest floor, whichever is less. */
function expectLeft(before: World, after: World, policy: SweepPolicy, asset: string): void {
  const floors = policy.rules.filter((rule) => takes(rule, asset)).map(({ keep }) => dec(keep.target) as bigint)
  const had = before.balances[asset] ?? 0n
  const least = floors.reduce((low, floor) => (floor < low ? floor : low), had)
  expect((after.balances[asset] ?? 0n) >= least).toBe(true)
}

/** True if the rule sweeps the proceeds of conversions unchanged. A rest of these may exceed the rule's own limits. */
function takesProceeds(rule: SweepPolicy['rules'][number], convertInto: string | undefined): boolean {
  return convertInto !== undefined && takes(rule, convertInto)
}

/** A later run converts the amount that the service does not quote at once. Here it quotes all. */
function quotesAll(world: World): World {
  return { ...copyOf(world), assets: mapValues(world.assets, (asset) => ({ ...asset, maxIndicative: '0' })) }
}

function keysOf({ legs }: Plan): string[] {
  return legs.map(({ key, request }) => `${key} ${request.amount}`)
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, convert: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]))
}
