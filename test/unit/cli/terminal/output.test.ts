// Standard output has only data; hints, progress and errors go elsewhere and fit the terminal.
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { createProgress, elapsedText } from '../../../../cli/terminal/progress.ts'
import { OperationError, operationErrorOf, usageError } from '../../../../place/operation-error.ts'
import { manualClock } from '../../../helpers/manual-clock.ts'
import { recorded } from './recorded-stream.ts'

beforeEach(() => {
  vi.stubEnv('FORCE_COLOR', undefined)
  vi.stubEnv('NO_COLOR', '1')
})
afterEach(() => vi.unstubAllEnvs())

function outputs({ json = false, stderr = recorded(), term = 'xterm' as string | undefined } = {}) {
  const stdout = recorded()
  return { stdout, stderr, output: createOutput({ stdout, stderr, json, term }) }
}

const refusal = usageError(
  'input',
  'input: amount: expected more than zero\ninput: side: expected BUY or SELL',
  'correct it',
)

test('data goes to standard output and all else to standard error', () => {
  const { stdout, stderr, output } = outputs()
  output.data('{"outcome":"FILLED"}')
  output.note('filled')
  output.next(['one', 'two'])
  expect(stdout.text).toBe('{"outcome":"FILLED"}\n')
  expect(stderr.text).toBe('filled\nnext:  one\n       two\n')
})

test('each finding of a failure is a line, followed by the next step', () => {
  const { stdout, stderr, output } = outputs()
  output.failure(refusal)
  expect(stdout.text).toBe('')
  expect(stderr.text).toBe(
    'error: input: amount: expected more than zero\nerror: input: side: expected BUY or SELL\nnext:  correct it\n',
  )
})

test('a terminal of 80 columns shows progress, errors and hints broken at spaces, and commands that can be copied', () => {
  const words = 'nine of ten words fit here '.repeat(6).trim()
  const stderr = recorded({ isTTY: true, columns: 80 })
  const { output } = outputs({ stderr })
  createProgress(output, manualClock()).line({ label: 'Quote', text: words, tone: 'plain' })
  output.failure(usageError('input', words, words))
  output.next([`npx sluice runs show ${'x'.repeat(40)} --state /tmp/sluice/state-directory`])
  const lines = stripVTControlCharacters(stderr.text).trimEnd().split('\n')
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  expect(lines.filter((line) => /^ {26}\S/.test(line)).length).toBeGreaterThan(1)
  expect(lines.at(-2)).toMatch(/^next: {2}npx sluice runs show x{40} \\$/)
  expect(lines.at(-1)).toBe('         --state /tmp/sluice/state-directory')
})

test('where standard error is not a terminal, a line stays a line', () => {
  const words = 'nine of ten words fit here '.repeat(6).trim()
  const { output, stderr } = outputs()
  output.note(words)
  expect(stderr.text).toBe(`${words}\n`)
})

test('with --json standard error has only the error object', () => {
  const { stdout, stderr, output } = outputs({ json: true })
  output.note('progress')
  output.next(['more'])
  output.failure(refusal)
  expect(stdout.text).toBe('')
  expect(JSON.parse(stderr.text)).toEqual({
    error: { code: 'input', message: refusal.message, next: 'correct it' },
  })
})

test('an unexpected error ends as a defect with exit 1', () => {
  expect(operationErrorOf(new TypeError('x is undefined'))).toMatchObject({
    exitCode: 1,
    code: 'defect',
    message: 'unexpected: TypeError: x is undefined',
  })
  expect(operationErrorOf('thrown text')).toBeInstanceOf(OperationError)
})

test.each([
  ['ENOSPC', 'there is no room left on its disk', /^make room on that disk/],
  ['EROFS', 'its disk can only be read', /^make that disk writable/],
  ['EACCES', 'this user may not use it so', /^give it to this user/],
])('a disk error %s names the file and the remedy', (code, why, next) => {
  const error = Object.assign(new Error(`${code}: write`), { code, path: '/state/secrets.json' })
  expect(operationErrorOf(error)).toMatchObject({
    exitCode: 1,
    code: 'state_unusable',
    message: `/state/secrets.json: ${why} (${code})`,
    next: expect.stringMatching(next),
  })
})

test.each([
  [0, '   0.0s'],
  [12_345, '  12.3s'],
  [99_900, '  99.9s'],
  [100_000, '  1m40s'],
  [3_600_000, ' 60m00s'],
])('%i ms is shown as "%s"', (durationMs, text) => {
  expect(elapsedText(durationMs)).toBe(text)
})

const clock = { nowMs: () => 0, sleep: () => Promise.resolve() }
const line = { label: 'Order', text: 'filled', tone: 'good' } as const

test('off a terminal progress is whole lines without control characters', () => {
  const { stderr, output } = outputs()
  const progress = createProgress(output, clock)
  progress.live({ ...line, text: 'executing' })
  progress.line(line)
  progress.end()
  expect(stderr.text).toBe('   0.0s  Order            filled\n')
})

test('a command that stays shows the time of each line, with its zone', () => {
  const { stderr, output } = outputs()
  const start = Date.parse('2026-01-31T23:59:59.900Z')
  const times = [start, start, start + 3_600_000]
  const moving = { ...clock, nowMs: () => times.shift() ?? start }
  const progress = createProgress(output, moving, 'absolute')
  progress.line(line)
  progress.line(line)
  expect(stderr.text).toBe(
    '2026-01-31T23:59:59Z  Order            filled\n2026-02-01T00:59:59Z  Order            filled\n',
  )
})

test('on a terminal the live line is cut to one row and gone at the end', () => {
  const { stderr, output } = outputs({ stderr: recorded({ isTTY: true, columns: 30 }) })
  const progress = createProgress(output, clock)
  progress.live({ ...line, text: 'x'.repeat(100) })
  progress.end()
  const rows = stderr.text.split('\r\u001b[K')
  expect(rows.every((row) => row.length < 30)).toBe(true)
  expect(rows.at(-1)).toBe('')
})

test.each([
  ['a dumb terminal', { term: 'dumb' }],
  ['--json', { json: true }],
])('%s gets no live line', (_name, options) => {
  const { stderr, output } = outputs({ stderr: recorded({ isTTY: true }), ...options })
  const progress = createProgress(output, clock)
  progress.live(line)
  progress.end()
  expect(stderr.text).toBe('')
})
