// The total value of a plan in words: where something has no price it is not known, and says of what. Pure.
import { MOST_UNPRICED, type Plan } from '../../core/contract/plan.ts'
import { shown } from './figures.ts'

export function totalText({ totalValue, valuationAsset, unpriced }: Plan): string {
  const known = `${shown(totalValue)} ${valuationAsset}`
  if (unpriced === undefined) return known
  const more = unpriced.length === MOST_UNPRICED ? ' and maybe others' : ''
  return `not known: ${known} without ${unpriced.join(', ')}${more}, of which no market tells the price`
}
