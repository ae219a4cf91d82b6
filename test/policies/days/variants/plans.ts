// Naive variants of what a plan keeps, and of whom it asks.
import { edit } from '../../../simulation/mutant.ts'
import type { Variant } from '../variants.ts'
import { variant } from './variant.ts'

export const PLAN_VARIANTS: Readonly<Record<string, Variant>> = {
  'sweep-keeps-nothing': variant(
    'bounds',
    /^floor/,
    'sweeps what is to stay',
    edit(
      'functions/shared/planning/sweep-task.ts',
      "return { target: parseDecimal(target, 'keep.target')",
      "return { target: parseDecimal(target && '0', 'keep.target')",
    ),
  ),
  'arrival-keeps-nothing': variant(
    'bounds',
    /^floor/,
    'converts what is to stay of what arrives',
    edit(
      'functions/shared/planning/convert-on-arrival.ts',
      "const keep = parseDecimal(policy.keep.target, 'keep.target')",
      "const keep = parseDecimal('0', 'keep.target')",
    ),
  ),
  'fund-keeps-nothing': variant(
    'bounds',
    /^floor/,
    'pays with what is to stay',
    edit(
      'functions/shared/planning/fund.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the file
      'parseDecimal(source.keep, `from.${source.asset}.keep`)',
      "parseDecimal('0', 'from.keep')",
    ),
  ),
  'rebalance-keeps-no-reserve': variant(
    'bounds',
    /^floor/,
    'trades the reserve',
    edit(
      'functions/shared/planning/rebalance.ts',
      'Object.hasOwn(policy.reserve, asset) ?',
      "Object.hasOwn(policy.reserve, '') ?",
    ),
  ),
  'nobody-is-asked': variant(
    'deposits',
    /^unasked/,
    'asks nobody, whatever it is worth',
    edit(
      'functions/shared/runs/plan-first.ts',
      'if (approval === undefined) return false',
      'if (approval !== null) return false',
    ),
  ),
}
