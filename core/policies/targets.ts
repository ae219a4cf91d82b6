// Lists the assets that a portfolio holds at a target.
import type { Portfolio } from './kind.ts'

/** Assets to which the policy gives a share or a value, spelled as in the policy. */
export function targetsOf({ weights, amounts }: Pick<Portfolio, 'weights' | 'amounts'>): readonly string[] {
  return Object.keys(weights ?? amounts ?? {})
}
