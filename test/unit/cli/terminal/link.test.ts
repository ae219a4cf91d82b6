// Links appear only on terminals that support them.
import { expect, test } from 'vitest'
import { linkedFile, takesLinks } from '../../../../cli/runs/report.ts'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { recorded } from './recorded-stream.ts'

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ VTE_VERSION: '7003' }, true],
  [{ VTE_VERSION: '4900' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ KITTY_WINDOW_ID: '1', TMUX: '/tmp/tmux' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', TERM: 'dumb' }, false],
  [{ TERM: 'xterm-256color' }, false],
  [{}, false],
])('the terminal of %j supports links: %s', (variables, takes) => {
  expect(takesLinks(variables)).toBe(takes)
})

function on(variables: Readonly<Record<string, string>>, isTTY = true) {
  const stdout = recorded({ isTTY, columns: 80 })
  return { stdout, variables, output: createOutput({ stdout, stderr: recorded(), json: false, term: undefined }) }
}

test('a terminal that supports links gets the link around the same text', () => {
  const context = on({ WT_SESSION: 'x' })
  context.output.data(linkedFile('/tmp/a b.html', context))
  expect(context.stdout.text).toBe('\u001b]8;;file:///tmp/a%20b.html\u001b\\/tmp/a b.html\u001b]8;;\u001b\\\n')
})

test('elsewhere only the text is printed', () => {
  expect(linkedFile('/tmp/a', on({}))).toBe('/tmp/a')
  expect(linkedFile('/tmp/a', on({ WT_SESSION: 'x' }, false))).toBe('/tmp/a')
})
