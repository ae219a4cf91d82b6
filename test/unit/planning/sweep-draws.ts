// Draws worlds and sweeping policies for the property tests. Few assets and small figures let floors, fees, minimums
// and bounds meet often.
import fc from 'fast-check'
import type { PlanLimits } from '../../../core/planning/market/snapshot.ts'
import { dec, type World } from './sweep-world.ts'

export const CODES = ['AAA', 'BBB', 'CCC', 'USDC', 'USD'] as const
const CONTACTS = ['any', 'inner', 'bank', 'only-aaa', 'other-net'] as const

/** A decimal text of up to `most` with `places` places. */
const amount = (most: number, places = 2) =>
  fc.integer({ min: 0, max: most * 10 ** places }).map((units) => (units / 10 ** places).toFixed(places))

const increment = fc.constantFrom('1', '0.1', '0.05', '0.01', '0.0001')

const asset = fc.record({
  increment,
  fee: fc.oneof(fc.constant('0'), amount(3)),
  minimum: amount(5),
  internal: amount(2),
  maxIndicative: fc.oneof({ weight: 4, arbitrary: fc.constant('0') }, { weight: 1, arbitrary: amount(200) }),
})

const market = fc.record({
  mid: fc.integer({ min: 1, max: 2000 }).map((cents) => (cents / 100).toFixed(2)),
  half: fc.integer({ min: 0, max: 5000 }),
  perUnit: fc.integer({ min: 0, max: 500 }),
  minBase: amount(3),
  minQuote: amount(3),
})

const some = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

const bound = fc.record({ largest: amount(150), leftToday: amount(300) }, { requiredKeys: [] })

const limits = fc
  .record(
    {
      largestValue: amount(500),
      leftTodayValue: amount(1500),
      assets: fc.dictionary(fc.constantFrom(...CODES), bound, { maxKeys: 2 }),
      contacts: fc.dictionary(fc.constantFrom(...CONTACTS), bound, { maxKeys: 2 }),
      outflow: fc.dictionary(fc.constantFrom(...CODES), amount(200), { maxKeys: 2 }),
      allowedContacts: fc.subarray([...CONTACTS], { minLength: 3 }),
    },
    { requiredKeys: ['assets', 'contacts'] },
  )
  .map(
    ({ largestValue, leftTodayValue, assets, contacts, outflow, allowedContacts }): PlanLimits => ({
      ...(largestValue !== undefined && { largestValue: dec(largestValue) }),
      ...(leftTodayValue !== undefined && { leftTodayValue: dec(leftTodayValue) }),
      ...(outflow !== undefined && { outflow: mapOf(outflow, dec) }),
      ...(allowedContacts !== undefined && { allowedContacts: new Set(allowedContacts) }),
      assets: mapOf(assets, ({ largest, leftToday }) => ({
        ...(largest !== undefined && { largest: dec(largest) }),
        ...(leftToday !== undefined && { leftToday: dec(leftToday) }),
      })),
      contacts: mapOf(contacts, ({ largest, leftToday }) => ({
        ...(largest !== undefined && { largestValue: dec(largest) }),
        ...(leftToday !== undefined && { leftTodayValue: dec(leftToday) }),
      })),
    }),
  )

function mapOf<From, To>(record: Record<string, From>, convert: (from: From) => To): Map<string, To> {
  return new Map(Object.entries(record).map(([key, value]) => [key, convert(value)]))
}

const NO_LIMITS: PlanLimits = { assets: new Map(), contacts: new Map() }

export const world = (isLimited: boolean): fc.Arbitrary<World> =>
  fc
    .record({
      assets: fc.record(Object.fromEntries(CODES.map((code) => [code, asset]))),
      markets: fc.record({
        'AAA-USD': market,
        'BBB-USD': market,
        'CCC-USD': market,
        'USDC-USD': market,
        'AAA-USDC': market,
        'BBB-USDC': market,
        'CCC-AAA': market,
      }),
      balances: fc.array(amount(400, 4), { minLength: CODES.length, maxLength: CODES.length }),
      proven: fc.array(fc.boolean(), { minLength: CONTACTS.length, maxLength: CONTACTS.length }),
      limits: isLimited ? limits : fc.constant(NO_LIMITS),
    })
    .map(({ assets, markets, balances, proven, limits }) => ({
      assets,
      markets,
      balances: Object.fromEntries(CODES.map((code, index) => [code, dec(balances[index] ?? '0') as bigint])),
      contacts: {
        any: { isProven: proven[0] === true },
        inner: { type: 'INTERNAL', networkId: null, isProven: proven[1] === true },
        bank: { type: 'BANK_ACCOUNT', networkId: null, assetSymbol: 'USD', isProven: proven[2] === true },
        'only-aaa': { assetSymbol: 'AAA', isProven: proven[3] === true },
        'other-net': { networkId: 'ELSEWHERE' },
      },
      limits,
    }))

const rule = fc
  .record({
    named: fc.subarray([...CODES], { minLength: 1 }),
    isAllBut: fc.boolean(),
    keep: amount(100),
    above: fc.option(amount(50), { nil: undefined, freq: 2 }),
    contactId: fc.constantFrom('any', 'any', 'inner', 'inner', 'bank', 'only-aaa', 'other-net'),
    feeMode: fc.constantFrom('deduct', 'add'),
    feeCeilingBps: some(fc.integer({ min: 0, max: 1000 })),
    smallest: some(amount(60)),
    convertInto: some(fc.constantFrom('USDC', 'AAA', 'USD')),
    canary: fc.boolean(),
  })
  .map(({ named, isAllBut, keep, above, ...rest }) => ({
    ...rest,
    ...(isAllBut ? { allBut: named.slice(1) } : { assets: named }),
    keep: {
      target: keep,
      ...(above !== undefined && { trigger: (Number(keep) + Number(above)).toFixed(2) }),
    },
  }))

/** A policy as a person writes it: undefined fields are left out. */
export const sweepPolicy = fc
  .array(rule, { minLength: 1, maxLength: 3 })
  .map((rules) => JSON.parse(JSON.stringify({ kind: 'sweep' as const, rules })))

export const payment = fc
  .record({
    from: fc.constantFrom('AAA', 'BBB', 'CCC'),
    into: fc.constantFrom('USDC', 'USD'),
    amount: some(amount(200).filter((text) => Number(text) > 0)),
    keep: amount(100).map((target) => ({ target })),
    contactId: fc.constantFrom('any', 'inner'),
    feeMode: fc.constantFrom('deduct', 'add'),
    feeCeilingBps: some(fc.integer({ min: 0, max: 1000 })),
    smallest: some(amount(60)),
  })
  .map((given) => JSON.parse(JSON.stringify({ kind: 'convert-and-withdraw' as const, ...given })))
