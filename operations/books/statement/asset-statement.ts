// Makes the statement of one asset from the service's balance history, the sums of the ledger's entries, and the multipliers of
// an equity's rows. Pure.
import { findUnexplained } from '../../../core/audit/prove-balance.ts'
import {
  type Decimal,
  formatDecimal,
  magnitude,
  negate,
  partOf,
  plus,
  truncate,
  ZERO,
} from '../../../core/money/decimal.ts'
import type { CorporateAction, MultiplierCourse } from '../multipliers.ts'
import type { PastBalances } from '../past-balances.ts'
import type { ActionLine, AssetStatement, BalanceProof, RebasedBalances } from './account-statement.ts'
import type { AssetSums } from './sums.ts'

/** An equity: its ticker, the smallest step of its amounts, and its multipliers. */
export interface Equity {
  readonly rebasedSymbol: string
  readonly increment: Decimal
  readonly course: MultiplierCourse
}

export function makeAssetStatement(
  asset: string,
  { opening, closing }: PastBalances,
  sums: AssetSums,
  equity: Equity | undefined,
): AssetStatement {
  const atOpening = plus(opening.balance, sums.beforeOpening)
  const atClosing = plus(opening.balance, sums.beforeClosing)
  const rebased = equity && rebasedOf(equity, atOpening, atClosing)
  const actions = equity?.course.actions ?? []
  return {
    asset,
    ...{ opening: formatDecimal(atOpening), closing: formatDecimal(atClosing), lines: sums.lines },
    actions: actions.flatMap((action, index) => {
      const held = plus(opening.balance, sums.beforeActions[index] ?? ZERO)
      return equity === undefined ? [] : [actionLine(action, held, equity)]
    }),
    ...(rebased && { rebased }),
    proof: proofOf({ opening, closing }, sums),
  }
}

function proofOf({ opening, closing }: PastBalances, { change, entries }: AssetSums): BalanceProof {
  const why = findUnexplained({ opening: opening.balance, change, closing: closing.balance })
  return {
    isProven: why === undefined,
    ...(opening.day !== undefined && { openingDay: opening.day }),
    openingBalance: formatDecimal(opening.balance),
    ...(closing.day !== undefined && { closingDay: closing.day }),
    closingBalance: formatDecimal(closing.balance),
    ...{ entries, change: formatDecimal(change) },
    ...(why !== undefined && { why }),
  }
}

function actionLine({ before, after }: CorporateAction, held: Decimal, { increment }: Equity): ActionLine {
  return {
    after: new Date(before.atMs).toISOString(),
    before: new Date(after.atMs).toISOString(),
    oldMultiplier: before.multiplier,
    newMultiplier: after.multiplier,
    settled: formatDecimal(held),
    oldRebased: formatDecimal(rebase(held, before.multiplier, increment)),
    newRebased: formatDecimal(rebase(held, after.multiplier, increment)),
  }
}

function rebasedOf(
  { rebasedSymbol, increment, course }: Equity,
  opening: Decimal,
  closing: Decimal,
): RebasedBalances | undefined {
  if (course.closing === undefined) return undefined
  const closingMultiplier = course.closing.multiplier
  // Without an earlier row, the first row of the period has the multiplier that was in force.
  const openingMultiplier = course.opening?.multiplier ?? course.actions[0]?.before.multiplier ?? closingMultiplier
  return {
    asset: rebasedSymbol,
    opening: formatDecimal(rebase(opening, openingMultiplier, increment)),
    closing: formatDecimal(rebase(closing, closingMultiplier, increment)),
    ...{ openingMultiplier, closingMultiplier },
  }
}

/**
 * The service cuts a rebased amount off at the asset's increment, and never the multiplier (description, "Rebase arithmetic"),
 * which may have more places than a decimal.
 */
function rebase(settled: Decimal, multiplier: string, increment: Decimal): Decimal {
  const [whole = '0', fraction = ''] = multiplier.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const shares = truncate(partOf(magnitude(settled), BigInt(whole + fraction), scale, 'down'), increment)
  return settled < 0n ? negate(shares) : shares
}
