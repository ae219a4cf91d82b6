// Lists the assets that a person may name, those of the account first. Pure.
import { printable } from '../core/printable.ts'
import type { Reference } from '../operations/setup/reference.ts'

/** Maximum codes that are listed beside those of the account. `service assets` lists all. */
const MOST_OTHERS = 60

export function assetLines({ assets, held = [] }: Pick<Reference, 'assets' | 'held'>): readonly string[] {
  const own = new Set(held.map(({ assetSymbol }) => assetSymbol))
  const others = assets.map(({ assetSymbol }) => assetSymbol).filter((code) => !own.has(code))
  const more = others.length > MOST_OTHERS ? `, and ${others.length - MOST_OTHERS} more (sluice service assets)` : ''
  const lines = [
    held.length > 0 &&
      `assets in the account: ${held.map(({ amount, assetSymbol }) => `${assetSymbol} ${amount}`).join(', ')}`,
    others.length > 0 && `other assets of the service: ${others.sort().slice(0, MOST_OTHERS).join(', ')}${more}`,
  ]
  return lines.filter((line) => line !== false).map(printable)
}
