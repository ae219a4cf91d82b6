// Which movements of an account could be those of an id, judged by what was asked for alone: in doubt one could. Pure.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { sameCode } from '../../core/contract/fields.ts'
import type { Guards } from '../../core/contract/guards.ts'
import { isWithdrawing, type Policy, PolicyKind } from '../../core/contract/policies.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import { type Decimal, parseDecimal, quantiseDown, ZERO } from '../../core/money/decimal.ts'
import type { Asset } from '../../core/service/assets.ts'
import type { Order } from '../../core/service/orders.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { referencesOf, spelling } from '../../core/treasury/policy-references.ts'

export type KnownAsset = Pick<Asset, 'assetSymbol' | 'rebasedSymbol' | 'amountIncrement'>
export type SeenOrder = Pick<
  Order,
  'id' | 'side' | 'market' | 'baseAsset' | 'quoteAsset' | 'baseAmount' | 'quoteAmount' | 'createdAt'
>
export type SeenWithdrawal = Pick<WithdrawalState, 'id' | 'assetSymbol' | 'amount' | 'total' | 'createdAt'>

/** A kind of movement that is absent is none of the id's. */
export interface MovementTest {
  readonly order?: (order: SeenOrder, assets: readonly KnownAsset[]) => boolean
  readonly withdrawal?: (row: SeenWithdrawal, assets: readonly KnownAsset[]) => boolean
}

/**
 * What was asked of one leg of an order and what its row says of it differ by a service's rounding, at most: it may cut
 * an amount off, and work one leg out of the other. A hundredth is more than any increment makes of a real amount.
 */
const ROUNDING_PARTS = 100n

/** The same market and side, and about the amount. */
export function testOfConversion({ baseAsset, quoteAsset, side, amountAsset, amount }: ConvertRequest): MovementTest {
  return {
    order(order, assets) {
      const settled = spelling(assets)
      const market = `${settled(baseAsset)}-${settled(quoteAsset)}`
      // A side that is neither is a side that cannot be told.
      const isOtherSide = order.side !== side && (order.side === 'BUY' || order.side === 'SELL')
      if (isOtherSide || !sameCode(order.market, market)) return false
      const isOfBase = sameCode(settled(amountAsset), settled(baseAsset))
      return isAbout(isOfBase ? order.baseAmount : order.quoteAmount, amount, incrementOf(amountAsset, assets))
    },
  }
}

/** The same asset, and the amount as what arrived or what left. */
export function testOfWithdrawal({ assetSymbol, amount }: WithdrawRequest): MovementTest {
  return {
    withdrawal(row, assets) {
      const settled = spelling(assets)
      if (row.assetSymbol !== null && !sameCode(settled(row.assetSymbol), settled(assetSymbol))) return false
      const increment = incrementOf(assetSymbol, assets)
      return [row.amount, row.total].some((figure) => isCutFrom(figure, amount, increment) || isCut(figure, amount))
    },
  }
}

/** Whatever a run of the policy could have made, by its assets: what it would have planned then, nobody knows. */
export function testOfPolicy(policy: Policy, guards: Guards): MovementTest {
  const { assets: named, conversions, portfolio, valued, hubs, valuationAsset } = referencesOf(policy, guards)
  const codes = [...named, ...portfolio, ...valued].map(({ code }) => code)
  const passed = conversions.flatMap(({ gives, brings, hubs: through }) => [gives, brings, ...through])
  const all = [...codes, ...passed, ...hubs, valuationAsset]
  const takesAny = policy.kind === PolicyKind.Sweep && policy.rules.some(({ assets }) => assets === undefined)
  const isOf = (code: string | null, assets: readonly KnownAsset[]) => {
    const settled = spelling(assets)
    return code === null || takesAny || all.some((each) => sameCode(settled(each), settled(code)))
  }
  return {
    ...(doesConvert(policy) && {
      order: (order, assets) => isOf(order.baseAsset, assets) && isOf(order.quoteAsset, assets),
    }),
    ...(isWithdrawing(policy) && { withdrawal: (row, assets) => isOf(row.assetSymbol, assets) }),
  }
}

function doesConvert(policy: Policy): boolean {
  return policy.kind !== PolicyKind.Sweep || policy.rules.some(({ convertInto }) => convertInto !== undefined)
}

function incrementOf(code: string, assets: readonly KnownAsset[]): string | undefined {
  const settled = spelling(assets)(code)
  return assets.find(({ assetSymbol }) => sameCode(assetSymbol, settled))?.amountIncrement
}

function isAbout(figure: string, asked: string, increment: string | undefined): boolean {
  if (isCutFrom(figure, asked, increment)) return true
  const difference = parseDecimal(figure, 'amount') - parseDecimal(asked, 'amount')
  return (difference < 0n ? -difference : difference) * ROUNDING_PARTS <= parseDecimal(asked, 'amount')
}

/** The amount itself, or what is left of it at the asset's step. */
function isCutFrom(figure: string, asked: string, increment: string | undefined): boolean {
  const seen = parseDecimal(figure, 'amount')
  const whole = parseDecimal(asked, 'amount')
  const step = increment === undefined ? ZERO : parseDecimal(increment, 'amountIncrement')
  return seen === whole || (step > 0n && seen === quantiseDown(whole, step))
}

/** What is left of it at some decimal place, or a hundredth less: the asset's step may have been another then. */
function isCut(figure: string, asked: string): boolean {
  const seen = parseDecimal(figure, 'amount')
  const whole = parseDecimal(asked, 'amount')
  if (seen <= whole && (whole - seen) * ROUNDING_PARTS <= whole) return true
  for (let step = 10n; step <= whole; step *= 10n) if (quantiseDown(whole, step as Decimal) === seen) return true
  return false
}
