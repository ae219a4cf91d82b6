// Naive variants of what is looked at right before a send.
import { edit } from '../../../simulation/mutant.ts'
import type { Variant } from '../variants.ts'
import { variant } from './variant.ts'

const ORDER = 'functions/order/order.ts'
const WITHDRAW = 'functions/withdraw/withdraw.ts'
const MOVEMENT_GUARD = 'functions/shared/guarding/movement-guard.ts'
const PRICE_GUARD = 'functions/shared/money/price-guard.ts'
const QUIET_HOURS = 'functions/shared/guarding/quiet-hours.ts'

export const SEND_VARIANTS: Readonly<Record<string, Variant>> = {
  'no-guard-withdrawal': variant(
    'bounds',
    /dailyOutflow/,
    'sends a withdrawal that no guard was asked about',
    edit(
      WITHDRAW,
      'await guard.admit(guardedWithdrawal(intent))',
      'intent === undefined ? await guard.admit(guardedWithdrawal(intent)) : undefined',
    ),
  ),
  'no-guard-order': variant(
    'bounds',
    /assets.SOL.daily/,
    'sends an order that no guard was asked about',
    edit(
      ORDER,
      'await guard.admit(guardedConversion(intent, terms))',
      'intent === undefined ? await guard.admit(guardedConversion(intent, terms)) : undefined',
    ),
  ),
  'no-slippage': variant(
    'jumps',
    /^price/,
    'takes whatever price it is quoted',
    edit(
      PRICE_GUARD,
      'if (maxSlippageBps === undefined) return undefined',
      'if (maxSlippageBps !== null) return undefined',
    ),
  ),
  'quiet-at-the-plan-only': variant(
    'throttled',
    /^quiet/,
    'looks at quiet hours when a run begins, and not when it sends',
    edit(MOVEMENT_GUARD, 'if (quiet === undefined) continue', 'if (quiet !== null) continue'),
  ),
  'quiet-in-utc': variant(
    'clocks',
    /^quiet/,
    'takes the hours of a zone for those of UTC',
    edit(
      QUIET_HOURS,
      'const local = minute + offsetAt(timeZone, minute)',
      'const local = minute + 0 * offsetAt(timeZone, minute)',
    ),
  ),
  'quiet-in-standard-time': variant(
    'clocks',
    /^quiet/,
    'takes the clocks of a zone for those of January',
    edit(
      QUIET_HOURS,
      'const local = minute + offsetAt(timeZone, minute)',
      'const local = minute + offsetAt(timeZone, 29_453_760)',
    ),
  ),
  'any-contact': variant(
    'files',
    /^payee/,
    'sends to a contact that is no longer on the list of those that are allowed',
    edit(MOVEMENT_GUARD, 'if (allowedContacts === undefined ||', 'if (allowedContacts !== null ||'),
  ),
}
