// A policy that contradicts itself or the guards is refused by its field.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { treasury } from '../../../core/contract/treasury.ts'
import { findPolicyFaults } from '../../../core/treasury/policy-rules.ts'

const service = { url: 'https://a.example', stage: 'test' }

/** Faults as `path message`. A refusal by the schema fails the test. */
function faultsOf(policies: Record<string, unknown>, guards: unknown = {}): string[] {
  const parsed = treasury.parse({ service, guards, policies })
  return findPolicyFaults(parsed).map(({ path, message }) => `${path.join('.')} ${message}`)
}

const sweep = (rule: object, rest: object = {}) => ({
  kind: 'sweep',
  rules: [{ assets: ['BTC'], contactId: 'cold', ...rule }],
  ...rest,
})
const rebalance = (rest: object) => ({ kind: 'rebalance', ...rest })
const fund = (rest: object = {}) => ({ kind: 'fund', asset: 'USDC', atLeast: '100', from: [{ asset: 'USD' }], ...rest })
const arrival = (asset: string, into: string, rest: object = {}) => ({
  kind: 'convert-on-arrival',
  asset,
  into,
  ...rest,
})
const pay = (rest: object = {}) => ({
  kind: 'convert-and-withdraw',
  from: 'BTC',
  into: 'USDC',
  contactId: 'bank',
  ...rest,
})

test('compatible policies have no faults', () => {
  const policies = {
    target: rebalance({ weights: { BTC: '0.6', ETH: '0.4' }, hubs: ['USD'], reserve: { USD: '50' } }),
    cash: fund({ target: '500' }),
    wages: sweep({ assets: ['USD'], keep: { target: '50' } }),
    surplus: sweep({ assets: ['USDC'], keep: { target: '200', trigger: '500' }, canary: true }),
    coins: arrival('DOGE', 'USD', {
      schedule: { expression: 'cron(0/15 8-18 ? * MON-FRI *)', timeZone: 'Asia/Tokyo' },
    }),
    salary: pay({ from: 'ETH', amount: '1' }),
  }
  expect(faultsOf(policies)).toEqual([])
})

describe('weights', () => {
  test.each([
    [{ BTC: '0.5', USD: '0.49' }, 'got 0.99: 0.01 is left over: give it to an asset'],
    [{ BTC: '0.5', USD: '0.500000000000000001' }, 'got 1.000000000000000001: 0.000000000000000001 too much'],
    [{ BTC: '60', USD: '40' }, 'got 100: 99 too much'],
    [{}, 'got 0: 1 is left over: give it to an asset'],
  ])('%j do not add up to 1', (weights, fault) => {
    expect(faultsOf({ a: rebalance({ weights }) })).toEqual([
      `policies.a.weights expected weights that add up to exactly 1; ${fault}`,
    ])
  })

  test('are accepted if they add up to exactly 1, in any parts', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 17n }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(parts, fc.boolean(), (cuts, isOff) => {
        const rest = 10n ** 18n - cuts.reduce((sum, cut) => sum + cut, 0n) - (isOff ? 1n : 0n)
        const all = [...cuts, rest].map((units, index) => [`A${index}`, `0.${units.toString().padStart(18, '0')}`])
        const faults = faultsOf({ a: rebalance({ weights: Object.fromEntries(all) }) })
        expect(faults).toHaveLength(isOff ? 1 : 0)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a rebalance', () => {
  const weights = { BTC: '0.5', USD: '0.5' }
  test.each([
    [{}, 'weights expected either weights or amounts; got neither: keep one of the two'],
    [{ weights, amounts: { BTC: '1' } }, 'weights expected either weights or amounts; got both: keep one of the two'],
    [{ weights, leaveAlone: ['btc'] }, 'leaveAlone.0 expected an asset without a target; got btc, which has one'],
    [
      { weights, hubs: ['USDC'], leaveAlone: ['USDC'] },
      'leaveAlone.0 expected an asset that is no hub; got USDC, which is one',
    ],
    [
      { weights, reserve: { ETH: '1' } },
      'reserve.ETH expected an asset with a target, or a hub; this policy touches no other: remove it',
    ],
    [
      { weights: { BTC: '0.5', btc: '0.5' } },
      'weights expected each asset once; got btc twice: codes match in any case',
    ],
    [
      { weights, largestTrade: '9' },
      'largestTrade expected at least smallestTrade, 10; got 9, which lets nothing through',
    ],
    [
      { weights, turnover: { run: '1' } },
      'turnover.run expected at least smallestTrade, 10; got 1, which lets nothing through',
    ],
    [{ weights, turnover: { run: '100', day: '50' } }, 'turnover.run expected at most that of a day, 50; got 100'],
    [
      { weights, guards: { assets: { BTX: { largest: '1' } } } },
      'guards.assets.BTX expected an asset that this policy spends; correct or remove it',
    ],
    [
      { weights, guards: { contacts: { cold: { largest: '1' } } } },
      'guards.contacts.cold expected a contact that this policy sends to; correct or remove it',
    ],
  ])('%j', (rest, fault) => {
    expect(faultsOf({ a: rebalance(rest) })).toEqual([`policies.a.${fault}`])
  })
})

describe('other single policies', () => {
  test.each([
    [fund({ atLeast: '0' }), 'atLeast expected more than zero; got 0'],
    [fund({ target: '99.99' }), 'target expected at least atLeast, 100; got 99.99'],
    [
      fund({ from: [{ asset: 'USD' }, { asset: 'usdc' }] }),
      'from.1.asset expected an asset other than USDC; got that one',
    ],
    [
      fund({ from: [{ asset: 'USD' }, { asset: 'USD' }] }),
      'from expected each asset once; got USD twice: codes match in any case',
    ],
    [arrival('BTC', 'btc'), 'into expected an asset other than BTC; got that one'],
    [
      arrival('BTC', 'USD', { keep: { target: '2', trigger: '1' } }),
      'keep.trigger expected at least the target, 2; got 1',
    ],
    [
      sweep({ assets: undefined }),
      'rules.0.assets expected either assets or allBut; got neither: "allBut": [] means every asset',
    ],
    [sweep({ allBut: [] }), 'rules.0.assets expected either assets or allBut; got both: keep one of the two'],
    [
      sweep({ keep: { target: '0.2', trigger: '0.1' } }),
      'rules.0.keep.trigger expected at least the target, 0.2; got 0.1',
    ],
    [
      sweep({ assets: ['BTC', 'USDC'], convertInto: 'USDC' }),
      'rules.0.assets.1 expected an asset other than convertInto; got USDC: give what there is of it a rule of its own',
    ],
    [
      sweep({ convertInto: 'USDC' }, { guards: { allowedMarkets: ['BTC-USD'] } }),
      'rules.0.convertInto expected a market that allowedMarkets of the guards lists; got BTC into USDC',
    ],
    [
      sweep({}, { guards: { allowedContacts: ['other'] } }),
      'rules.0.contactId expected a contact that allowedContacts of the guards lists; got something else',
    ],
    [
      sweep({}, { guards: { assets: { ETH: { daily: '1' } } } }),
      'guards.assets.ETH expected an asset that this policy spends; correct or remove it',
    ],
    [pay({ amount: '0.0' }), 'amount expected more than zero; got 0.0'],
    [pay({ into: 'BTC' }), 'into expected an asset other than BTC; got that one'],
  ])('%j', (policy, fault) => {
    expect(faultsOf({ a: policy })).toEqual([`policies.a.${fault}`])
  })

  test('a canary that a rule beside it would overtake', () => {
    const rules = [
      { assets: ['BTC'], contactId: 'cold', canary: true },
      { assets: ['ETH'], contactId: 'cold' },
      { assets: ['ETH'], contactId: 'warm' },
    ]
    expect(faultsOf({ a: { kind: 'sweep', rules } })).toEqual([
      'policies.a.rules.1.canary expected true; got false: rules[0] sends a canary to this contact first, which this rule would overtake',
    ])
  })

  test('a contact that the general guards do not list', () => {
    expect(faultsOf({ a: sweep({}), b: pay({ amount: '1' }) }, { allowedContacts: ['bank'] })).toEqual([
      'policies.a.rules.0.contactId expected a contact that allowedContacts of the guards lists; got something else',
    ])
  })
})

describe('schedules and hours', () => {
  const scheduled = (schedule: object) => faultsOf({ a: sweep({}, { schedule }) })

  test.each([
    'rate(1 hour)',
    'rate(5 minutes)',
    'at(2028-02-29T23:59:59)',
    'cron(0 9 ? * MON-FRI *)',
    'cron(0/5 8-17 ? * 2#1 2026-2028)',
    'cron(15,45 */2 L JAN,JUL ? *)',
    'cron(0 0 L * ? *)',
    'cron(0 10 15W * ? *)',
  ])('%s is accepted', (expression) => {
    expect(scheduled({ expression })).toEqual([])
  })

  test.each([
    ['rate(0 minutes)', 'a rate of whole minutes'],
    ['rate(1 week)', 'a rate of whole minutes'],
    ['at(2027-02-29T09:00:00)', 'a date of the calendar'],
    ['at(2026-01-31T09:00:00Z)', 'a moment without a zone'],
    ['cron(0 9 * * *)', 'six fields'],
    ['cron(0 9 * * * *)', '? as day-of-month or as day-of-week of the cron, and not as both'],
    ['cron(0 9 ? * ? *)', '? as day-of-month or as day-of-week of the cron, and not as both'],
    ['cron(60 9 ? * MON *)', 'as minutes of the cron a value from 0 to 59'],
    ['cron(0 24 ? * MON *)', 'as hours of the cron'],
    ['cron(0 9 ? * MOND *)', 'as day-of-week of the cron'],
    ['cron(0 9 31,32 * ? *)', 'as day-of-month of the cron'],
    ['cron(0/0 9 1 * ? *)', 'as minutes of the cron'],
    ['cron(0 9 1 13 ? *)', 'as month of the cron'],
    ['cron(0 9 1 * ? 1969)', 'as year of the cron'],
  ])('%s is refused', (expression, fault) => {
    expect(scheduled({ expression })).toEqual([expect.stringContaining(`expression expected ${fault}`)])
    // The part that is wrong, and its whole expression.
    expect(scheduled({ expression })[0]).toMatch(/; got "[^"]*" in "[^"]*"$/)
    expect(scheduled({ expression })[0]).toContain(` in "${expression}"`)
  })

  test('a time that the clocks of its zone skip, and no other', () => {
    const at = (timeZone: string) => scheduled({ expression: 'at(2026-03-29T02:30:00)', timeZone })
    expect(at('Europe/Berlin')).toEqual([
      'policies.a.schedule.expression expected a local time that exists: Europe/Berlin puts its clocks forward over it; ' +
        'write a time before or after the gap; got "2026-03-29T02:30:00" in "at(2026-03-29T02:30:00)"',
    ])
    expect(at('UTC')).toEqual([])
    // The fault of the zone is reported. The expression has no fault, since nobody can judge it without a zone.
    expect(at('Mars/Base')).toEqual([expect.stringContaining('timeZone expected an IANA time zone')])
  })

  test('an end that is not after the start, whatever their zones', () => {
    const schedule = { expression: 'rate(1 hour)', start: '2026-01-01T10:00:00+02:00', end: '2026-01-01T08:00:00Z' }
    expect(scheduled(schedule)).toEqual([
      expect.stringContaining('policies.a.schedule.end expected a time after start'),
    ])
    expect(scheduled({ ...schedule, end: '2026-01-01T08:00:01Z' })).toEqual([])
  })

  test('an approval of movements without a figure, which would ask nobody', () => {
    const text = 'expected above, assets or contacts: what waits for a person; got none of them'
    expect(faultsOf({}, { approval: { twoAbove: '5' } })).toEqual([`guards.approval ${text}`])
    expect(faultsOf({ a: sweep({}, { guards: { approval: {} } }) })).toEqual([`policies.a.guards.approval ${text}`])
    for (const approval of [{ above: '0' }, { assets: { BTC: '1' } }, { contacts: { c: '1' } }])
      expect(faultsOf({}, { approval })).toEqual([])
  })

  test('a time zone that does not exist', () => {
    expect(scheduled({ expression: 'rate(1 hour)', timeZone: 'Europe/Madird' })).toEqual([
      'policies.a.schedule.timeZone expected an IANA time zone that exists, such as "Europe/Madrid"; got "Europe/Madird"',
    ])
    expect(faultsOf({}, { quietHours: [{ to: '06:00', timeZone: 'Mars/Base' }] })).toEqual([
      expect.stringContaining('guards.quietHours.0.timeZone expected an IANA time zone'),
    ])
  })

  test.each([
    [[{}], false],
    [
      [
        { from: '00:00', to: '12:00' },
        { from: '12:00', to: '00:00' },
      ],
      false,
    ],
    [
      [
        { from: '00:00', to: '12:00' },
        { from: '12:01', to: '00:00' },
      ],
      true,
    ],
    [[{ days: ['SAT', 'SUN'] }, { from: '18:00', to: '08:00' }], true],
  ])('quiet hours %j leave some of the week: %s', (quietHours, isTaken) => {
    const faults = faultsOf({ a: sweep({}, { guards: { quietHours } }) })
    if (isTaken) expect(faults).toEqual([])
    else
      expect(faults).toEqual([expect.stringContaining('guards.quietHours expected hours that leave some of the week')])
  })
})

describe('payout files from S3', () => {
  const payouts = (files?: object, rest: object = { approval: { above: '0' } }) => ({
    ...{ kind: 'payouts', assets: ['EUR'] },
    ...(files !== undefined && { files }),
    ...rest,
  })
  const bucket = 'company-payouts'

  test('need approval, because whoever writes to the bucket asks for payments', () => {
    expect(faultsOf({ salaries: payouts({ bucket }) })).toEqual([])
    expect(faultsOf({ salaries: payouts({ bucket }, {}) })).toEqual([
      expect.stringMatching(/^policies\.salaries\.approval expected approval beside `files`/),
    ])
    expect(faultsOf({ salaries: payouts(undefined, {}) })).toEqual([])
  })

  test.each([
    [{ bucket }, { bucket }],
    [{ bucket, prefix: 'a/' }, { bucket }],
    [{ bucket }, { bucket, prefix: 'a/b/' }],
    [
      { bucket, prefix: 'a/' },
      { bucket, prefix: 'a/b/' },
    ],
  ])('of two policies come from places that do not overlap: %j and %j', (first, second) => {
    expect(faultsOf({ one: payouts(first), other: payouts(second) })).toEqual([
      expect.stringMatching(/^policies\.other\.files expected a place of its own; got one that policy one/),
    ])
  })

  test('may come from places beside each other, for at most five policies', () => {
    const places = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`policy-${at}`, payouts({ bucket, prefix: `place-${at}/` })]),
      )
    expect(faultsOf(places(5))).toEqual([])
    expect(faultsOf(places(6))).toEqual(['policies.policy-5.files expected at most 5 policies with files; got 6'])
  })

  test.each([
    { bucket: 'Company' },
    { bucket: 'a*' },
    { bucket, prefix: 'a' },
    { bucket, prefix: '*/' },
    { bucket, prefix: '?/' },
    { bucket, prefix: '$a/' },
    { bucket, prefix: '/a/' },
    { bucket, prefix: `${'a'.repeat(100)}/` },
  ])('have a place without wildcards and of a bounded length: %j is refused', (files) => {
    expect(treasury.safeParse({ service, policies: { salaries: payouts(files) } }).success).toBe(false)
  })
})
