// Lists the small worlds that are explored exhaustively, and their bounds.
import { IntentKind } from '../../core/contract/records.ts'
import { ANY_NUMBER, type Bounds } from './choices.ts'
import type { OrderTruth } from './order-model.ts'
import { NO_PAST } from './past.ts'
import type { Past, Schedule } from './schedule.ts'
import { TIDY_ROWS } from './schedules.ts'
import type { ServiceTruth } from './signed-service.ts'
import type { WithdrawalTruth } from './withdrawal-model.ts'

export interface Scope {
  readonly about: string
  readonly bounds: Bounds
  /** Time from the start after which an intent may not send, ms. */
  readonly lifeMs: number
  /** Whether its schedules may come near that time, so that the time is part of a state. */
  readonly isDated?: boolean
  /** The service's true behaviour, at the limits of the configuration. */
  readonly worlds: readonly Schedule[]
}

const DAY_MS = 86_400_000
/** Equal to the time in the world's own request. */
const HALF_HOUR_MS = 1_800_000
/** The seeded schedules cover repeated reads within one call, and intents whose time is over. */
const BARE: Omit<Schedule, 'entries' | 'kinds' | 'past' | 'truth'> = {
  ...{ seed: 0, faults: 0, without: [], feeMode: 'deduct', shared: false },
  timing: { pollInsideSeconds: 0, intentLifeSeconds: 86_400 },
}
const ONE = [{ intentId: 'intent-1', delayMs: 0 }]
const TWO = [...ONE, { intentId: 'intent-2', delayMs: 0 }]

const SERVICE: Omit<ServiceTruth, 'leewayMs' | 'nonceSpentOnRefusal'> = {
  ...{ skewMs: 0, toldAheadMs: 0, timeTripMs: 0, outageMs: 0, workMs: 0, ids: 'by kind' },
  ...{ rotatesKey: false, mayReadAccount: 'all' },
}
const ORDERS: Omit<OrderTruth, 'visibilityMs' | 'quoteLifeMs' | 'saysExpiry'> = {
  ...{ quoteCheckedFirst: false, usedQuoteMovesAgain: true, isMoving: false, side: 'BUY' },
  ...{ settleMs: 0, movingStatus: 'NEW', endsAs: 'FILLED', fillsLagMs: 0 },
}
const ROWS: Omit<WithdrawalTruth, 'visibilityMs'> = {
  ...{ settleMs: 0, movingStatus: 'PENDING', endsAs: 'COMPLETED', refundLagMs: 0, changesFee: false },
  ...{ garblesAnswer: false, foreignRowsMs: [], balance: '1000', ...TIDY_ROWS },
}

/** A row of this journal, from an hour before. */
const ONE_ROW: Past = { rows: [{ agoMs: 3_600_000, whose: 'ours' }], orders: 0 }

/** The service's true behaviour at either limit of the configuration. */
const CORNERS = [
  {
    service: { ...SERVICE, leewayMs: 60_000, nonceSpentOnRefusal: false },
    orders: { ...ORDERS, visibilityMs: 9_900, quoteLifeMs: 200_000, saysExpiry: false },
    withdrawals: { ...ROWS, visibilityMs: 59_000 },
    past: ONE_ROW,
  },
  {
    service: { ...SERVICE, leewayMs: 0, nonceSpentOnRefusal: true },
    orders: { ...ORDERS, visibilityMs: 0, quoteLifeMs: 5_000, saysExpiry: true },
    withdrawals: { ...ROWS, visibilityMs: 0 },
    past: NO_PAST,
  },
] as const

function worldsOf(entries: Schedule['entries'], kinds: Schedule['kinds'], ids: ServiceTruth['ids'] = 'by kind') {
  return CORNERS.map(
    ({ service, orders, withdrawals, past }): Schedule => ({
      ...{ ...BARE, entries, kinds },
      past: kinds.includes(IntentKind.Withdraw) ? past : NO_PAST,
      truth: { ...service, ids, orders, withdrawals },
    }),
  )
}

const { Convert, Withdraw } = IntentKind

const SINGLE: Bounds = { fault: 2, crash: 1, freeze: 1, clock: 0, switch: 0 }
const PAIR: Bounds = { fault: 1, crash: 1, freeze: 0, clock: 0, switch: ANY_NUMBER }

export const SCOPES: Readonly<Record<string, Scope>> = {
  order: {
    about: 'one conversion: up to 2 faults, 1 crash, 1 freeze',
    bounds: SINGLE,
    lifeMs: DAY_MS,
    worlds: worldsOf(ONE, [Convert]),
  },
  withdrawal: {
    about: 'one withdrawal: up to 2 faults, 1 crash, 1 freeze',
    bounds: SINGLE,
    lifeMs: HALF_HOUR_MS,
    worlds: worldsOf(ONE, [Withdraw]),
  },
  'two-orders': {
    about: 'two identical conversions: up to 1 fault, 1 crash, in any order of their steps',
    bounds: PAIR,
    lifeMs: DAY_MS,
    worlds: worldsOf(TWO, [Convert, Convert]),
  },
  'two-withdrawals': {
    about: 'two identical withdrawals: up to 1 fault, 1 crash, in any order of their steps',
    bounds: PAIR,
    lifeMs: HALF_HOUR_MS,
    // One withdrawal waits for the lane of another, which was stopped until its own time is over.
    isDated: true,
    worlds: worldsOf(TWO, [Withdraw, Withdraw]),
  },
  mixed: {
    about:
      'one conversion and one withdrawal, of ids that may be the same: up to 1 fault, 1 crash, in any order of their steps',
    bounds: PAIR,
    lifeMs: HALF_HOUR_MS,
    worlds: worldsOf(TWO, [Convert, Withdraw], 'counted'),
  },
}
