// Lists naive variants of the checks right before a send.
import { edit } from '../../../mutants/source-edits.ts'
import { type DaysMutant, mutant } from './mutant.ts'

const ORDER = 'functions/order/order.ts'
const WITHDRAW = 'functions/withdraw/withdraw.ts'
const MOVEMENT_GUARD = 'core/guards/movement-guard.ts'
const PRICE_GUARD = 'core/guards/price-guard.ts'
const FLOORS = 'core/journal/floors.ts'
const RULES = 'core/guards/approval-rules.ts'
const QUIET_HOURS = 'core/guards/quiet-hours.ts'

export const SEND_MUTANTS: Readonly<Record<string, DaysMutant>> = {
  'movements-ask-nobody': mutant(
    'approvals',
    /^word/,
    'holds runs for people, and sends a single movement in the name of their policy at once',
    edit(RULES, 'if (first === undefined) return undefined', 'if (first !== null) return undefined'),
  ),
  'a-no-is-a-word': mutant(
    'approvals',
    /^word: .* said no/,
    'sends as soon as anybody has decided anything about its terms',
    edit(
      'core/runs/approval/decisions-on-movement.ts',
      'const standing = decisionsOnMovement(words, rules)',
      "const standing = words.length > 0 ? ({ decision: 'approved', missing: 0 } as const) : decisionsOnMovement(words, rules)",
    ),
  ),
  'no-guard-withdrawal': mutant(
    'bounds',
    /dailyOutflow/,
    'sends a withdrawal that no guard was asked about',
    edit(
      WITHDRAW,
      'await guard.admit(guardedWithdrawal(intent, dearer, guards), span, service)',
      'intent === undefined ? await guard.admit(guardedWithdrawal(intent, dearer, guards), span, service) : undefined',
    ),
  ),
  'no-guard-order': mutant(
    'bounds',
    /assets.SOL.daily/,
    'sends an order that no guard was asked about',
    edit(
      ORDER,
      'await guard.admit(guardedConversion(intent, terms, guards), span, service)',
      'intent === undefined ? await guard.admit(guardedConversion(intent, terms, guards), span, service) : undefined',
    ),
  ),
  'no-slippage': mutant(
    'jumps',
    /^price/,
    'takes whatever price it is quoted',
    edit(
      PRICE_GUARD,
      'if (maxSlippageBps === undefined) return undefined',
      'if (maxSlippageBps !== null) return undefined',
    ),
  ),
  'quiet-at-the-plan-only': mutant(
    'throttled',
    /^quiet/,
    'looks at quiet hours when a run begins, and not when it sends',
    edit(MOVEMENT_GUARD, 'if (quiet === undefined) continue', 'if (quiet !== null) continue'),
  ),
  'quiet-in-utc': mutant(
    'clocks',
    /^quiet/,
    'takes the hours of a zone for those of UTC',
    edit(
      QUIET_HOURS,
      'const local = minute + offsetAt(timeZone, minute)',
      'const local = minute + 0 * offsetAt(timeZone, minute)',
    ),
  ),
  'quiet-in-standard-time': mutant(
    'clocks',
    /^quiet/,
    'takes the clocks of a zone for those of January',
    edit(
      QUIET_HOURS,
      'const local = minute + offsetAt(timeZone, minute)',
      'const local = minute + offsetAt(timeZone, 29_453_760)',
    ),
  ),
  'any-contact': mutant(
    'files',
    /^payee/,
    'sends to a contact that is no longer on the list of those that are allowed',
    edit(MOVEMENT_GUARD, 'if (allowedContacts === undefined ||', 'if (allowedContacts !== null ||'),
  ),
  'floor-at-the-plan-only': mutant(
    'spent',
    /^floor/,
    'looks at what is to stay when it plans, and not when it sends',
    edit(MOVEMENT_GUARD, 'const short = floor && (', 'const short = amount < 0n && floor && ('),
  ),
  'price-of-its-own-start': mutant(
    'jumps',
    /^price/,
    'holds a quote against the price at the start of its own leg alone',
    edit(PRICE_GUARD, 'if (planned !== undefined && isBeyond(planned))', 'if (planned === null && isBeyond(planned))'),
  ),
  'no-contact-comparison': mutant(
    'contacts',
    /^payee/,
    'sends to a contact as it is by then',
    edit(
      'functions/check-withdrawal/check-withdrawal.ts',
      '(policy?.payee && findContactChange(',
      "(intentId === '' && policy?.payee && findContactChange(",
    ),
    edit(
      WITHDRAW,
      "findContactChange(frozen.payee, contact, 'it was checked')",
      "intent === undefined ? findContactChange(frozen.payee, contact, 'it was checked') : undefined",
    ),
  ),
  'contact-is-read-once': mutant(
    'contacts',
    /^payee/,
    'compares a contact when it checks a withdrawal, and not right before it sends',
    edit(WITHDRAW, 'if (changed) return { refusal: changed,', "if (changed?.why === '') return { refusal: changed,"),
  ),
  'fee-is-read-once': mutant(
    'fees',
    /^(floor|daily)/,
    'holds guards against the fee of the checks, whatever it is right before the send',
    edit(WITHDRAW, "greatest(parseDecimal(frozen.fee, 'fee'), route.fee)", "parseDecimal(frozen.fee, 'fee')"),
  ),
  'accepted-is-in-the-balance': mutant(
    'open-orders',
    /^floor/,
    'takes an order that was accepted for one that the balance shows',
    edit(FLOORS, 'if (found.state !== IntentState.Done || !isConversion(found)) return []', 'if (found) return []'),
  ),
  'halted-by-one-name': mutant(
    'renamed',
    /^halted/,
    'asks for the halts of a renamed policy by its present name alone',
    edit(
      'core/journal/halts.ts',
      '...(policy === undefined ? [] : await namesOf(policy))',
      '...(policy === undefined ? [] : (await namesOf(policy)).slice(-1))',
    ),
  ),
}
