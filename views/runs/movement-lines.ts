// Shows the result of one movement as lines for a screen: each fact on a line, and below them its fills.

import type { RunResult } from '../../operations/runs/operation.ts'
import type { Column } from '../../operations/words/column.ts'
import { factText } from '../../operations/words/request-words.ts'
import { recordLines, tableLines } from '../text/table.ts'

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
