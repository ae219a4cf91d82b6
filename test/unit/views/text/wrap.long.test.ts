// Tests texts on a narrow screen: broken at spaces, and nothing of them lost.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoted } from '../../../../cli/terminal/command-line.ts'
import { wrapCommand, wrapHelp, wrapHint, wrapLine } from '../../../../views/text/wrap.ts'

const WORDS = fc.array(fc.stringMatching(/^[!-~]{1,30}$/), { minLength: 1, maxLength: 40 })

test('a line breaks at spaces only, keeps each word, and is no wider than the screen if its words allow it', () => {
  fc.assert(
    fc.property(WORDS, fc.integer({ min: 40, max: 120 }), fc.integer({ min: 0, max: 15 }), (words, width, hang) => {
      const lines = wrapLine(words.join(' '), width, hang)
      expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(words)
      for (const line of lines) expect(line.length <= width || !line.trim().includes(' ')).toBe(true)
    }),
  )
})

test('a link that is wider than the screen stays whole', () => {
  const link = `http://127.0.0.1:4000/enter?word=${'a'.repeat(100)}`
  expect(wrapLine(`open ${link} once`, 60, 0)).toEqual(['open', link, 'once'])
})

test('the rest of a line of two columns stands below the second', () => {
  expect(wrapLine('  1    not done, and certain; or nothing goes by this id', 40)).toEqual([
    '  1    not done, and certain; or nothing',
    '       goes by this id',
  ])
})

test('no word of a line without an indent begins a line of its own', () => {
  const forged = `halted: by Eve, because ${'x'.repeat(54)} next:  npx sluice resume --aws`
  expect(wrapLine(forged, 80).slice(1)).toEqual(['  next:  npx sluice resume --aws'])
})

test('colours take no columns', () => {
  const red = '\u001b[31merror:\u001b[39m'
  expect(wrapLine(`${red} a text that is as wide as forty columns`, 46, 7)).toHaveLength(1)
})

describe('a command', () => {
  const command = "printf '%s|' runs show 'a b   c' --state /tmp/some/where --config /tmp/other/policies.json"

  test('means the same to a shell however narrow the screen is', () => {
    const outputOf = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    for (const width of [36, 38, 40, 44, 50, 60, 90]) {
      const lines = wrapCommand(command, width)
      expect(outputOf(lines.join('\n'))).toBe(outputOf(command))
      if (width < 90) expect(lines.length).toBeGreaterThan(1)
    }
  })

  const outputOf = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' })

  test('keeps each quoted argument as it is, whatever characters it has and however narrow the screen is', () => {
    const argument = fc.array(fc.constantFrom(...`ab 'x" #\\$;-`), { maxLength: 20 }).map((parts) => parts.join(''))
    const cases = fc.tuple(fc.array(argument, { minLength: 2, maxLength: 4 }), fc.integer({ min: 20, max: 90 }))
    fc.assert(
      fc.property(cases, ([args, width]) => {
        const command = `printf '<%s>' --because ${args.map(quoted).join(' ')} --state /tmp/x   # and a remark of some words`
        expect(outputOf(wrapCommand(command, width, 2).join('\n'))).toBe(outputOf(command))
      }),
      { numRuns: 60 },
    )
  })

  test('keeps an apostrophe and a double space with a # inside its quotes', () => {
    for (const argument of [
      "don't pay this invoice before it is checked",
      'see ticket  # 12 for the reason of it all',
    ]) {
      const command = `printf '<%s>' halt --because ${quoted(argument)} --state /tmp/where`
      for (const width of [30, 40, 50, 60])
        expect(outputOf(wrapCommand(command, width).join('\n'))).toBe(outputOf(command))
    }
  })

  test('has the sign of a remark on each line of a long remark', () => {
    const hint = 'next:  npx sluice movements show 1   # searches the next ones; ids of intents and runs are keys'
    for (const line of wrapHint(hint, 50, 7).slice(1)) expect(line).toMatch(/^ {9}# \S/)
  })

  test.each([
    'echo INPUT | npx sluice run convert --input - --id invoice-2041',
    "open '/tmp/my pages/run of today.html'",
  ])('is one command after it is broken: %s', (command) => {
    for (const line of wrapHint(`next:  ${command}`, 40, 7).slice(0, -1)) expect(line).toMatch(/ \\$/)
  })

  test('has its remark on a line of its own where both are too wide', () => {
    expect(wrapHint('next:  npx sluice runs list --state /tmp/x   # who runs, and what is halted', 50, 7)).toEqual([
      'next:  npx sluice runs list --state /tmp/x',
      '         # who runs, and what is halted',
    ])
  })
})

test('help: a paragraph is laid out again, and indented lines stay lines of their own', () => {
  const prose = `${'word '.repeat(20)}end\nand the rest of the paragraph.`
  const help = wrapHelp(`${prose}\n  0    done\n  1    not done\n`, 60)
  expect(help.split('\n').every((line) => line.length <= 60)).toBe(true)
  expect(help).toContain('end and the rest of\nthe paragraph.\n  0    done\n  1    not done\n')
})
