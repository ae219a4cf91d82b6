// Splits a function's output into lines of bounded length.
import type { Readable } from 'node:stream'

/** Maximum characters of a line. CloudWatch Logs takes events of up to 256 KB. */
const LONGEST_LINE = 262_144

export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) onLine(line.slice(0, LONGEST_LINE))
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
    rest = ''
  })
}
