// Adds up the lines of a statement, in memory that grows with the assets and not with the lines. Exact. Pure.
import { type Decimal, formatDecimal, negate, plus, ZERO } from '../../../core/money/decimal.ts'
import { type LedgerLine, LINE_KINDS, type LineKind, type ReadEntry } from '../ledger-line.ts'
import type { CorporateAction } from '../multipliers.ts'
import type { Period } from '../period.ts'
import type { StatementLine } from './account-statement.ts'

interface LineSum {
  in: Decimal
  out: Decimal
  count: number
}

export interface AssetSums {
  /** Changes from the midnight before the period until its begin, and until its end. */
  readonly beforeOpening: Decimal
  readonly beforeClosing: Decimal
  /** Changes between the midnights around the period, and their number. */
  readonly change: Decimal
  readonly entries: number
  readonly lines: readonly StatementLine[]
  /** Changes from the midnight before the period until each corporate action. */
  readonly beforeActions: readonly Decimal[]
}

class Sums {
  beforeOpening = ZERO
  beforeClosing = ZERO
  change = ZERO
  entries = 0
  readonly lines = new Map<LineKind, LineSum>()
  readonly beforeActions: Decimal[]
  readonly #period: Period
  readonly #actions: readonly CorporateAction[]

  constructor(period: Period, actions: readonly CorporateAction[]) {
    this.#period = period
    this.#actions = actions
    this.beforeActions = actions.map(() => ZERO)
  }

  addEntry({ atMs, change }: ReadEntry): void {
    this.entries += 1
    this.change = plus(this.change, change)
    if (atMs < this.#period.fromMs) this.beforeOpening = plus(this.beforeOpening, change)
    if (atMs < this.#period.toMs) this.beforeClosing = plus(this.beforeClosing, change)
    for (const [index, { after }] of this.#actions.entries()) {
      if (atMs < after.atMs) this.beforeActions[index] = plus(this.beforeActions[index] ?? ZERO, change)
    }
  }

  addLine({ kind, change }: LedgerLine): void {
    const sum = this.lines.get(kind) ?? { in: ZERO, out: ZERO, count: 0 }
    if (change < 0n) sum.out = plus(sum.out, negate(change))
    else sum.in = plus(sum.in, change)
    sum.count += 1
    this.lines.set(kind, sum)
  }
}

interface StatementSums {
  addEntry(entry: ReadEntry): void
  addLine(line: LedgerLine): void
  /** Assets that occur in the entries. */
  assets(): readonly string[]
  of(asset: string): AssetSums
}

/** `actionsOf`: the corporate actions of an asset in the period, oldest first. */
export function createSums(period: Period, actionsOf: (asset: string) => readonly CorporateAction[]): StatementSums {
  const byAsset = new Map<string, Sums>()
  const sumsOf = (asset: string) => {
    const known = byAsset.get(asset)
    if (known !== undefined) return known
    const fresh = new Sums(period, actionsOf(asset))
    byAsset.set(asset, fresh)
    return fresh
  }
  return {
    addEntry: (entry) => sumsOf(entry.asset).addEntry(entry),
    addLine: (line) => sumsOf(line.asset).addLine(line),
    assets: () => [...byAsset.keys()],
    of(asset) {
      const { beforeOpening, beforeClosing, change, entries, lines, beforeActions } = sumsOf(asset)
      return { beforeOpening, beforeClosing, change, entries, beforeActions, lines: linesOf(lines) }
    },
  }
}

function linesOf(sums: ReadonlyMap<LineKind, LineSum>): StatementLine[] {
  return LINE_KINDS.flatMap((kind) => {
    const sum = sums.get(kind)
    if (sum === undefined) return []
    return [{ kind, in: formatDecimal(sum.in), out: formatDecimal(sum.out), count: sum.count }]
  })
}
