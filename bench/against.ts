// Holds figures against those of a run before. Ratios only: two machines, or two hours of one, have other times.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Measured } from './report.ts'

const spread = z.object({ median: z.number(), low: z.number(), high: z.number() })

/** What `--json` writes. */
const written = z.object({
  figures: z.array(z.object({ benchmark: z.string(), name: z.string(), value: z.number(), ratio: z.optional(spread) })),
})
export type Before = z.infer<typeof written>['figures']

/** @throws Error that says what the file should hold */
export function readBefore(file: string): Before {
  const parsed = written.safeParse(parseJson(readFileSync(file, 'utf8')))
  if (parsed.success) return parsed.data.figures
  throw new Error(`${file}: expected what \`npm run bench -- --json\` prints; write it with \`--json > ${file}\``)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Worse by more than the noise: even its better quartile is above the worse quartile of before. A line each. */
export function worseThan(before: Before, now: readonly Measured[]): string[] {
  return now.flatMap(({ benchmark, name, ratio }) => {
    const was = before.find((figure) => figure.benchmark === benchmark && figure.name === name)?.ratio
    if (was === undefined || ratio === undefined || ratio.low <= was.high) return []
    const [from, to] = [was.median.toFixed(2), ratio.median.toFixed(2)]
    return [
      `${benchmark}: ${name}: worse: ratio ${to} (from ${ratio.low.toFixed(2)}), was ${from} (to ${was.high.toFixed(2)})`,
    ]
  })
}
