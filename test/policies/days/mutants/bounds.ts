// Lists naive variants of what bounds measure and count.
import { edit } from '../../../mutants/source-edits.ts'
import { type DaysMutant, mutant } from './mutant.ts'

const MOVEMENT_GUARD = 'core/guards/movement-guard.ts'
const EFFECTIVE_GUARDS = 'core/guards/effective-guards.ts'
const BUDGETS = 'core/journal/budgets.ts'
const LIMITS = 'core/runs/plan/limits.ts'
const RESERVE = 'const left = await budgets.reserve(budget, nameOf(movement), size, limit)'

export const BOUND_MUTANTS: Readonly<Record<string, DaysMutant>> = {
  'no-reservation': mutant(
    'bounds',
    /assets.SOL.daily/,
    'looks at the budget of a day when it plans, and reserves nothing of it',
    edit(
      MOVEMENT_GUARD,
      RESERVE,
      'const left = size < 0n ? await budgets.reserve(budget, nameOf(movement), size, limit) : undefined',
    ),
  ),
  'done-counts-no-more': mutant(
    'bounds',
    /assets.SOL.daily/,
    'gives back what was reserved once it has moved',
    edit(
      BUDGETS,
      'const zero = state === IntentState.Rejected',
      'const zero = state === IntentState.Done || state === IntentState.Rejected',
    ),
  ),
  'half-of-it': mutant(
    'bounds',
    /assets.SOL.daily/,
    'reserves half of what leaves',
    edit(
      MOVEMENT_GUARD,
      RESERVE,
      'const left = await budgets.reserve(budget, nameOf(movement), (size / 2n) as typeof size, limit)',
    ),
  ),
  'unit-for-value': mutant(
    'bounds',
    / (2[6-9]|[3-9]\d)\d\d(\.\d+)? USD left on one day, and policies\.bills/,
    'counts units where a bound is in values',
    edit(
      MOVEMENT_GUARD,
      'return multiply(amount, parseDecimal(unitValue,',
      'return unitValue !== undefined ? amount : multiply(amount, parseDecimal(unitValue,',
    ),
  ),
  'no-outflow': mutant(
    'bounds',
    /dailyOutflow/,
    'forgets what may be withdrawn of an asset in a day',
    edit(
      EFFECTIVE_GUARDS,
      'for (const [code, daily] of ofAsset(dailyOutflow, movement))',
      'for (const [code, daily] of [] as [string, string][])',
    ),
    edit(EFFECTIVE_GUARDS, 'contacts = {}, dailyOutflow = {} }', 'contacts = {} }'),
  ),
  'no-contact-bounds': mutant(
    'bounds',
    / 2[1-9]\d\d(\.\d+)? USD left on one day, and policies\.coins\.guards\.contacts/,
    'forgets what may go to a contact in a day',
    edit(EFFECTIVE_GUARDS, 'if (id !== contactId) continue', 'if (id === contactId) continue'),
  ),
  'no-policy-guards': mutant(
    'bounds',
    /policies.*assets.SOL.daily/,
    'holds a movement against the guards of the deployment alone',
    edit(
      EFFECTIVE_GUARDS,
      'if (policy === undefined) return [globalGuards(everywhere)]',
      'if (policy !== null) return [globalGuards(everywhere)]',
    ),
  ),
  'no-asset-bounds': mutant(
    'bounds',
    /assets.*daily/,
    'forgets what may be spent of an asset in a day',
    edit(
      EFFECTIVE_GUARDS,
      'for (const [code, bound] of ofAsset(assets, movement))',
      'for (const [code, bound] of [] as [string, Bound][])',
    ),
    edit(EFFECTIVE_GUARDS, 'const { total, assets = {}, contacts', 'const { total, contacts'),
  ),
  'no-largest': mutant(
    'bounds',
    /^largest/,
    'plans beyond the largest movement, and sends it',
    edit(LIMITS, 'if (largest !== undefined) figures.largest =', "if (largest === '') figures.largest ="),
    edit(MOVEMENT_GUARD, 'if (bound.largest === undefined ||', 'if (bound.largest !== null ||'),
  ),
  'day-of-another-clock': mutant(
    'midnight',
    /^daily.*on one day/,
    'counts on the day of a clock that is ten minutes behind',
    edit(
      MOVEMENT_GUARD,
      'const budget = { scope, assetSymbol: symbol, span, isRolling }',
      'const earlier = { fromMs: span.fromMs - 600_000, toMs: span.toMs - 600_000 }\n  const budget = { scope, assetSymbol: symbol, span: earlier, isRolling }',
    ),
  ),
  'calendar-for-rolling': mutant(
    'midnight',
    /^daily.*within 24 hours/,
    'counts a calendar day where any 24 hours are bounded',
    edit(EFFECTIVE_GUARDS, "const isRolling = set.guards.dailyWindow === 'rolling'", 'const isRolling = false'),
    edit(LIMITS, "const isRolling = guards.dailyWindow === 'rolling'", 'const isRolling = false'),
  ),
}
