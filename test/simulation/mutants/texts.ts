// Names the product's files, and those of its lines that several naive variants change.
export const ORDER = 'functions/order/order.ts'
export const WITHDRAW = 'functions/withdraw/withdraw.ts'
export const VERDICTS = 'core/movements/verdicts.ts'
export const CONCLUDE = 'functions/conclude/conclude.ts'
export const JOURNAL = 'core/journal/journal.ts'
export const LANES = 'core/journal/lanes.ts'
export const FENCE = 'core/journal/fence.ts'
export const BUDGETS = 'core/journal/budgets.ts'
export const RESERVATIONS = 'core/journal/reservations.ts'
export const FLOORS = 'core/journal/floors.ts'
export const OWN_KEY = 'core/journal/own-key.ts'
export const MATCH = 'core/movements/withdrawal/match.ts'
export const BESIDE = 'core/movements/withdrawal/beside.ts'
export const OTHER_WRITERS = 'core/movements/withdrawal/other-writers.ts'
export const EXAMINE = 'core/movements/withdrawal/examine-withdrawal.ts'
export const KNOWN_ROWS = 'core/movements/withdrawal/known-rows.ts'
export const BOOKING = 'core/movements/withdrawal/booking.ts'
export const NEVER_BOOKED = 'core/movements/withdrawal/never-booked.ts'
export const WITHDRAWAL_REPORT = 'core/movements/withdrawal/report.ts'
export const AS_ASKED = 'core/movements/conversion/as-requested.ts'
export const ORDER_LOOK = 'core/movements/conversion/poll.ts'
export const WITHDRAWAL_LOOK = 'core/movements/withdrawal/poll.ts'
export const PAGES = 'core/service/pages.ts'

export const SEND = 'const answer = await prepared.send()'
export const FENCE_CHECK = 'if (reachedMs <= fenceMs) return'
/** The claim on a movement of either kind, in a verdict. */
export const HOLDER = 'const holder = await ports.journal.claim(intent.kind, movementId, intent.intentId)'
export const CONCLUDES_DOUBT = 'return conclusion.inDoubt(intent, why)'
/** This machine's clock, in a step of either kind. */
export const LOCAL_MS = '(ports as never as { clock: { nowMs(): number } }).clock.nowMs()'

/** Before the list is compared with the rows of others in the lane. */
export const PAST_FENCE = 'if (reachedMs > fenceMs)\n'
export const LOOK_AT_ROWS = 'await listRowsAround(intent, timing, service)'
export const ROWS_BEFORE_ARM =
  'const rows = await listKnownRows(assetSymbol, service.clock.reachedMs(), earlier, service)'
export const MISSING_BEFORE = 'if (missing !== undefined) return'
export const TAKE_LANE = 'const lane = await lanes.take(account, assetSymbol, intent.intentId, rules)'
export const IS_ONE = 'only !== undefined && others.length === 0 && matches.near.length === 0'

export const LOOK_FOR_ORDER = `      await service.clock.measure()
      return [service.clock.reachedMs(), await service.findOrder(orderId)]
`
