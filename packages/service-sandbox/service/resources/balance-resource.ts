// BalanceResource (description, "Resources and their fields"): a position of the ledger.
// Whether `balance` includes frozen amounts is open in the description. This sandbox includes them by default.
import { formatAmount, ONE } from '../amount.ts'
import type { Asset } from '../assets.ts'
import type { AssetFormat } from '../fields.ts'
import { shownBalance } from '../manners/readings.ts'
import { showAmount, showSymbol } from '../representation.ts'
import type { World } from '../world.ts'
import { PREFERRED_CURRENCY } from './account-resource.ts'

export function showBalance(world: World, asset: Asset, format: AssetFormat, nowMs: number): Record<string, unknown> {
  const { available, frozen, pending } = world.ledger.position(asset.symbol)
  const multiplier = world.multiplier(asset.symbol)
  const balance = shownBalance(world.manners, available, frozen)
  const capacity = world.credit.capacity(asset.symbol)
  const figures = (units: AssetFormat) => ({
    balance: showAmount(balance, asset, multiplier, units),
    balanceFrozen: showAmount(frozen, asset, multiplier, units),
    balancePending: showAmount(pending, asset, multiplier, units),
  })
  const settled = figures('base')
  return {
    assetSymbol: showSymbol(asset, format),
    ...(format === 'base' || multiplier.eq(ONE) ? settled : figures(format)),
    ...(capacity && {
      balanceCapacityTotal: showAmount(capacity.total, asset, multiplier, format),
      balanceCapacityAvailable: showAmount(capacity.available, asset, multiplier, format),
      balanceCapacitySpent: showAmount(capacity.spent, asset, multiplier, format),
    }),
    balancePrefCurrency: formatAmount(world.prices.value(balance, asset, PREFERRED_CURRENCY, nowMs)),
    balanceUSD: formatAmount(world.prices.value(balance, asset, 'USD', nowMs)),
    multiplier: formatAmount(multiplier),
    assetFormat: format,
    base: { asset: asset.symbol, ...settled },
  }
}
