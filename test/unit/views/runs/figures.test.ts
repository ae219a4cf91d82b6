// Tests figures as people read them.
import { expect, test } from 'vitest'
import {
  byValue,
  change,
  percent,
  prose,
  rateOf,
  readable,
  shortened,
  shown,
  slippageBps,
  spreadPaid,
  total,
} from '../../../../views/runs/figures.ts'

test.each([
  ['184001.01426685659', '184001.014266'],
  ['-11694.820225', '-11694.820225'],
  ['-0.0000019', '-0.000001'],
  ['12', '12'],
  ['', ''],
])('a value of %s is shown as %s: cut off, never rounded up', (value, text) => {
  expect(shown(value)).toBe(text)
})

test.each([
  ['80000.123456789', '80000.12'],
  ['1234567', '1234567'],
  ['97.123456789', '97.1234'],
  ['0.000123456789', '0.000123456'],
  ['-3.00000001', '-3'],
  ['0', '0'],
  ['none', 'none'],
  ['+0.0012', '+0.0012'],
])('an amount of %s reads as %s: six digits, with its cents, cut off', (amount, text) => {
  expect(readable(amount)).toBe(text)
})

test.each([
  ['79012.3456', '79012.34'],
  ['-0.999', '-0.99'],
  ['0.0099', '<0.01'],
  ['-0.0099', '>-0.01'],
  ['0.000', '0'],
  ['', ''],
])('money of %s reads as %s: what is there never reads as nothing', (amount, text) => {
  expect(readable(amount, 'cents')).toBe(text)
})

test('a change belongs to the exact values, and is only then cut off', () => {
  expect(change('1.0000005', '2.0000015')).toBe('+1.000001')
  expect(change('2', '1.5')).toBe('-0.5')
  expect(change('2', '2')).toBe('0')
})

test('a sum keeps every digit of amounts of 48 digits', () => {
  const large = `${'9'.repeat(30)}.${'9'.repeat(18)}`
  expect(total([large, '0.000000000000000001', '-1', large])).toBe(`1${'9'.repeat(29)}8.${'9'.repeat(18)}`)
})

test('a share in percent is exact', () => {
  expect(percent('0.123456789012345678')).toBe('12.3456789012345678')
  expect(percent('1')).toBe('100')
})

test('a rate is cut off, and an amount of zero has no rate', () => {
  expect(rateOf('2', '3', 10)).toBe('0.6666666666')
  expect(rateOf('1', '0.000000000000000001', 10)).toBe('1000000000000000000')
  expect(rateOf('1', '0', 10)).toBeUndefined()
})

test.each([
  ['BUY', '100', '100.019', '1.9'],
  ['BUY', '100', '99.9989', '-0.1'],
  ['BUY', '100', '99.99999', '0'],
  ['SELL', '3', '2.9', '333.3'],
  ['SELL', '3', '3.1', '-333.3'],
] as const)('a %s at %s that was filled at %s was worse by %s basis points', (side, expected, actual, bps) => {
  expect(slippageBps(side, expected, actual)).toBe(bps)
})

// Both plans trade 2 at a middle of 100, with 1 of the quote side worth 3: the half spread of 0.5 costs 2 * 0.5 * 3.
const SALE = { side: 'SELL', indicativeRate: '99.5', cost: '3', base: '2', quote: '199', quoteValue: '597' } as const
const PURCHASE = {
  side: 'BUY',
  indicativeRate: '100.5',
  cost: '3',
  base: '2',
  quote: '201',
  quoteValue: '603',
} as const
test.each([
  ['as planned', SALE, '2', '199', '3'],
  ['at half', SALE, '1', '99.5', '1.5'],
  ['10 worse', SALE, '2', '189', '33'],
  ['at the middle', SALE, '2', '200', '0'],
  ['better than the middle', SALE, '2', '201', '-3'],
  ['as planned', PURCHASE, '2', '201', '3'],
  ['10 worse', PURCHASE, '2', '211', '33'],
  ['at the middle', PURCHASE, '2', '200', '0'],
  ['not at all', PURCHASE, '0', '0', '0'],
])(
  'a spread that was filled %s cost the difference between the fills and the middle',
  (_, plan, baseAmount, quoteAmount, paid) => {
    expect(spreadPaid(plan, { baseAmount, quoteAmount })).toBe(paid)
  },
)

test('without amounts in the plan the paid spread is unknown', () => {
  expect(spreadPaid({ ...SALE, base: '0' }, { baseAmount: '1', quoteAmount: '1' })).toBeUndefined()
})

test.each([
  ['sell 24374.59 EUR for USD', 'sell 24\u202f374.59 EUR for USD'],
  ['1234567 USDC (5000 USDC before)', '1\u202f234\u202f567 USDC (5\u202f000 USDC before)'],
  ['at 2026-01-31T09:00:02Z ETH', 'at 2026-01-31 09:00:02 ETH'],
  [
    'list --before 2026-01-31T09:00:02Z, --since=2026-01-31T09:00:02Z',
    'list --before 2026-01-31T09:00:02Z, --since=2026-01-31T09:00:02Z',
  ],
  ['until 2026-01-31T09:00:02.942Z, or 2026-01-31T09:00', 'until 2026-01-31 09:00:02, or 2026-01-31T09:00'],
  ['order 20260131 BTC, id 12345 A1', 'order 20260131 BTC, id 12345 A1'],
  ['10000 characters, 0.12345 BTC, x12345 BTC', '10000 characters, 0.12345 BTC, x12345 BTC'],
])('of "%s" only amounts with their asset are in groups, and times are as on pages', (text, told) => {
  expect(prose(text)).toBe(told)
})

test('the largest value comes first, by value and not by text', () => {
  expect(byValue(['9', '10', '-1', '0.5'], (text) => text)).toEqual(['10', '9', '0.5', '-1'])
})

test.each(['', '1e5', 'NaN', 'Infinity', '0x1f', ' 1', '+1', '.5'])('%j is no amount', (text) => {
  expect(() => percent(text)).toThrow('expected a plain decimal string')
})

test.each([
  ['31975.550991413306 USD is more than 5000', '31975.550… USD is more than 5000'],
  ['0.0000123456789 BTC', '0.000012345678… BTC'],
  ['1.23456789 BTC', '1.2345678… BTC'],
  ['1.2345678 BTC', '1.2345678 BTC'],
  ['1000000.126 EUR', '1000000.12… EUR'],
  ['order 12345.6789012345 is open', 'order 12345.6789012345 is open'],
])('in a sentence %s reads %s', (whole, short) => {
  expect(shortened(whole)).toBe(short)
})
