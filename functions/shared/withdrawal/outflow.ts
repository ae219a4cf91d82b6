// The outflow budget of a withdrawal: what the account may send of an asset in a day.
import type { DailyOutflow } from '../../contract/guards.ts'
import type { Budgets } from '../journal/budgets.ts'
import { EVERYTHING } from '../journal/halts.ts'
import { formatDecimal, parseDecimal } from '../money/decimal.ts'
import type { WithdrawIntent } from './withdraw-intent.ts'

export interface OutflowGuard {
  /** Reserves the intent's total. `undefined` when within the budget, else one sentence. @throws Transient, Defect */
  reserve(intent: WithdrawIntent): Promise<string | undefined>
}

export function createOutflowGuard(budgets: Budgets, daily: DailyOutflow): OutflowGuard {
  return {
    async reserve({ intentId, createdAt, frozen: { assetSymbol, total } }) {
      const limitText = daily[assetSymbol]
      if (limitText === undefined) return undefined
      const limit = parseDecimal(limitText, `guards.dailyOutflow.${assetSymbol}`)
      const budget = { scope: EVERYTHING, day: createdAt.slice(0, 10), assetSymbol }
      const left = await budgets.reserve(budget, intentId, parseDecimal(total, 'total'), limit)
      if (left === undefined) return undefined
      return `the day's outflow of ${limitText} ${assetSymbol} leaves ${formatDecimal(left)}, and this needs ${total}`
    },
  }
}
