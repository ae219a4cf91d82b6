// The naive variants of the product that the simulation must catch: each a text change of the
// product's own files, made in memory when the simulation is bundled. Nothing here runs as it is.
import { edit, type Mutant, mutant } from './mutant.ts'
import { PROTOCOL_MUTANTS } from './protocol-mutants.ts'

const ORDER = 'functions/order/order.ts'
const WITHDRAW = 'functions/withdraw/withdraw.ts'
const JOURNAL = 'functions/shared/journal/journal.ts'
const MATCH = 'functions/shared/withdrawal/match.ts'
const FENCE = 'functions/shared/journal/fence.ts'
const BUDGETS = 'functions/shared/journal/budgets.ts'
const FROZEN_GUARDS = 'functions/shared/guarding/frozen-guards.ts'
const EFFECTIVE_GUARDS = 'functions/shared/guarding/effective-guards.ts'
const MOVEMENT_GUARD = 'functions/shared/guarding/movement-guard.ts'

const SEND = 'const answer = await prepared.send()'
const PREPARE_WITHDRAWAL =
  'await (await sender.prepareWithdrawal({ amount, feeMode, contactId }, timing.tokenLifeSeconds)).send()'
const PREPARE_ORDER = 'await (await sender.prepareOrder(terms.orderId, timing.tokenLifeSeconds)).send()'
const ADMIT_ORDER = 'await guard.admit(guardedConversion(intent, terms))'
const ADMIT_WITHDRAWAL = 'await guard.admit(guardedWithdrawal(intent))'
const LOCAL_MS = '(ports as never as { clock: { nowMs(): number } }).clock.nowMs()'
const FENCE_CHECK = 'if (reachedMs <= fenceMs) return'

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'trust-refusal-order': mutant(
    'convert',
    'takes a refusal of an order for a zero at once',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= fenceMs && !said?.business) return'),
  ),
  'trust-refusal-withdrawal': mutant(
    'withdraw',
    'takes a refusal of a withdrawal for a zero at once',
    edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= fenceMs && !attempt.said?.business) return'),
  ),
  'follow-retryable-order': mutant(
    'convert',
    'signs and sends an order again on nonce_reused, which is marked retryable',
    edit(
      ORDER,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven' && answer.said.code === 'nonce_reused') answer = ${PREPARE_ORDER}`,
    ),
  ),
  'follow-retryable-withdrawal': mutant(
    'withdraw',
    'signs and sends a withdrawal again on nonce_reused, which is marked retryable',
    edit(
      WITHDRAW,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven' && answer.said.code === 'nonce_reused') answer = ${PREPARE_WITHDRAWAL}`,
    ),
  ),
  'retry-5xx': mutant(
    'withdraw',
    'signs and sends a withdrawal again on a 5xx, which is marked retryable',
    edit(
      WITHDRAW,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven' && (answer.said.status ?? 0) >= 500) answer = ${PREPARE_WITHDRAWAL}`,
    ),
  ),
  'requote-on-expired': mutant(
    'convert',
    'asks for another quote as soon as quotation_expired is heard',
    edit(ORDER, FENCE_CHECK, "if (reachedMs <= fenceMs && said?.code !== 'quotation_expired') return"),
  ),
  'resend-order': mutant(
    'convert',
    'sends the same signed order again when no answer came',
    edit(
      ORDER,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven') answer = await prepared.send()`,
    ),
  ),
  'resend-withdrawal': mutant(
    'withdraw',
    'sends the same signed withdrawal again when no answer came',
    edit(
      WITHDRAW,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven') answer = await prepared.send()`,
    ),
  ),
  'no-fence-order': mutant(
    'convert',
    'takes an order that cannot be found for a zero at once',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= 0) return'),
  ),
  'no-fence-withdrawal': mutant(
    'withdraw',
    'takes a withdrawal that cannot be found for a zero at once',
    edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= 0) return'),
  ),
  'local-clock': mutant(
    'withdraw',
    "waits for the fence by this machine's clock",
    edit(
      WITHDRAW,
      '    reachedMs = service.clock.reachedMs()',
      '    reachedMs = (ports as never as { clock: { nowMs(): number } }).clock.nowMs()',
    ),
  ),
  'fence-without-leeway': mutant(
    'convert',
    'takes a token for dead at its exp',
    edit(
      FENCE,
      'const tokenDeadMs = (attempt.exp + timing.leewaySeconds) * 1000',
      'const tokenDeadMs = attempt.exp * 1000',
    ),
  ),
  'fence-without-visibility': mutant(
    'withdraw',
    'looks as soon as the token is dead, and not when a row must show',
    edit(FENCE, 'timing.leewaySeconds + timing.visibilitySeconds', 'timing.leewaySeconds'),
  ),
  'unknown-expiry-is-past': mutant(
    'convert',
    'takes a quote without expiresAt for dead',
    edit(FENCE, 'Number.POSITIVE_INFINITY', '0'),
  ),
  'send-before-arm': mutant(
    'withdraw',
    'sends, and then writes down that it does',
    edit(
      WITHDRAW,
      'const armed = await journal.advance(',
      `${SEND}
  const armed = await journal.advance(`,
    ),
    edit(
      WITHDRAW,
      `  ${SEND}
  if (answer.kind`,
      '  if (answer.kind',
    ),
  ),
  'arm-without-version': mutant(
    'convert',
    'goes on with a move that another execution has made before it',
    edit(
      JOURNAL,
      "const outcome = await store.replace(recordOfIntent(moved, newId()), intent.version)\n      if (outcome === 'written') return moved",
      'await store.replace(recordOfIntent(moved, newId()), intent.version)\n      if (moved) return moved',
    ),
  ),
  'trust-unheard-write': mutant(
    'withdraw',
    'takes a write that was not confirmed for done',
    edit(
      'functions/shared/journal/settle-write.ts',
      '// Not there now, but a write that errored may still be applied: the version guards the next one.',
      "if (failure !== CONDITION_FAILED) return 'written'",
    ),
  ),
  'steal-lane': mutant(
    'withdraw',
    'takes the lane of an intent that is not settled',
    edit('functions/shared/journal/lanes.ts', 'if (!FREE.has(held.state)) return holder', ''),
  ),
  'no-lane': mutant(
    'withdraw',
    'sends although another withdrawal of the asset is in doubt',
    edit(WITHDRAW, 'if (holder !== undefined)\n    return held(', 'if (holder === intent.intentId)\n    return held('),
  ),
  'match-amount-under-deduct': mutant(
    'withdraw',
    'looks for the amount that was asked for among amounts without the fee',
    edit(MATCH, "same(feeMode === 'deduct' ? row.total : row.amount, amount)", 'same(row.amount, amount)'),
  ),
  'page-1-only': mutant(
    'withdraw',
    'reads the first page of the withdrawals',
    edit('functions/shared/service/pages.ts', 'items.push(...data)\n', 'items.push(...data)\n    return items\n'),
  ),
  'ignore-known-rows': mutant(
    'withdraw',
    'adopts a row that was there before its send',
    edit(MATCH, '!known.has(row.id) && ', ''),
  ),
  'skip-claims': mutant(
    'withdraw',
    'adopts a row that another intent has claimed',
    edit(WITHDRAW, '[undefined, intent.intentId].includes(await journal.findClaim(id))', 'id !== undefined'),
    edit(
      JOURNAL,
      'return holder === intentId ? undefined : String(holder)',
      'return holder === holder ? undefined : String(holder)',
    ),
  ),
  'first-match': mutant(
    'withdraw',
    'adopts the first row that matches, whoever else writes to the account',
    edit(
      WITHDRAW,
      'if (only && others.length === 0 && matches.near.length === 0 && !ports.isShared) return',
      'if (only || others.length > 0) return',
    ),
  ),
  'default-asset-format': mutant(
    'withdraw',
    'reads the figures of a list in the units that it comes in by default',
    edit(
      'functions/shared/service/representation.ts',
      "return view('base', shape, show)",
      "return view('rebased', shape, show)",
    ),
    edit(
      'functions/shared/service/withdrawals.ts',
      'return { ...facts, assetSymbol, ...settled,',
      'return { assetSymbol, ...settled, ...facts,',
    ),
  ),
  'release-budget-early': mutant(
    'withdraw',
    'gives an outflow back when its withdrawal is done',
    edit(
      BUDGETS,
      'const zero = state === IntentState.Rejected',
      'const zero = state === IntentState.Done || state === IntentState.Rejected',
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
    'arms an order, and reserves what it gives up after that',
    edit(ORDER, ADMIT_ORDER, 'guard === undefined ? String(guard) : undefined'),
    edit(ORDER, SEND, `await guard.admit(guardedConversion(armed, terms))\n  ${SEND}`),
  ),
  'reserve-after-arm-withdrawal': mutant(
    'withdraw',
    'arms a withdrawal, and reserves what it gives up after that',
    edit(WITHDRAW, ADMIT_WITHDRAWAL, 'guard === undefined ? String(guard) : undefined'),
    edit(WITHDRAW, SEND, `await guard.admit(guardedWithdrawal(armed))\n  ${SEND}`),
  ),
  'wrong-leg': mutant(
    'convert',
    'guards what a purchase brings, and not what it gives up',
    edit(
      'functions/shared/conversion/guarded-conversion.ts',
      "params.side === 'SELL'",
      "params.side !== 'BUY' || terms",
    ),
  ),
  'never-raise': mutant(
    'convert',
    'takes the reservation of a cheaper quote for enough',
    edit(BUDGETS, "if (own !== undefined && parseDecimal(own, 'reserved') >= amount)", 'if (own !== undefined)'),
  ),
  'lower-reservation': mutant(
    'convert',
    'reserves less for a cheaper quote, while another process holds a dearer one',
    edit(BUDGETS, "parseDecimal(own, 'reserved') >= amount", "parseDecimal(own, 'reserved') === amount"),
  ),
  'ignore-policy-guards': mutant(
    'withdraw',
    'goes by the guards of the deployment alone',
    edit(
      FROZEN_GUARDS,
      'if (policy === undefined) return [globalGuards(everywhere)]',
      'if (policy !== null) return [globalGuards(everywhere)]',
    ),
  ),
  'budget-of-all-policies': mutant(
    'withdraw',
    'counts what a policy may give up together with what everything may',
    edit(FROZEN_GUARDS, 'scope: name', "scope: '*'"),
  ),
  'outflow-of-conversions': mutant(
    'convert',
    'counts conversions as outflow',
    edit(EFFECTIVE_GUARDS, 'if (kind !== IntentKind.Withdraw) return bounds', ''),
  ),
  'largest-by-units': mutant(
    'withdraw',
    'holds units against a bound in values',
    edit(
      MOVEMENT_GUARD,
      'if (valuationAsset === undefined) return amount',
      'if (valuationAsset !== null) return amount',
    ),
  ),
  'value-rounded-down': mutant(
    'withdraw',
    'takes a movement for less than it is worth',
    edit('functions/shared/money/rounding-up.ts', '(dividend + divisor - 1n) / divisor', 'dividend / divisor'),
  ),
  'value-of-the-wrong-side': mutant(
    'withdraw',
    'values what is given up by what it would cost',
    edit('functions/shared/guarding/unit-value.ts', "findPrice(from, into, 'SELL')", "findPrice(from, into, 'BUY')"),
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
      'findQuiet(intent.frozen.guards, reachedMs, orderDeadMs(sent, timing))',
      `findQuiet(intent.frozen.guards, ${LOCAL_MS}, ${LOCAL_MS})`,
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
    edit(
      'functions/shared/guarding/quiet-hours.ts',
      "if (timeZone === 'UTC') return 0",
      "if (timeZone !== '') return 0",
    ),
  ),
  'quiet-only-now': mutant(
    'withdraw',
    'sends right before quiet hours what may be accepted in them',
    edit(WITHDRAW, 'withdrawalDeadMs(prepared.facts, timing))', 'service.clock.nowMs())'),
    edit(WITHDRAW, 'nextDeadMs(service.clock.nowMs(), timing))', 'service.clock.nowMs())'),
  ),
  'conclude-doubt': mutant(
    'withdraw',
    'ends an intent in doubt as EXHAUSTED when a step has failed for good',
    edit(
      'functions/conclude/conclude.ts',
      'return conclusion.inDoubt(intent, why)',
      'return conclusion.ended(await journal.advance(intent, zeroMove(intent, IntentState.Exhausted, conclusion.failed, why)))',
    ),
  ),
  'unknown-status-failed-order': mutant(
    'convert',
    'takes an order of unknown status for failed',
    edit(
      'functions/shared/conversion/order-report.ts',
      'return ConvertStep.Processing\n}',
      'return ConvertEnd.Failed\n}',
    ),
  ),
  'unknown-status-completed': mutant(
    'withdraw',
    'takes a withdrawal that has not failed for completed',
    edit(
      'functions/shared/withdrawal/report.ts',
      "if (row.status === 'COMPLETED')",
      'if (!FAILED_WITHDRAWAL_STATUSES.has(row.status))',
    ),
  ),
  'ignore-halt': mutant(
    'withdraw',
    'does not look at the switch right before ARM',
    edit(WITHDRAW, 'if (halt !== undefined) return held(', 'if (halt === null) return held('),
  ),
  ...PROTOCOL_MUTANTS,
}
