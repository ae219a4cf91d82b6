// Lists naive variants of what may be sent at all: budgets, bounds, quiet hours and halts.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { BUDGETS, LOCAL_MS, ORDER, RESERVATIONS, SEND, VERDICTS, WITHDRAW } from './texts.ts'

const EFFECTIVE_GUARDS = 'core/guards/effective-guards.ts'
const HALTS = 'core/journal/halts.ts'
const SCOPES = '[EVERYTHING, ...(policy === undefined ? [] : await namesOf(policy))]'
const POLICY_NAMES = 'core/journal/policy-names.ts'
const MOVEMENT_GUARD = 'core/guards/movement-guard.ts'
const HALT_BEFORE_ARM = `  const halt = await findHalt(guards, ports)
  if (halt !== undefined) return held(intent, ports, waits, haltText(halt))
`
const ONE_KEY = '  // Use one key from here to the balance'
const ADMIT_ORDER = 'await guard.admit(guardedConversion(intent, terms, guards), span, service)'
const ADMIT_WITHDRAWAL = 'await guard.admit(guardedWithdrawal(intent, dearer, guards), span, service)'

export const GUARD_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'people-are-not-asked': mutant(
    'withdraw',
    'sends a movement that a rule holds for people',
    edit(
      'core/guards/approval-rules.ts',
      'if (first === undefined) return undefined',
      'if (first !== null) return undefined',
    ),
  ),
  'value-asks-nobody': mutant(
    'withdraw',
    'asks people by asset and payee, and not by value',
    edit('core/guards/approval-rules.ts', 'isMore(above) ||', 'false ||'),
  ),
  'payee-asks-nobody': amid(
    ['attempts'],
    mutant(
      'withdraw',
      'asks people by asset and value, and not by payee',
      edit('core/guards/approval-rules.ts', 'isMore(contactBound) ||', 'false ||'),
    ),
  ),
  'tells-at-each-look': mutant(
    'withdraw',
    'asks people again at each check of a movement that waits for them',
    edit(VERDICTS, 'if (awaited === terms) return { ...report, awaited }', ''),
  ),
  'a-no-lets-it-go': mutant(
    'withdraw',
    'sends as soon as anybody has decided anything about its terms',
    edit(
      'core/runs/approval/decisions-on-movement.ts',
      'const standing = decisionsOnMovement(words, rules)',
      "const standing = words.length > 0 ? ({ decision: 'approved', missing: 0 } as const) : decisionsOnMovement(words, rules)",
    ),
  ),
  'anybody-decides': mutant(
    'withdraw',
    'counts decisions that nobody has signed a request for',
    edit('core/runs/approval/decisions.ts', 'if (!isSpokenTo(Verb.Decide, spoken)) return false', 'return true'),
  ),
  'word-of-any-intent': mutant(
    'withdraw',
    'reads the decisions on the terms of another intent',
    edit(
      'core/runs/approval/decisions-on-movement.ts',
      'decisions.findOfMovement({ kind, intentId, termsHash })',
      "decisions.findOfMovement({ kind, intentId: 'another', termsHash: termsHash && intentId && termsHash })",
    ),
  ),
  'word-of-any-terms': mutant(
    'withdraw',
    'reads the decisions on an intent, whatever terms they were on',
    edit(
      'core/runs/approval/decisions-on-movement.ts',
      'decisions.findOfMovement({ kind, intentId, termsHash })',
      "decisions.findOfMovement({ kind, intentId, termsHash: termsHash && 'f'.repeat(64) })",
    ),
  ),
  'dearer-fee-is-approved': mutant(
    'withdraw',
    'sends at a fee that has risen since people approved it',
    edit(WITHDRAW, 'if (isDearer && asksPeople', 'if (!isDearer && asksPeople'),
  ),
  'release-budget-early': amid(
    ['sums'],
    mutant(
      'withdraw',
      'gives an outflow back when its withdrawal is done',
      edit(
        BUDGETS,
        'const zero = state === IntentState.Rejected',
        'const zero = state === IntentState.Done || state === IntentState.Rejected',
      ),
    ),
  ),
  'escalated-counts-no-more': amid(
    ['misnamed', 'near', 'writers'],
    mutant(
      'mixed',
      'gives back what was reserved for an intent that waits for a person',
      edit(
        BUDGETS,
        'const zero = state === IntentState.Rejected',
        'const zero = state === IntentState.Escalated || state === IntentState.Rejected',
      ),
    ),
  ),
  // With days of any 24 hours, a reservation counts until its movement cannot happen any more. A later attempt may move
  // later.
  'reservation-of-first-attempt': mutant(
    'convert',
    'keeps a reservation that is large enough, whatever its end',
    edit(BUDGETS, 'own.amount >= amount && (own.untilMs ?? 0) >= (wanted.untilMs ?? 0)', 'own.amount >= amount'),
  ),
  'budget-of-one-day': amid(
    ['midnight'],
    mutant(
      'withdraw',
      'reserves on the day on which it begins, and not on that on which it may still move',
      edit(BUDGETS, 'for (const day of daysOf(budget.span)) {', 'for (const day of daysOf(budget.span).slice(0, 1)) {'),
    ),
  ),
  'rolling-from-its-end': amid(
    ['yesterday'],
    mutant(
      'withdraw',
      'counts 24 hours back from the last moment at which it may move',
      edit('core/journal/sending-days.ts', 'const afterMs = fromMs - DAY_MS', 'const afterMs = toMs - DAY_MS'),
    ),
  ),
  'rolling-of-its-own-day': amid(
    ['yesterday'],
    mutant(
      'withdraw',
      'counts any 24 hours by the record of the present day',
      edit(
        BUDGETS,
        'const days = budget.isRolling ? windowOf(budget.span).days',
        'const days = budget.isRolling ? daysOf(budget.span)',
      ),
    ),
  ),
  'first-budget-only': mutant(
    'convert',
    'reserves in the first of the budgets that count a movement',
    edit(MOVEMENT_GUARD, 'mapBounded(leastOfEach(bounds), READS', 'mapBounded(leastOfEach(bounds).slice(0, 1), READS'),
  ),
  'halt-before-guards': mutant(
    'withdraw',
    'looks at the switch, and then at its guards',
    edit(WITHDRAW, HALT_BEFORE_ARM, ''),
    edit(WITHDRAW, ONE_KEY, `${HALT_BEFORE_ARM}${ONE_KEY}`),
  ),
  // An asset that is bounded under both its names has two bounds and one record.
  'looser-of-two-bounds': mutant(
    'withdraw',
    'goes by the looser of two bounds that count in one record',
    edit(MOVEMENT_GUARD, 'dailyOf(each) < dailyOf(known)', 'dailyOf(each) > dailyOf(known)'),
  ),
  'sum-of-open-ones': amid(
    ['sums'],
    mutant(
      'mixed',
      'puts into a sum what may still be given back',
      edit(BUDGETS, 'ended.get(holder) === false &&', 'ended.get(holder) !== true &&'),
    ),
  ),
  'sum-of-the-last': amid(
    ['sums'],
    mutant(
      'mixed',
      'forgets what was in a sum when it adds to it',
      edit(RESERVATIONS, 'plus(reservationOf(before).amount, amount)', 'amount'),
    ),
  ),
  'sum-and-list': amid(
    ['sums'],
    mutant('mixed', 'leaves in the list what it has put into a sum', edit(RESERVATIONS, 'delete next[holder]', '')),
  ),
  'sum-until-before': amid(
    ['sums'],
    mutant(
      'mixed',
      'lets a sum of any 24 hours go before the last that is in it',
      edit(RESERVATIONS, 'Math.ceil(untilMs / 1000 / SUM_SECONDS)', 'Math.floor(untilMs / 1000 / SUM_SECONDS)'),
    ),
  ),
  'no-budget': mutant(
    'withdraw',
    'sends without a reservation',
    edit(WITHDRAW, ADMIT_WITHDRAWAL, 'guard === undefined ? String(guard) : undefined'),
  ),
  'no-guard-order': mutant(
    'convert',
    'sends an order that no guard was asked about',
    edit(ORDER, ADMIT_ORDER, 'guard === undefined ? String(guard) : undefined'),
  ),
  'reserve-after-arm-order': mutant(
    'convert',
    'arms an order, and reserves what it spends after that',
    edit(ORDER, ADMIT_ORDER, 'guard === undefined ? String(guard) : undefined'),
    edit(ORDER, SEND, `await guard.admit(guardedConversion(armed, terms, guards), span, service)\n  ${SEND}`),
  ),
  'reserve-after-arm-withdrawal': mutant(
    'withdraw',
    'arms a withdrawal, and reserves what it spends after that',
    edit(WITHDRAW, ADMIT_WITHDRAWAL, 'guard === undefined ? String(guard) : undefined'),
    edit(
      WITHDRAW,
      SEND,
      `await guard.admit(guardedWithdrawal(armed, parseDecimal(fee, 'fee'), guards), span, service)\n  ${SEND}`,
    ),
  ),
  'wrong-leg': mutant(
    'convert',
    'guards what a purchase brings, and not what it spends',
    edit(
      'core/movements/conversion/convert-intent.ts',
      "params.side === 'SELL' ? terms.baseAmount",
      "params.side !== 'BUY' || terms ? terms.baseAmount",
    ),
  ),
  'never-raise': mutant(
    'convert',
    'takes the reservation of a cheaper quote for enough',
    edit(BUDGETS, 'if (own && own.amount >= amount && (own.untilMs ?? 0) >= (wanted.untilMs ?? 0))', 'if (own)'),
  ),
  'reserved-is-allowed': amid(
    ['rebounds'],
    mutant(
      'withdraw',
      'compares no limit for an intent that has its reservation',
      edit(BUDGETS, 'if (amount > left) return', 'if (amount > left && (own?.amount ?? ZERO) < amount) return'),
    ),
  ),
  'lower-reservation': mutant(
    'convert',
    'reserves less for a cheaper quote, while another process holds a dearer one',
    edit(BUDGETS, 'own.amount >= amount', 'own.amount === amount'),
    edit(RESERVATIONS, 'own.amount < wanted.amount ? wanted.amount : own.amount', 'own ? wanted.amount : own.amount'),
  ),
  'ignore-policy-guards': mutant(
    'withdraw',
    'goes by the guards of the deployment alone',
    edit(
      EFFECTIVE_GUARDS,
      'if (policy === undefined) return [globalGuards(everywhere)]',
      'if (policy !== null) return [globalGuards(everywhere)]',
    ),
  ),
  'budget-of-all-policies': mutant(
    'withdraw',
    'counts what a policy may spend together with what everything may',
    edit(EFFECTIVE_GUARDS, 'return names.map(', 'return [EVERYTHING].map('),
  ),
  'outflow-of-conversions': mutant(
    'convert',
    'counts conversions as outflow',
    edit(EFFECTIVE_GUARDS, 'if (kind !== IntentKind.Withdraw) return bounds', ''),
  ),
  'largest-by-units': mutant(
    'withdraw',
    'compares units with a bound in values',
    edit(
      MOVEMENT_GUARD,
      'if (valuationAsset === undefined) return amount',
      'if (valuationAsset !== null) return amount',
    ),
  ),
  'value-rounded-down': mutant(
    'withdraw',
    'takes a movement for less than it is worth',
    edit('core/money/decimal.ts', '(dividend + divisor - 1n) / divisor', 'dividend / divisor'),
  ),
  'value-of-the-wrong-side': mutant(
    'withdraw',
    'values what is spent by what it would bring',
    edit('core/guards/unit-values.ts', "findPrice(from, into, 'BUY')", "findPrice(from, into, 'SELL')"),
  ),
  'one-spelling': mutant(
    'withdraw',
    'does not know an asset that guards name by its ticker',
    edit(
      EFFECTIVE_GUARDS,
      'const names = [assetSymbol, rebasedSymbol]',
      'const names = [assetSymbol, rebasedSymbol].slice(0, 1)',
    ),
  ),
  'any-contact': mutant(
    'withdraw',
    'sends to a contact that is on no list',
    edit(MOVEMENT_GUARD, 'if (allowedContacts === undefined ||', 'if (allowedContacts !== null ||'),
  ),
  'any-market': mutant(
    'convert',
    'converts on a market that is on no list',
    edit(MOVEMENT_GUARD, 'if (allowedMarkets === undefined ||', 'if (allowedMarkets !== null ||'),
  ),
  'quiet-by-local-clock-order': mutant(
    'convert',
    "takes this machine's clock for the service's in quiet hours",
    edit(
      ORDER,
      'findQuiet(guards, reachedMs, orderDeadMs(sent, timing))',
      `findQuiet(guards, ${LOCAL_MS}, ${LOCAL_MS})`,
    ),
  ),
  'quiet-by-local-clock-withdrawal': mutant(
    'withdraw',
    "takes this machine's clock for the service's in quiet hours",
    edit(
      WITHDRAW,
      'findQuiet(guards, reachedMs, withdrawalDeadMs(prepared.facts, timing))',
      `findQuiet(guards, ${LOCAL_MS}, ${LOCAL_MS})`,
    ),
    edit(
      WITHDRAW,
      'findQuiet(guards, service.clock.reachedMs(), nextDeadMs(service.clock.nowMs(), timing))',
      `findQuiet(guards, ${LOCAL_MS}, ${LOCAL_MS})`,
    ),
  ),
  'quiet-in-utc': mutant(
    'withdraw',
    'reads every quiet hour as one of UTC',
    edit('core/guards/quiet-hours.ts', "if (timeZone === 'UTC') return 0", "if (timeZone !== '') return 0"),
  ),
  'quiet-only-now': mutant(
    'withdraw',
    'sends right before quiet hours what may be accepted in them',
    edit(WITHDRAW, 'withdrawalDeadMs(prepared.facts, timing))', 'service.clock.nowMs())'),
    edit(WITHDRAW, 'nextDeadMs(service.clock.nowMs(), timing))', 'service.clock.nowMs())'),
  ),
  'ignore-halt': mutant(
    'withdraw',
    'does not look at the switch right before ARM',
    edit(WITHDRAW, 'if (halt !== undefined) return held(', 'if (halt === null) return held('),
  ),
  'ignore-policy-halt': mutant(
    'withdraw',
    'looks at the switch of everything alone',
    edit(HALTS, SCOPES, '[EVERYTHING, ...(policy === undefined ? [] : await namesOf(policy))].slice(0, 1)'),
  ),
  'halt-by-the-new-name': mutant(
    'mixed',
    'asks for the halts of a renamed policy by its present name alone',
    edit(HALTS, SCOPES, '[EVERYTHING, ...(policy === undefined ? [] : (await namesOf(policy)).slice(-1))]'),
  ),
  'halt-by-the-old-name': mutant(
    'mixed',
    'asks for the halts of a renamed policy by its former name alone',
    edit(HALTS, SCOPES, '[EVERYTHING, ...(policy === undefined ? [] : (await namesOf(policy)).slice(0, 1))]'),
  ),
  'names-of-the-file': mutant(
    'mixed',
    'knows the names of a policy by its present file alone',
    edit(
      POLICY_NAMES,
      'namesIn(await store.read(recordKey.policyNames))',
      'namesIn((await store.read(recordKey.policyNames)) && undefined)',
    ),
  ),
  'trip-by-the-new-name': mutant(
    'convert',
    'asks for the halts of people by either name, and for those of the breaker by the present one',
    edit(
      HALTS,
      'await Promise.all(scopes.map(findIn))',
      'await Promise.all(scopes.map(async (scope) => { const found = await findIn(scope); return scope !== policy ? found.filter(({ trip }) => trip === undefined) : found }))',
    ),
  ),
  'ignore-persons-halt': mutant(
    'convert',
    'obeys the halts of breakers, and not those of people',
    edit(HALTS, 'return [personHalt, breakerTrip]', 'return [personHalt, breakerTrip].slice(1)'),
  ),
  'ignore-trip': mutant(
    'convert',
    'obeys the halts of people, and not those of a breaker',
    edit(HALTS, 'scope === EVERYTHING ? undefined : await findTrip', 'scope !== "" ? undefined : await findTrip'),
  ),
  'released-for-good': mutant(
    'withdraw',
    'takes the release of one trip for the release of every later one',
    edit(HALTS, 'scope === EVERYTHING ? undefined', 'scope === EVERYTHING || record?.released ? undefined'),
  ),
}
