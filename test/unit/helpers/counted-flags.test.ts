import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readCountedFlags } from '../../helpers/counted-flags.ts'

const program = { count: 'runs', usual: 200, most: 400, help: 'how to use it', texts: ['keep'], switches: ['fast'] }
const read = (...args: string[]) => readCountedFlags(args, program)

const said: string[] = []
beforeEach(() => {
  for (const stream of ['log', 'error'] as const) {
    vi.spyOn(console, stream).mockImplementation((text) => said.push(`${stream} ${text}`))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  said.length = 0
})

test('counts, seeds, texts and switches are read, and the count is the usual one where none is given', () => {
  expect(read('--runs', '400', '--seed', '0', '--keep', 'file', '--fast')).toEqual({
    ...{ count: 400, seed: 0, texts: { keep: 'file' }, switches: new Set(['fast']) },
  })
  expect(read('--seed=7')).toEqual({ count: 200, seed: 7, texts: {}, switches: new Set() })
})

test('without a seed each call draws one, a whole number', () => {
  const seeds = Array.from({ length: 20 }, () => (read() as { seed: number }).seed)
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0)).toBe(true)
  expect(new Set(seeds).size).toBeGreaterThan(1)
})

test.each([
  [['--runs', '0'], '--runs: expected a whole number from 1 to 400; got another'],
  [['--runs', '401'], '--runs: expected'],
  [['--runs', '1.5'], '--runs: expected'],
  [['--runs', ''], '--runs: expected'],
  [['--seed', '0x10'], '--seed: expected a whole number from 0 to 1099511627776'],
  [['--seed=-1'], '--seed: expected'],
  [['--seed', '1099511627777'], '--seed: expected'],
  [['--keep', ''], '--keep: expected a value'],
  [['--fast=yes'], 'does not take an argument'],
  [['--rnus', '1'], "Unknown option '--rnus'"],
  [['1'], 'positional'],
])('%j is refused with why and the help, and exit code 2', (args, why) => {
  expect(read(...args)).toBe(2)
  expect(said).toEqual([expect.stringContaining(why)])
  expect(said[0]).toMatch(/^error .*\n\nhow to use it$/s)
})

test('help is printed, and ends the program well', () => {
  expect(read('--help')).toBe(0)
  expect(said).toEqual(['log how to use it'])
})
