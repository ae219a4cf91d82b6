// Says which movements of an account could be those of an id. It judges by the request only, and in doubt answers yes.
// Pure.
import type { ConvertRequest } from '../../../core/contract/convert.ts'
import { mayNameAsset, mayNameMarket, sameCode } from '../../../core/contract/fields.ts'
import type { Guards } from '../../../core/contract/guards.ts'
import type { Policy } from '../../../core/contract/policies.ts'
import type { WithdrawRequest } from '../../../core/contract/withdraw.ts'
import { ATOM, parseDecimal, partOf, quantiseDown, ZERO } from '../../../core/money/decimal.ts'
import { isConverting, isWithdrawing, withdrawalsOf } from '../../../core/policies/kinds.ts'
import type { Asset } from '../../../core/service/assets.ts'
import type { Order } from '../../../core/service/orders.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import { referencesOf, spelling } from '../../../core/treasury/policy-references.ts'

export type KnownAsset = Pick<Asset, 'assetSymbol' | 'rebasedSymbol' | 'amountIncrement'>
export type SeenOrder = Pick<
  Order,
  'id' | 'side' | 'market' | 'baseAsset' | 'quoteAsset' | 'baseAmount' | 'quoteAmount' | 'createdAt'
>
type SeenWithdrawal = Pick<WithdrawalState, 'id' | 'assetSymbol' | 'amount' | 'total' | 'createdAt'>

/** The tests for each kind of movement. A kind without a test cannot belong to the id. */
export interface MovementTest {
  readonly order?: (order: SeenOrder, assets: readonly KnownAsset[]) => boolean
  readonly withdrawal?: (row: SeenWithdrawal, assets: readonly KnownAsset[]) => boolean
}

/**
 * The requested amount and the amount in an order's row differ at most by the service's rounding. The service may cut
 * an amount off, and may compute one leg from the other. A hundredth is more than rounding to any increment changes a
 * real amount.
 */
const ROUNDING_PARTS = 100n

/** The same market and side, and nearly the same amount. */
export function testOfConversion({ baseAsset, quoteAsset, side, amountAsset, amount }: ConvertRequest): MovementTest {
  return {
    order(order, assets) {
      const settled = spelling(assets)
      // A side that is neither BUY nor SELL is unknown, and so may be the same.
      const isOtherSide = order.side !== side && (order.side === 'BUY' || order.side === 'SELL')
      if (isOtherSide || !mayNameMarket(order.market, [baseAsset, quoteAsset], assets)) return false
      const isOfBase = sameCode(settled(amountAsset), settled(baseAsset))
      return isAbout(isOfBase ? order.baseAmount : order.quoteAmount, amount, incrementOf(amountAsset, assets))
    },
  }
}

/** The same asset, and the amount either arrived or left. */
export function testOfWithdrawal({ assetSymbol, amount }: WithdrawRequest): MovementTest {
  return {
    withdrawal(row, assets) {
      if (!mayNameAsset(row.assetSymbol, assetSymbol, assets)) return false
      const increment = incrementOf(assetSymbol, assets)
      return [row.amount, row.total].some((figure) => isCutFrom(figure, amount, increment) || isCut(figure, amount))
    },
  }
}

/** Every movement of the policy's assets, because nobody knows what a run would have planned at that time. */
export function testOfPolicy(policy: Policy, guards: Guards): MovementTest {
  const { assets: named, conversions, portfolio, valued, hubs, valuationAsset } = referencesOf(policy, guards)
  const codes = [...named, ...portfolio, ...valued].map(({ code }) => code)
  const passed = conversions.flatMap(({ gives, brings, hubs: through }) => [gives, brings, ...through])
  const all = [...codes, ...passed, ...hubs, valuationAsset]
  const takesAny = withdrawalsOf(policy).some(({ assets }) => assets === undefined)
  const isOf = (code: string | null, assets: readonly KnownAsset[]) =>
    takesAny || all.some((each) => mayNameAsset(code, each, assets))
  return {
    ...(isConverting(policy) && {
      order: (order, assets) => isOf(order.baseAsset, assets) && isOf(order.quoteAsset, assets),
    }),
    ...(isWithdrawing(policy) && { withdrawal: (row, assets) => isOf(row.assetSymbol, assets) }),
  }
}

function incrementOf(code: string, assets: readonly KnownAsset[]): string | undefined {
  const settled = spelling(assets)(code)
  return assets.find(({ assetSymbol }) => sameCode(assetSymbol, settled))?.amountIncrement
}

function isAbout(figure: string, requested: string, increment: string | undefined): boolean {
  if (isCutFrom(figure, requested, increment)) return true
  const difference = parseDecimal(figure, 'amount') - parseDecimal(requested, 'amount')
  return (difference < 0n ? -difference : difference) * ROUNDING_PARTS <= parseDecimal(requested, 'amount')
}

/** Whether a figure is the requested amount, or that amount rounded down to the asset's increment. */
function isCutFrom(figure: string, requested: string, increment: string | undefined): boolean {
  const seen = parseDecimal(figure, 'amount')
  const whole = parseDecimal(requested, 'amount')
  const step = increment === undefined ? ZERO : parseDecimal(increment, 'amountIncrement')
  return seen === whole || (step > 0n && seen === quantiseDown(whole, step))
}

/**
 * Whether a figure is the requested amount, rounded down at some decimal place, or at most a hundredth less. The asset's increment
 * may have been different at that time.
 */
function isCut(figure: string, requested: string): boolean {
  const seen = parseDecimal(figure, 'amount')
  const whole = parseDecimal(requested, 'amount')
  if (seen <= whole && (whole - seen) * ROUNDING_PARTS <= whole) return true
  for (let atoms = 10n; atoms <= whole; atoms *= 10n) {
    if (quantiseDown(whole, partOf(ATOM, atoms, 1n, 'down')) === seen) return true
  }
  return false
}
