// The product's files and those of its lines that several naive variants change.
export const ORDER = 'functions/order/order.ts'
export const WITHDRAW = 'functions/withdraw/withdraw.ts'
export const CONCLUDE = 'functions/conclude/conclude.ts'
export const JOURNAL = 'functions/shared/journal/journal.ts'
export const LANES = 'functions/shared/journal/lanes.ts'
export const FENCE = 'functions/shared/journal/fence.ts'
export const BUDGETS = 'functions/shared/journal/budgets.ts'
export const RESERVATIONS = 'functions/shared/journal/reservations.ts'
export const FLOORS = 'functions/shared/journal/floors.ts'
export const OWN_KEY = 'functions/shared/journal/own-key.ts'
export const MATCH = 'functions/shared/withdrawal/match.ts'
export const KNOWN_ROWS = 'functions/shared/withdrawal/known-rows.ts'
export const WITHDRAWAL_REPORT = 'functions/shared/withdrawal/report.ts'
export const PAGES = 'functions/shared/service/pages.ts'

export const SEND = 'const answer = await prepared.send()'
export const FENCE_CHECK = 'if (reachedMs <= fenceMs) return'
export const CONCLUDES_DOUBT = 'return conclusion.inDoubt(intent, why)'
/** Of a step of either kind: this machine's clock. */
export const LOCAL_MS = '(ports as never as { clock: { nowMs(): number } }).clock.nowMs()'

export const LOOK_AT_ROWS = 'await listRowsAround(intent, timing, service)'
export const ROWS_BEFORE_ARM = 'const known = await listKnownRows(assetSymbol, service.clock.reachedMs(), service)'
export const TAKE_LANE = 'const holder = await lanes.take(account, assetSymbol, intent.intentId)'
export const IS_ONE = 'only !== undefined && others.length === 0 && matches.near.length === 0'

export const LOOK_FOR_ORDER = `      await service.clock.measure()
      return [service.clock.reachedMs(), await service.findOrder(orderId)]
`
