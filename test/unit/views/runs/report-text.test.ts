// The report of a run on a terminal shows the plan, the ends of its legs, and whether it ties out.
import { expect, test } from 'vitest'
import type { Plan } from '../../../../core/contract/plan.ts'
import { RunEnd } from '../../../../core/contract/runs.ts'
import { reportHtml } from '../../../../views/html/report-html.ts'
import { legFactsOf } from '../../../../views/runs/leg-facts.ts'
import { planLines, reportLines } from '../../../../views/runs/report-text.ts'
import { plan, rebalanced, swept, withdraw, withHostile } from './sample-run.ts'

test('a plan is shown with before and after, its legs with their reasons, and the reasons against the others', () => {
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

test('a plan without targets shows its amounts before and after, and no share', () => {
  const [position = expect.fail()] = plan.positions
  const { targetValue: _value, targetWeight: _weight, drift: _drift, ...untargeted } = position
  const lines = planLines({ ...plan, positions: [untargeted] })
  expect(lines.slice(1, 3).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['asset', 'holding', 'after', 'change', 'price in USD', 'value', 'after, value'],
    ['BTC', '1', '0.9', '-0.1', '64000', '64000', '57600'],
  ])
})

test('a plan names the path of each trade, and the cost of the others or their obstacles', () => {
  const way = { hub: 'USDC', markets: ['BTC-USDC', 'ETH-USDC'], cost: '3.25' }
  const own = { markets: ['ETH-BTC'], cost: '7.5' }
  const none = { hub: 'EUR', markets: [], code: 'no_market' as const, reason: 'no market of EUR and ETH' }
  const trades = [{ gives: 'BTC', brings: 'ETH', value: '6400', way, others: [own, none] }]
  const lines = planLines({ ...plan, trades }).map((line) => line.trim().split(/ {2,}/))
  const start = lines.findIndex(([title]) => title === 'ways:')
  expect(lines.slice(start + 1, start + 5)).toEqual([
    ['from', 'to', 'value in USD', 'way', 'cost', 'taken, or why not'],
    ['BTC', 'ETH', '6400', 'through USDC: BTC-USDC, ETH-USDC', '3.25', 'taken'],
    ['own market: ETH-BTC', '7.5', 'not cheaper'],
    ['through EUR', 'no market of EUR and ETH'],
  ])
  const page = reportHtml({ report: { ...rebalanced, plan: { ...plan, trades } }, legs: [] })
  expect(page).toContain('through USDC: BTC-USDC, ETH-USDC')
  expect(reportHtml({ report: { ...rebalanced, plan }, legs: [] })).not.toContain('By which ways')
})

test('a run is shown with its end first and its tie-out last', () => {
  const lines = reportLines(rebalanced)
  expect(lines[0]).toBe('PARTLY_SETTLED  some legs moved; what did not is certified to have moved nothing')
  expect(lines[1]).toBe('why           one leg of two moved nothing')
  expect(lines.at(-1)).toMatch(/^tie-out: Each leg that moved agrees/)
  expect(lines).toContain(`      intent ${'b'.repeat(40)}  order order/1 x`)
})

test('a balance left in a hub is shown with its history and its use', () => {
  const text = reportLines(rebalanced).join('\n')
  expect(text).toMatch(
    /left on the way:\n {2}6395 USDC \(5 USDC before this run\): .* next run of the policy takes it up/,
  )
  expect(text).toContain('  12 EURC that earlier runs left on the way has gone on.')
  expect(reportLines(swept).join('\n')).not.toContain('left on the way')
})

const COLD =
  '"Cold storage" (reference cold-usdc, crypto address on POLYGON, last changed 2025-12-01T08:00:00Z, id contact/1)'

test('a withdrawal names its contact by labels, kind, network and last change beside the id', () => {
  const [settled] = swept.legs
  if (swept.plan === undefined || settled === undefined) throw new TypeError('no sample')
  const what = `canary: send 100 USDC to ${COLD}: more than the target of 1000 is there`
  expect(planLines(swept.plan)).toContain(`      ${what}`)
  expect(reportLines({ ...swept, outcome: 'AWAITING_APPROVAL', legs: [] })).toContain(`      ${what}`)
  expect(reportLines(swept)).toContain(`      ${what}`)
  expect(reportHtml({ report: swept, legs: [] })).toContain(
    COLD.replace('2025-12-01T08:00:00Z', '2025-12-01 08:00:00').replaceAll('"', '&#34;'),
  )
})

test('a leg without its own labels is shown with those of another leg to its contact', () => {
  const { payee } = withdraw
  if (swept.plan === undefined || payee === undefined) throw new TypeError('no sample')
  const rest = { ...withdraw, key: 'rest', isCanary: false, payee: { ...payee, alias: null, reference: null } }
  expect(planLines({ ...swept.plan, legs: [withdraw, rest] }).join('\n')).toContain(`    send 100 USDC to ${COLD}`)
})

test('a bank is shown with the end of its account number, and an older run with the id alone', () => {
  const { payee, ...before } = withdraw
  if (swept.plan === undefined || payee === undefined) throw new TypeError('no sample')
  const bank = { ...payee, type: 'BANK_ACCOUNT', networkId: null, bank: 'House Bank, account …1332' }
  const text = (leg: typeof withdraw) => planLines({ ...swept.plan, legs: [leg] } as Plan).join('\n')
  expect(text({ ...withdraw, payee: bank })).toContain('bank account at House Bank, account …1332, last changed')
  expect(text(before)).toContain('send 100 USDC to contact contact/1: ')
})

test('fees of a sweep are shown as planned and as paid', () => {
  expect(reportLines(swept).join('\n')).toMatch(/cost {2}planned {2}paid {2}asset\n {2}fees {6}0\.8 {3}0\.8 {2}USDC/)
})

test('a fee of a refused withdrawal was not paid', () => {
  const [leg] = swept.legs
  if (leg === undefined) throw new TypeError('no sample')
  const { withdrawal: _withdrawal, ...refused } = { ...leg, outcome: 'REJECTED' }
  expect(reportLines({ ...swept, legs: [refused] }).join('\n')).toMatch(/fees {6}0\.8 {5}0 {2}USDC/)
})

test.each([
  ['REJECTED', '0'],
  ['NEEDS_ATTENTION', '100'],
])('a withdrawal that ended %s without a row gave %s', (outcome, amount) => {
  const [leg] = swept.legs
  if (leg === undefined) throw new TypeError('no sample')
  const { withdrawal: _withdrawal, ...ended } = { ...leg, outcome }
  expect(legFactsOf({ ...swept, legs: [ended] }).map(({ gives }) => gives.amount)).toEqual([amount])
})

test('control characters of a terminal are shown as escapes', () => {
  expect(reportLines(withHostile(rebalanced, 'a\u001b[2Jb\nc')).join('\n')).not.toContain('\u001b')
  for (const line of reportLines(withHostile(rebalanced, 'a\u001b[2Jb\nc'))) expect(line).not.toContain('\n')
})

test.each([...Object.values(RunEnd), 'RUNNING' as const])('a run that is %s is shown without a plan too', (outcome) => {
  const { plan: _plan, ...unplanned } = { ...rebalanced, outcome, legs: [] }
  expect(reportLines(unplanned).join('\n')).not.toMatch(/undefined|NaN|\[object/)
})
