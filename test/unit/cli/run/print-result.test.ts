// Programs get the result of a run as one JSON object, and people as lines.
import { expect, test } from 'vitest'
import { printResult } from '../../../../cli/run/print-result.ts'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { conversionWords as conversion } from '../../../../views/runs/movement-words.ts'
import { recorded } from '../terminal/recorded-stream.ts'

const result = {
  outcome: 'FILLED' as const,
  intentId: 'cv-1',
  orderId: 'o-1',
  rate: '64000',
  fills: [{ id: 'f-1', sequence: 1, baseAmount: '1', quoteAmount: '2', rate: '2', executedAt: '2026-01-31T09:00:00Z' }],
  attempts: 1,
}

function printed(terminal: { readonly isTTY?: boolean; readonly columns?: number }, json = false): string {
  const stdout = recorded(terminal)
  const output = createOutput({ stdout, stderr: recorded(), json, term: undefined })
  printResult(conversion, result, { stdout, output })
  return stdout.text
}

test('in a pipe a result is one JSON object, and on a terminal with --json as well', () => {
  expect(printed({})).toBe(`${JSON.stringify(result)}\n`)
  expect(printed({ isTTY: true, columns: 80 }, true)).toBe(`${JSON.stringify(result)}\n`)
})

test('on a terminal a result is lines, with a table of its fills', () => {
  expect(printed({ isTTY: true, columns: 80 })).toBe(
    `outcome   FILLED
intent    cv-1
order     o-1
rate      64000
attempts  1

filled at             base amount  quote amount  rate  fill
2026-01-31T09:00:00Z            1             2     2  f-1
`,
  )
})
