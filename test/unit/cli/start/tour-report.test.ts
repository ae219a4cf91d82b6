// The tour claims to tie out only where every movement ties and nothing was found.
import { expect, test } from 'vitest'
import { legTable, resultsOf, tieOutLines, tiesOut } from '../../../../cli/start/tour-report.ts'
import { rebalanced, swept } from '../../views/runs/sample-run.ts'

test('each leg is a row of the table, with what it gave and brought, even where it moved nothing', () => {
  expect(legTable([rebalanced, swept]).map((line) => line.split(/ {2,}/))).toEqual([
    ['policy', 'leg', 'outcome', 'gave', 'brought', 'rate', 'fee', 'attempts', 'movement'],
    ['core', 'sell-BTC-USDC', 'FILLED', '0.1 BTC', '6390 USDC', '63900', '1', 'order/1 x'],
    ['core', 'buy-ETH-USDC', 'PRICE_REFUSED', '0 USDC', '1'],
    ['nightly', 'withdraw-USDC-1', 'COMPLETED', '100 USDC', '99.2 USDC', '0.8', 'wd/1'],
  ])
})

test('the last line says how many movements tie, and the findings come before it', () => {
  const good = tieOutLines({ tied: 1, of: 1, findings: [] }, [swept])
  expect(good).toEqual([
    `  wd/1  =  intent ${'d'.repeat(40)}`,
    expect.stringMatching(/^tie-out: 1 of 1: each movement/),
  ])
  const bad = tieOutLines({ tied: 0, of: 1, findings: ['order order-1 moved 2 times'] }, [])
  expect(bad).toEqual(['  order order-1 moved 2 times', 'tie-out: 0 of 1: does NOT tie out'])
})

test('the results of the legs are tied out', () => {
  expect(resultsOf([rebalanced, swept]).map(({ outcome }) => outcome)).toEqual(['FILLED', 'PRICE_REFUSED', 'COMPLETED'])
})

test('the tour ties out only without findings and with every movement tied', () => {
  expect(tiesOut({ tied: 3, of: 3, findings: [] })).toBe(true)
  expect(tiesOut({ tied: 2, of: 3, findings: [] })).toBe(false)
  expect(tiesOut({ tied: 3, of: 3, findings: ['service', 'ledger'] })).toBe(false)
})
