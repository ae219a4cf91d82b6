// No way of output lets a control sequence through to the terminal, even if the caller forgot to make the text safe.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { createProgress } from '../../../../cli/terminal/progress.ts'
import { systemClock } from '../../../../core/clock.ts'
import { OperationError } from '../../../../place/operation-error.ts'
import { recorded } from './recorded-stream.ts'

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u009b31m',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u{e0041}',
    '\r',
    '\t',
  ),
  // A foreign link, and a style that hides text.
  fc.constantFrom('\u001b]8;;http://x\u001b\\', '\u001b[8m', '\u001b[38;5;1m'),
)
const hostile = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').replaceAll('\n', ''))

type Way = (text: string, output: ReturnType<typeof createOutput>) => void

const fails: Way = (text, output) =>
  output.failure(new OperationError({ exitCode: 1, code: 'refused', message: text, next: text }))

const WAYS: Readonly<Record<string, Way>> = {
  data: (text, output) => output.data(text),
  note: (text, output) => output.note(text),
  style: (text, output) => output.note(output.style('red', text)),
  next: (text, output) => output.next([text, text]),
  failure: fails,
  progress: (text, output) => createProgress(output, systemClock).line({ label: text, text, tone: 'good' }),
  live: (text, output) => {
    const progress = createProgress(output, systemClock)
    progress.live({ label: text, text, tone: 'wait' })
    progress.end()
  },
}

/** Our own sequences: styles, and the redrawing of the live line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences are sent to a terminal
const OURS = /\u001b\[(?:1|2|22|31|32|33|36|39)m|\r\u001b\[K|\n/g

test.each(Object.entries(WAYS).flatMap(([name, way]) => [true, false].map((isTTY) => [name, isTTY, way] as const)))(
  '%s is safe on a terminal: %s',
  (_name, isTTY, way) => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, json) => {
        const stdout = recorded({ isTTY, columns: 60 })
        const stderr = recorded({ isTTY, columns: 60 })
        way(text, createOutput({ stdout, stderr, json, term: 'xterm' }))
        expect(`${stdout.text}${stderr.text}`.replace(OURS, '')).not.toMatch(HARMFUL)
      }),
      { numRuns: 100 },
    )
  },
)

test('an error as JSON is the same text', () => {
  const stderr = recorded()
  fails('a\u202eb\u200bc', createOutput({ stdout: recorded(), stderr, json: true, term: undefined }))
  expect(JSON.parse(stderr.text).error.message).toBe('a\u202eb\u200bc')
  expect(stderr.text).not.toMatch(/\p{Cf}/u)
})
