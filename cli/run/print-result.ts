// Prints what a run came to: for a person at a terminal as lines, and as one JSON object everywhere else, where programs
// rely on it.
import type { CommandContext } from '../terminal/context.ts'
import { factText } from '../terminal/fact-text.ts'
import { isWatched, screenWidth } from '../terminal/listing.ts'
import { printableJson } from '../terminal/printable.ts'
import { type Column, recordLines, tableLines } from '../terminal/table.ts'
import type { Operation, RunResult } from './operation.ts'

export function printResult<Request extends object, Result extends RunResult>(
  { lines }: Pick<Operation<Request, Result>, 'lines'>,
  result: Result,
  context: Pick<CommandContext, 'output' | 'stdout'>,
  met?: MetFacts,
): void {
  const { output } = context
  if (isWatched(context)) {
    for (const line of [...lines(result, screenWidth(context)), ...(met?.lines ?? [])]) output.data(line)
    return
  }
  output.data(printableJson(met === undefined ? result : { ...result, faults: met.faults }))
  for (const line of met?.lines ?? []) output.note(line)
}

/** What a run against a sandbox has met of the faults that were asked for. */
interface MetFacts {
  /** For programs. `null` where it is not known. */
  readonly faults: readonly object[] | null
  /** For a person. */
  readonly lines: readonly string[]
}

/** The result of one movement: each fact on a line, and below them its fills. */
export function movementLines(
  { fills = [], ...facts }: RunResult & { readonly fills?: readonly Fill[] | undefined },
  width: number,
): string[] {
  const columns = Object.entries(facts).map(([name, value]) => ({ title: wordsOf(name), text: () => factText(value) }))
  const record = recordLines(columns, undefined, width)
  return fills.length === 0 ? record : [...record, '', ...tableLines(fillColumns, fills, width)]
}

interface Fill {
  readonly id: string
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly rate: string
  readonly executedAt: string
}

const fillColumns: readonly Column<Fill>[] = [
  { title: 'filled at', text: ({ executedAt }) => executedAt, isTime: true },
  { title: 'base amount', text: ({ baseAmount }) => baseAmount, isAmount: true },
  { title: 'quote amount', text: ({ quoteAmount }) => quoteAmount, isAmount: true },
  { title: 'rate', text: ({ rate }) => rate, isAmount: true },
  { title: 'fill', text: ({ id }) => id, isId: true },
]

/** `transactionHash` → `transaction hash`, `intentId` → `intent`. */
function wordsOf(name: string): string {
  return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
