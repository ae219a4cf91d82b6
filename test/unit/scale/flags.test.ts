import { expect, test } from 'vitest'
import { readFlags, WrongUsage } from '../../../bench/scale/flags.ts'
import { USUAL } from '../../../bench/scale/workload.ts'

test('without flags it is the usual workload', () => {
  expect(readFlags([])).toEqual({ does: 'assess', json: false, seed: 1, limits: {}, workload: USUAL })
})

test('parts of a mix are parts of any whole', () => {
  expect(readFlags(['--mix', 'conversions=3,withdrawals=1']).workload.mix).toEqual({
    ...{ conversions: 0.75, 'slow-conversions': 0, withdrawals: 0.25, rebalances: 0 },
  })
})

test('limits may be given for several quotas', () => {
  const { limits } = readFlags(['--limit', 'service-requests=20', '--limit', 'lambda-concurrency=3000'])
  expect(limits).toEqual({ 'service-requests': 20, 'lambda-concurrency': 3_000 })
})

test.each([
  [['--runs-a-day', '0'], '--runs-a-day: expected a whole number from 1 to 1000000000, and it is "0"'],
  [['--runs-a-day', '1e6'], '--runs-a-day: expected a whole number from 1 to 1000000000, and it is "1e6"'],
  [['--runs-a-day', '2.5'], '--runs-a-day: expected a whole number from 1 to 1000000000, and it is "2.5"'],
  [['--peak-factor', '25'], '--peak-factor: expected a number from 1 to 24, and it is "25"'],
  [['--in-doubt', '2'], '--in-doubt: expected a number from 0 to 1, and it is "2"'],
  [
    ['--mix', 'swaps=1'],
    '--mix: expected kinds among conversions, slow-conversions, withdrawals, rebalances, and one is "swaps"',
  ],
  [['--mix', 'conversions'], '--mix: expected NAME=NUMBER, and it is "conversions"'],
  [['--mix', 'conversions=1,conversions=2'], '--mix: conversions is given twice; give it once'],
  [['--mix', 'conversions=0'], '--mix: all parts are 0; give one of them more'],
  [['--mix', 'conversions=-1'], '--mix conversions: expected a number from 0 to 1000000000, and it is "-1"'],
  [
    ['--limit', 'service-requests=0'],
    '--limit service-requests: expected a number from 1e-9 to 1000000000000, and it is "0"',
  ],
  [
    ['--limit', 'service-requests=1', '--limit', 'service-requests=2'],
    '--limit: service-requests is given twice; give it once',
  ],
  [['--measure', '--write'], '--measure and --write: give one of them at a time'],
])('%j is refused, with what it may be', (args, message) => {
  expect(() => readFlags(args)).toThrow(new WrongUsage(message))
})

test('a limit of no quota is refused, with the names that there are', () => {
  expect(() => readFlags(['--limit', 'speed=1'])).toThrow(
    /^--limit: expected one of start-executions, .*and it is "speed"$/,
  )
})

test('a flag that is none is refused by its name', () => {
  expect(() => readFlags(['--runs', '5'])).toThrow(/'--runs'/)
})

test('a long value is not told whole', () => {
  expect(() => readFlags(['--runs-a-day', 'x'.repeat(500)])).toThrow(/"x{40}…"$/)
})
