// Lists naive variants of the checks right before a send. The product has these checks because the plan may be old:
// floors, prices, days and contacts.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { FLOORS, ORDER, WITHDRAW } from './texts.ts'

const MOVEMENT_GUARD = 'core/guards/movement-guard.ts'
const PRICE_GUARD = 'core/guards/price-guard.ts'
const DAYS = 'core/journal/sending-days.ts'
const ORDER_SPAN = 'toMs: orderFenceMs({ ...prepared.facts, quoteExpiresAt: terms.expiresAt }, timing) }'
const WITHDRAWAL_SPAN = 'toMs: withdrawalFenceMs(prepared.facts, timing) }'
const AT_ITS_END = 'if (order.status === ConvertEnd.Filled || order.status === ConvertEnd.Failed) return []'
const OPENED_MS = 'Date.parse(intent.createdAt)'

export const PLAN_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'floor-of-the-plan-only': mutant(
    'convert',
    'does not look at the balance right before the send',
    edit(
      MOVEMENT_GUARD,
      'floor && (await floors.hold(nameOf(movement), amount, floor, service))',
      'floor && amount < 0n ? nameOf(movement) && undefined : undefined',
    ),
  ),
  'floor-of-the-plan-only-withdrawal': mutant(
    'withdraw',
    'does not look at the balance right before a withdrawal',
    edit(
      'core/movements/withdrawal/withdraw-intent.ts',
      'const floor = keep === undefined ? undefined',
      "const floor = keep !== '' ? undefined",
    ),
  ),
  'floor-before-the-movement': mutant(
    'withdraw',
    'holds the floor against what there is, and not against what would be left',
    edit(
      FLOORS,
      'minus(await spendable(floor.assetSymbol, service), amount)',
      'await spendable(floor.assetSymbol, service)',
    ),
  ),
  'floor-each-for-itself': amid(
    ['floors'],
    mutant(
      'convert',
      'leaves out what other movements are about to take',
      edit(FLOORS, 'if (minus(left, takenBy(others)) < floor.keep) continue', ''),
    ),
  ),
  'floor-unrecorded': mutant(
    'convert',
    'does not register for others what it is about to take',
    edit(FLOORS, 'taking: { ...listed, [intent]: formatDecimal(amount) }', 'taking: listed'),
  ),
  'floor-done-is-taken': amid(
    ['fills'],
    mutant(
      'mixed',
      'takes a conversion whose order was accepted for one that is in the balance',
      edit(FLOORS, 'if (found.state !== IntentState.Done || !isConversion(found)) return []', 'if (found) return []'),
    ),
  ),
  'floor-seen-is-taken': amid(
    ['fills'],
    mutant(
      'convert',
      'counts an accepted order until it is visible, and not until it is filled',
      edit(FLOORS, AT_ITS_END, 'if (order !== null) return []'),
    ),
  ),
  'floor-part-is-taken': amid(
    ['fills'],
    mutant(
      'convert',
      'takes an order that is filled in part for one that is at its end',
      edit(FLOORS, AT_ITS_END, "if (order.status !== 'PENDING' && order.status !== 'SETTLING_AT_BANK') return []"),
    ),
  ),
  'floor-other-leg': amid(
    ['fills'],
    mutant(
      'convert',
      'counts what an order has brought for what it has taken',
      edit(FLOORS, "done.params.side === 'SELL' ?", "done.params.side === 'BUY' ?"),
    ),
  ),
  'floor-without-condition': amid(
    ['floors'],
    mutant(
      'convert',
      'continues although another movement registered its amount first',
      edit(FLOORS, "if (outcome === 'written') return undefined", 'if (outcome) return undefined'),
    ),
  ),
  'floor-armed-only': amid(
    ['floors'],
    mutant(
      'convert',
      'counts others once they are armed, and not while they are about to be',
      edit(FLOORS, '!isSettled(found.state)', "!(isSettled(found.state) || found.state === 'READY')"),
    ),
  ),
  // A 201 names another row, so a person is asked, and the withdrawal moves after that.
  'floor-forgets-escalated': amid(
    ['early'],
    mutant(
      'mixed',
      'ignores the amount of a movement that waits for a person',
      edit(FLOORS, '!isSettled(found.state)', "!(isSettled(found.state) || found.state === 'ESCALATED')"),
    ),
  ),
  'floor-lists-itself-alone': amid(
    ['floors'],
    mutant(
      'convert',
      'registers what it takes in place of what others take',
      edit(FLOORS, 'taking: { ...listed, [intent]', 'taking: { [intent]'),
    ),
  ),
  // The first quote was cheaper than the one that is sent, and others count only the amount of the first.
  'floor-not-raised': amid(
    ['floors', 'prices'],
    mutant(
      'convert',
      'registers the amount of its first quote, and not that of a dearer one',
      edit(FLOORS, "own !== undefined && parseDecimal(own, 'taking') >= amount", 'own !== undefined'),
    ),
  ),
  // The service includes frozen amounts in a balance, and nobody can take them.
  'floor-with-what-is-frozen': amid(
    ['floors'],
    mutant(
      'convert',
      'counts what the service has frozen as if it were there to be taken',
      edit(
        FLOORS,
        "minus(parseSignedDecimal(held.balance, 'balance'), parseSignedDecimal(held.balanceFrozen, 'balanceFrozen'))",
        "parseSignedDecimal(held.balance, 'balance')",
      ),
    ),
  ),
  // ARM was written in time, and its answer came after the intent's time was over.
  'late-after-arm-withdrawal': amid(
    ['hurry'],
    mutant(
      'withdraw',
      'does not look at the time of its intent once it has armed a withdrawal',
      edit(WITHDRAW, 'if (service.clock.nowMs() >= Date.parse(intent.notAfter)) return timeRanOut(armed, ports)', ''),
    ),
  ),
  'late-after-arm-order': amid(
    ['hurry'],
    mutant(
      'convert',
      'does not look at the time of its intent once it has armed an order',
      edit(ORDER, 'if (lateByNow) return lateByNow', 'void lateByNow'),
    ),
  ),
  'price-as-told': mutant(
    'convert',
    'believes the rate of a quote, whatever rate its amounts give',
    edit(PRICE_GUARD, ' ?? findBreach(impliedRate(quoted, guard.side), guard)', ''),
  ),
  'price-by-amounts-only': mutant(
    'convert',
    'compares nothing with the plan',
    edit(PRICE_GUARD, 'if (planned !== undefined && isBeyond(planned))', 'if (planned === null)'),
  ),
  'price-of-the-plan-only': mutant(
    'convert',
    'lets pass what is worse than now, as long as it is as planned',
    edit(PRICE_GUARD, 'if (isBeyond(reference))', 'if (planned === undefined && isBeyond(reference))'),
  ),
  'day-of-opening-order': mutant(
    'convert',
    'counts an order on the day on which its intent was opened',
    edit(ORDER, `{ fromMs: reachedMs, ${ORDER_SPAN}`, `{ fromMs: ${OPENED_MS}, toMs: ${OPENED_MS} }`),
  ),
  'day-of-opening-withdrawal': mutant(
    'withdraw',
    'counts a withdrawal on the day on which its intent was opened',
    edit(WITHDRAW, `{ fromMs: reachedMs, ${WITHDRAWAL_SPAN}`, `{ fromMs: ${OPENED_MS}, toMs: ${OPENED_MS} }`),
  ),
  'day-of-the-look': mutant(
    'withdraw',
    'counts on the day of now what could still move after midnight',
    edit(WITHDRAW, WITHDRAWAL_SPAN, 'toMs: reachedMs }'),
  ),
  'day-by-local-clock': mutant(
    'withdraw',
    "takes this machine's day for the service's",
    edit(
      DAYS,
      'Math.floor(Math.min(fromMs, toMs) / DAY_MS)',
      'Math.floor((Math.min(fromMs, toMs) + 200_000) / DAY_MS)',
    ),
  ),
  'rolling-by-days': amid(
    ['midnight', 'sums'],
    mutant(
      'convert',
      'takes any 24 hours for calendar days',
      edit('core/guards/effective-guards.ts', "=== 'rolling'", "=== ('never' as string)"),
    ),
  ),
  'rolling-forgets-yesterday': amid(
    ['midnight', 'sums'],
    mutant(
      'convert',
      'counts in any 24 hours only what was reserved today',
      edit(DAYS, 'days: daysOf({ fromMs: afterMs, toMs })', 'days: daysOf({ fromMs, toMs })'),
    ),
  ),
  // Accepted at its last moment, it is worked on past midnight.
  'span-without-work': mutant(
    'withdraw',
    'counts a withdrawal until its token is dead, and not until it can move no more',
    edit(WITHDRAW, WITHDRAWAL_SPAN, 'toMs: withdrawalDeadMs(prepared.facts, timing) }'),
  ),
  'first-day-of-the-span': amid(
    ['midnight', 'sums'],
    mutant(
      'convert',
      'counts on the first of the days on which it could move',
      edit('core/journal/budgets.ts', 'of daysOf(budget.span)) {', 'of daysOf(budget.span).slice(0, 1)) {'),
    ),
  ),
  'loosest-slippage': amid(
    ['prices'],
    mutant(
      'convert',
      'goes by the loosest of the slippages of the request and of the guards',
      edit('core/guards/price-guard.ts', 'Math.min(...known)', 'Math.max(...known)'),
    ),
  ),
  'fee-of-the-checks': amid(
    ['fees'],
    mutant(
      'withdraw',
      'reads the fee right before a send, and counts the one of the checks',
      edit(WITHDRAW, "greatest(parseDecimal(frozen.fee, 'fee'), route.fee)", "parseDecimal(frozen.fee, 'fee')"),
    ),
  ),
  'fee-for-most-only': amid(
    ['fees'],
    mutant(
      'withdraw',
      'holds the most that was asked for against the present fee, and guards against the one of the checks',
      edit(
        WITHDRAW,
        'guardedWithdrawal(intent, dearer, guards)',
        "guardedWithdrawal(intent, parseDecimal(frozen.fee, 'fee'), guards)",
      ),
    ),
  ),
  'fee-for-guards-only': amid(
    ['fees'],
    mutant(
      'withdraw',
      'asks guards by the present fee, and holds the most that was asked for when terms are settled alone',
      edit(WITHDRAW, 'refusal: excess ?? (await', 'refusal: (excess && undefined) ?? (await'),
    ),
  ),
  'fee-of-the-checks-written': amid(
    ['fees'],
    mutant(
      'withdraw',
      'writes down the fee of the checks for the one of the send',
      edit(WITHDRAW, 'const fee = formatDecimal(route.fee)', 'const { fee } = frozen'),
    ),
  ),
  'contact-of-the-check': amid(
    ['contacts'],
    mutant(
      'withdraw',
      'does not look again at a contact while it waits',
      edit(WITHDRAW, 'if (changed) return { refusal: changed,', "if (changed?.why === '') return { refusal: changed,"),
    ),
  ),
  'contact-not-compared': amid(
    ['contacts'],
    mutant(
      'withdraw',
      'does not compare the contact with the plan',
      edit(
        'functions/check-withdrawal/check-withdrawal.ts',
        'policy?.payee && findContactChange',
        'policy === null && findContactChange',
      ),
    ),
  ),
}
