import { expect, test } from 'vitest'
import { conversionTable, tieOutLines, tiesOut } from '../../../cli/tour/tour-report.ts'

const conversions = [
  {
    title: 'filled at once',
    result: {
      outcome: 'FILLED',
      intentId: 'cv-1',
      orderId: 'order-1',
      market: 'BTC-USDC',
      side: 'BUY',
      rate: '64000.5',
      baseAmount: '0.25',
      quoteAmount: '16000.125',
      attempts: 1,
    },
  },
  { title: 'refused', result: { outcome: 'REJECTED', intentId: 'cv-2', why: 'no' } },
] as const

test('the table has a row a conversion, also for one without figures', () => {
  expect(conversionTable(conversions)).toEqual([
    'conversion      outcome   side  market    base amount  quote amount     rate  attempts  order',
    'filled at once  FILLED    BUY   BTC-USDC         0.25     16000.125  64000.5         1  order-1',
    'refused         REJECTED',
  ])
})

test('the last line says how many movements tie, and the findings stand before it', () => {
  const good = tieOutLines({ tied: 1, of: 1, findings: [] }, conversions.slice(0, 1))
  expect(good[0]).toBe('  order order-1  =  intent cv-1')
  expect(good.at(-1)).toMatch(/^tie-out: 1 of 1: each movement/)
  const bad = tieOutLines({ tied: 0, of: 1, findings: ['order order-1 moved 2 times'] }, [])
  expect(bad).toEqual(['  order order-1 moved 2 times', 'tie-out: 0 of 1: does NOT tie out'])
})

test('it ties out only without findings and with every movement tied', () => {
  expect(tiesOut({ tied: 3, of: 3, findings: [] })).toBe(true)
  expect(tiesOut({ tied: 2, of: 3, findings: [] })).toBe(false)
  expect(tiesOut({ tied: 3, of: 3, findings: ['ledger'] })).toBe(false)
})
