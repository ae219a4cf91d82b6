import { expect, test } from 'vitest'
import { planLines, reportLines } from '../../../../cli/report/report-text.ts'
import { RunEnd } from '../../../../functions/contract/runs.ts'
import { plan, rebalanced, swept, withHostile } from './sample-run.ts'

test('a plan is told with before and after, its legs with their reasons, and why not the rest', () => {
  const lines = planLines(plan)
  expect(lines.slice(0, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['positions:'],
    [
      ...['asset', 'holding', 'price in USD', 'value', 'weight %', 'target %', 'target, value', 'drift'],
      ...['after', 'after, value', 'after, weight %', 'change'],
    ],
    ['BTC', '1', '64000', '64000', '64', '57.6', '57600', '6400', '0.9', '57600', '57.6', '-6400'],
    ['ETH', '11.25', '3200', '36000', '36', '39.2', '39200', '-3200', '12.25', '39200', '39.2', '+3200'],
  ])
  expect(lines).toContain('      sell 0.1 BTC for USDC on BTC-USDC: BTC is 6.4 % over its target')
  expect(lines.join('\n')).toMatch(/not done:\n {2}asset {2}code {9}why not\n {2}SOL {4}within_band/)
  expect(lines.join('\n')).toContain('turnover  buy-ETH-USDC  cut to what is left of the day')
})

test('a run is told with its end first and its tie-out last', () => {
  const lines = reportLines(rebalanced)
  expect(lines[0]).toBe('PARTLY_SETTLED  some legs moved; what did not is certified to have moved nothing')
  expect(lines[1]).toBe('why           one leg of two moved nothing')
  expect(lines.at(-1)).toMatch(/^tie-out: Each leg that moved agrees/)
  expect(lines).toContain(`      intent ${'b'.repeat(40)}  order order/1 x`)
})

test('what is left in a hub is told with what it was, and what becomes of it', () => {
  const told = reportLines(rebalanced).join('\n')
  expect(told).toMatch(
    /left on the way:\n {2}6395 USDC \(5 USDC before this run\): .* next run of the policy takes it up/,
  )
  expect(told).toContain('  12 EURC that earlier runs left on the way has gone on.')
  expect(reportLines(swept).join('\n')).not.toContain('left on the way')
})

test('fees of a sweep are told as planned and as paid', () => {
  expect(reportLines(swept).join('\n')).toMatch(/cost {2}planned {2}paid {2}asset\n {2}fees {6}0\.8 {3}0\.8 {2}USDC/)
})

test('a fee of a withdrawal that was refused was not paid', () => {
  const [leg] = swept.legs
  if (leg === undefined) throw new TypeError('no sample')
  const { withdrawal: _withdrawal, ...refused } = { ...leg, outcome: 'REJECTED' }
  expect(reportLines({ ...swept, legs: [refused] }).join('\n')).toMatch(/fees {6}0\.8 {5}0 {2}USDC/)
})

test('what a terminal would obey is shown as escapes', () => {
  expect(reportLines(withHostile(rebalanced, 'a\u001b[2Jb\nc')).join('\n')).not.toContain('\u001b')
  for (const line of reportLines(withHostile(rebalanced, 'a\u001b[2Jb\nc'))) expect(line).not.toContain('\n')
})

test.each([...Object.values(RunEnd), 'RUNNING' as const])('a run that is %s is told without a plan too', (outcome) => {
  const { plan: _plan, ...unplanned } = { ...rebalanced, outcome, legs: [] }
  expect(reportLines(unplanned).join('\n')).not.toMatch(/undefined|NaN|\[object/)
})
