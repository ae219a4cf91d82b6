// Texts on a narrow screen: broken at spaces, and nothing of them lost.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  expect(wrapLine(`open ${link} once`, 60)).toEqual(['open', link, 'once'])
})

test('the rest of a line of two columns stands below the second', () => {
  expect(wrapLine('  1    not done, and certain; or nothing goes by this id', 40)).toEqual([
    '  1    not done, and certain; or nothing',
    '       goes by this id',
  ])
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
