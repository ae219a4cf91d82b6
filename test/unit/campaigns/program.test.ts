// The programs of campaigns read their flags alike, and their exit code separates a broken promise from a failed campaign.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hunt } from '../../campaigns/hunt.ts'
import { everyTenSeconds, type Flags, findingText, runProgram, UsageError } from '../../campaigns/program.ts'

const PROGRAM = {
  help: 'how to use it',
  count: { name: 'runs', default: 200, most: 400 },
  texts: ['keep', 'world', 'faults'],
  switches: ['fast'],
}

const printed: string[] = []
beforeEach(() => {
  for (const stream of ['log', 'error'] as const) {
    vi.spyOn(console, stream).mockImplementation((text) => printed.push(`${stream} ${text}`))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  printed.length = 0
})

/** The values that the campaign reads from these flags. */
async function read<Value>(what: (flags: Flags) => Value, ...args: string[]): Promise<Value | undefined> {
  let value: Value | undefined
  const run = async (flags: Flags) => {
    value = what(flags)
    return true
  }
  await runProgram(PROGRAM, run, args)
  return value
}

const failsAtOnce = async () => {
  throw new Error('the campaign began')
}

describe('flags', () => {
  test('counts, seeds, texts and switches are read, and the count has a default', async () => {
    const all = ({ count, seed, has, text }: Flags) => [count, seed, has('fast'), text('keep'), text('world')]
    expect(await read(all, '--runs', '400', '--seed', '0', '--keep', 'file', '--fast')).toEqual(
      [400, 0, true, 'file', undefined], //
    )
    expect(await read(all, '--seed=7')).toEqual([200, 7, false, undefined, undefined])
  })

  test('a name must be known, and a number must be within its bounds', async () => {
    const both = (flags: Flags) => [flags.oneOf('world', ['one', 'two']), flags.whole('faults', 0, 40)]
    expect(await read(both, '--world', 'two', '--faults', '40')).toEqual(['two', 40])
    expect(await read(both)).toEqual([undefined, undefined])
    expect(await read(both, '--world', 'three')).toBeUndefined()
    expect(printed[0]).toContain('--world: unknown "three"; there are: one, two\n--help shows what there is')
    expect(await read(both, '--faults', '41')).toBeUndefined()
    expect(printed[1]).toContain('--faults: expected a whole number from 0 to 40')
  })

  test('without a seed each call draws a whole number, unless the campaign has a default seed', async () => {
    const seeds = await Promise.all(Array.from({ length: 20 }, () => read(({ seed }) => seed)))
    expect(seeds.every((seed) => Number.isInteger(seed) && Number(seed) >= 0)).toBe(true)
    expect(new Set(seeds).size).toBeGreaterThan(1)
    expect(await runProgram({ ...PROGRAM, defaultSeed: 1 }, async ({ seed }) => seed === 1, [])).toBe(0)
  })

  test.each([
    [['--runs', '0'], '--runs: expected a whole number from 1 to 400; got something else'],
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
  ])('%j is refused with the reason and a hint to the help, and exit code 2', async (args, why) => {
    expect(await runProgram(PROGRAM, failsAtOnce, args)).toBe(2)
    expect(printed).toEqual([expect.stringContaining(why)])
    expect(printed[0]).toMatch(/^error .*\n--help shows what there is$/s)
  })

  test('help is printed, and the program succeeds', async () => {
    expect(await runProgram(PROGRAM, failsAtOnce, ['--help'])).toBe(0)
    expect(printed).toEqual(['log how to use it'])
  })
})

describe('exit codes', () => {
  test('the exit code is 0 if Sluice kept its promises, 1 if it broke a promise, and 2 if the campaign refuses a flag', async () => {
    expect(await runProgram(PROGRAM, async () => true, [])).toBe(0)
    expect(await runProgram(PROGRAM, async () => false, [])).toBe(1)
    const refuses = async () => {
      throw new UsageError('--share: expected I/N')
    }
    expect(await runProgram(PROGRAM, refuses, [])).toBe(2)
    expect(printed).toEqual(['error --share: expected I/N\n--help shows what there is'])
  })

  test('an error of the campaign itself is not wrong usage', async () => {
    await expect(runProgram(PROGRAM, failsAtOnce, [])).rejects.toThrow('the campaign began')
  })
})

test('a finding is printed once, with the command that repeats it', () => {
  expect(findingText('seed 7', ['2 movements', '2 movements', 'no claim'], 'campaign -- --seed 7')).toBe(
    'seed 7:\n  2 movements\n  no claim\n  again: npm run campaign -- --seed 7',
  )
})

test('progress is printed once in ten seconds', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const report = everyTenSeconds((done: number) => `${done} done`)
  for (const atMs of [9_999, 10_000, 19_999, 20_000]) {
    now.mockReturnValue(atMs)
    report(atMs)
  }
  expect(printed).toEqual(['error 10000 done, 10 s', 'error 20000 done, 20 s'])
})

test('a hunt reports what caught each variant, and fails if a variant was not caught', async () => {
  const catches = async (name: string) => (name === 'naive' ? { by: '2 movements', after: '93 schedules' } : undefined)
  expect(await hunt(['naive'], catches)).toBe(true)
  expect(await hunt(['naive', 'sly'], catches)).toBe(false)
  expect(printed).toEqual([
    'log naive caught after 93 schedules: 2 movements',
    'log 1 of 1 caught',
    'log naive caught after 93 schedules: 2 movements',
    'log sly   NOT CAUGHT',
    'log 1 of 2 caught',
  ])
})
