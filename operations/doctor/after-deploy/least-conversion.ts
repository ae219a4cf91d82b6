// Finds the smallest conversion of a market that the account can pay for: the market's minimum, in steps of the asset.
// Reads only; amounts are settled.

import type { ConvertRequest } from '../../../core/contract/convert.ts'
import { sameCode } from '../../../core/contract/fields.ts'
import { Stage } from '../../../core/contract/service-settings.ts'
import {
  type Decimal,
  formatDecimal,
  minus,
  parseDecimal,
  parseSignedDecimal,
  quantiseUp,
  ZERO,
} from '../../../core/money/decimal.ts'
import type { Balance } from '../../../core/service/balances.ts'
import { problemOf } from '../../../core/service/problem.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { advice, option } from '../../../place/next-step.ts'
import { unfit } from '../../../place/operation-error.ts'
import { remedyAfter } from '../../../place/service/service-failure.ts'
import { messageOf } from '../address-checks.ts'
import { type Check, fail } from '../check.ts'

export const CONVERSION = 'conversion'

/** @throws OperationError (exit 2) where real money would move */
export function assertConvertible(stage: Stage): void {
  if (stage === Stage.Test) return
  const problem = `expected a deployment of the stage test, as it moves money; got ${stage}`
  throw unfit(
    'convert',
    problem,
    advice`leave ${option('convert')} out, or name the file of a test deployment with ${option('config')} FILE`,
  )
}

type Reads = Pick<ServiceClient, 'asset' | 'balances' | 'market'>

/**
 * Buys with the quote asset where there is enough of it, or else sells the base asset. A check says why neither is
 * possible.
 */
export async function leastConversion(marketId: string, client: Reads): Promise<ConvertRequest | Check> {
  try {
    return await findLeast(marketId, client)
  } catch (error) {
    const code = problemOf(error)?.code ?? ''
    if (code !== 'not_found') return fail(CONVERSION, `not started: ${messageOf(error)}`, remedyAfter(error))
    return fail(
      CONVERSION,
      `not started: there is no market ${marketId}`,
      advice`name one that ${{ do: 'query', query: 'markets' }} lists`,
    )
  }
}

async function findLeast(marketId: string, client: Reads): Promise<ConvertRequest | Check> {
  const market = await client.market(marketId)
  const { baseAsset, quoteAsset } = market
  const [base, quote, balances] = await Promise.all([
    client.asset(baseAsset),
    client.asset(quoteAsset),
    client.balances(),
  ])
  const leastBase = inSteps(market.minBaseAmount, base.amountIncrement)
  const leastQuote = inSteps(market.minQuoteAmount, quote.amountIncrement)
  const legs = { baseAsset, quoteAsset }
  if (availableOf(quoteAsset, balances) >= leastQuote)
    return { ...legs, side: 'BUY', amountAsset: quoteAsset, amount: formatDecimal(leastQuote) }
  if (availableOf(baseAsset, balances) >= leastBase)
    return { ...legs, side: 'SELL', amountAsset: baseAsset, amount: formatDecimal(leastBase) }
  const needs = `${formatDecimal(leastQuote)} ${quoteAsset} or ${formatDecimal(leastBase)} ${baseAsset}`
  const detail = `not started: the least on ${market.id} is ${needs}, and the account has neither`
  return fail(CONVERSION, detail, 'put one of them into the test account, or name another market')
}

function inSteps(least: string, increment: string): Decimal {
  return quantiseUp(parseDecimal(least, 'minimum'), parseDecimal(increment, 'increment'))
}

/** Settled, without the frozen part. */
function availableOf(code: string, balances: readonly Balance[]): Decimal {
  const held = balances.find(({ assetSymbol }) => sameCode(assetSymbol, code))
  if (held === undefined) return ZERO
  return minus(
    parseSignedDecimal(held.balance, `balance of ${code}`),
    parseSignedDecimal(held.balanceFrozen, `balanceFrozen of ${code}`),
  )
}
