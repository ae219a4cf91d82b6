// Draws schedules from seeds: the service's true behaviour within the limits of the default configuration, the entries
// of intents, and the number of faults. Untidiness is added last.
import { IntentKind } from '../../core/contract/records.ts'
import { drawAsking } from './approving.ts'
import { type FaultClass, pickWith, seededRandom } from './choices.ts'
import { drawGuardSets, withRoomForOne } from './drawn-guards.ts'
import { CONVERTED, WITHDRAWN } from './given-up.ts'
import type { OrderTruth } from './order-model.ts'
import { NO_PAST } from './past.ts'
import type { ListTruth } from './row-lists.ts'
import type { Entry, Schedule, Truth } from './schedule.ts'
import { drawPolicyHalt } from './switches.ts'
import { ALL_UNTIDY, addUntidiness, type Untidy } from './untidiness.ts'
import type { WithdrawalTruth } from './withdrawal-model.ts'

export type MovementWorld = 'convert' | 'withdraw' | 'mixed'
/** The worlds of single movements, and the world of whole runs. */
export type WorldName = MovementWorld | 'runs'

/** Smaller bounds than a seed draws, to shrink a failing schedule. */
export interface Bounded {
  readonly faults?: number
  readonly executions?: number
  readonly intents?: number
}

/** The guards that a schedule may draw, by what its intents sell or send. */
const GUARDS = {
  convert: { BUY: drawGuardSets(64, CONVERTED.BUY), SELL: drawGuardSets(64, CONVERTED.SELL) },
  withdraw: drawGuardSets(128, WITHDRAWN),
  mixed: { BUY: drawGuardSets(64, CONVERTED.BUY, WITHDRAWN), SELL: mixedSales() },
}
/** In two thirds of the sets, a sale has room only if a withdrawal no longer counts. */
function mixedSales() {
  const drawn = drawGuardSets(64, CONVERTED.SELL, WITHDRAWN)
  const full = drawn.map((set) => withRoomForOne(set, WITHDRAWN))
  return [...drawn, ...full, ...full]
}
const LEFT_OUT: readonly (readonly FaultClass[])[] = [[], ['clock'], ['freeze', 'clock'], ['crash', 'freeze', 'clock']]
const MOVING = ['PENDING', 'PENDING', 'SETTLING_AT_BANK']

/** Times of other writers' rows. Some sets have so many after one send that our row is on another page. */
const FOREIGN_MS = [[0], [0, 40_000], [5_000, 120_000, 200_000], [0, 0, 30_000, 31_000], [0, 1_000, 2_000, 3_000]]

export type Draw = <T>(options: readonly T[]) => T

export function pickFrom(seed: number): Draw {
  const random = seededRandom(seed)
  return (options) => pickWith(random, options)
}

/**
 * Number of intents in a schedule, and of executions of each. Small schedules catch mutants with the least processor
 * time. Conversions rarely affect each other, while withdrawals of one asset share a lane.
 */
interface Sizes {
  readonly intents: readonly number[]
  readonly executions: readonly number[]
  readonly firstMs: readonly number[]
}
const AT_ONCE_MS = [0, 0, 5_000]
const SIZES: Readonly<Record<MovementWorld, Sizes>> = {
  convert: { intents: [1, 1, 1, 2], executions: [1, 1, 2, 2, 3], firstMs: AT_ONCE_MS },
  withdraw: { intents: [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3], executions: [1, 1, 1, 2], firstMs: AT_ONCE_MS },
  mixed: { intents: [2, 2, 2, 3], executions: [1, 1, 1, 2], firstMs: [...AT_ONCE_MS, 200_000] },
}

/** By number, where both kinds are drawn. */
const MIXED_KINDS: readonly (readonly IntentKind[])[] = [
  [IntentKind.Convert, IntentKind.Withdraw, IntentKind.Withdraw],
  [IntentKind.Withdraw, IntentKind.Convert, IntentKind.Withdraw],
  [IntentKind.Convert, IntentKind.Withdraw, IntentKind.Convert],
]

/** Used where the world has no intent of this kind. */
const NO_ORDERS: OrderTruth = {
  ...{ visibilityMs: 0, quoteLifeMs: 5_000, saysExpiry: true, quoteCheckedFirst: false, usedQuoteMovesAgain: false },
  ...{ settleMs: 0, movingStatus: 'PENDING', endsAs: 'FILLED', fillsLagMs: 0, side: 'BUY', isMoving: false },
}
export const TIDY_ROWS: ListTruth & Pick<WithdrawalTruth, 'booksAt' | 'entries'> = {
  ...{ datedTo: 'millisecond', unordered: 'no', rowsAPage: 2, includesStart: true, includesEnd: true },
  ...{ booksAt: 'acceptance', entries: 'one each' },
}
const NO_WITHDRAWALS: WithdrawalTruth = {
  ...{ visibilityMs: 0, settleMs: 0, movingStatus: 'PENDING', endsAs: 'COMPLETED', refundLagMs: 0, changesFee: false },
  ...{ garblesAnswer: false, foreignRowsMs: [], balance: '1000', ...TIDY_ROWS },
}

/** Duplicates start together with the first, during its fence, or long after. */
function drawBase(seed: number, pick: Draw, world: MovementWorld, bounded: Bounded) {
  const sizes = SIZES[world]
  const most = { intents: Math.max(...sizes.intents), executions: Math.max(...sizes.executions) }
  const intents = Math.min(pick(sizes.intents), bounded.intents ?? most.intents)
  const executions = Math.min(pick(sizes.executions), bounded.executions ?? most.executions)
  const entries: Entry[] = []
  for (let intent = 1; intent <= most.intents; intent += 1) {
    for (let execution = 1; execution <= most.executions; execution += 1) {
      // Drawn even if unused, so that the other draws of a seed stay the same when it is shrunk.
      const delayMs = pick(execution === 1 ? sizes.firstMs : [0, 3_000, 20_000, 110_000, 160_000, 1_000_000])
      if (intent <= intents && execution <= executions) entries.push({ intentId: `intent-${intent}`, delayMs })
    }
  }
  // The rarest mutants are caught where faults never stop.
  const faults = Math.min(pick([0, 1, 2, 3, 4, 6, 8, 40, 40, 40]), bounded.faults ?? 40)
  const without = pick(LEFT_OUT)
  const isHalted = pick([false, false, false, false, false, true])
  const fromMs = pick([0, 200, 2_000, 20_000])
  const halt = { fromMs, untilMs: fromMs + pick([1_000, 60_000, 600_000]) }
  const policyHalt = drawPolicyHalt(seed)
  const asking = drawAsking(seed)
  return {
    ...{ seed, faults, without, entries, past: NO_PAST },
    ...(isHalted && { halt }),
    ...(policyHalt && { policyHalt }),
    ...(asking && { asking }),
  }
}

function drawShared(pick: Draw) {
  const service = {
    leewayMs: pick([0, 5_000, 60_000]),
    nonceSpentOnRefusal: pick([true, false]),
    skewMs: pick([0, 200_000, -200_000]),
    toldAheadMs: 0,
    ...({ timeTripMs: 0, workMs: 0, ids: 'by kind', mayReadAccount: 'all' } as const),
  }
  const settling = { settleMs: pick([0, 0, 0, 1_000, 1_000, 60_000]) }
  const outageMs = pick([0, 0, 0, 30_000, 600_000])
  return { service: { ...service, outageMs }, moving: { ...settling, movingStatus: pick(MOVING) } }
}

interface Moving {
  readonly settleMs: number
  readonly movingStatus: string
}

function drawOrders(pick: Draw, moving: Moving): { orders: OrderTruth; rotatesKey: boolean } {
  const drawn = {
    visibilityMs: pick([0, 0, 3_000, 9_900]),
    quoteLifeMs: pick([5_000, 5_000, 200_000]),
    saysExpiry: pick([true, true, false]),
    quoteCheckedFirst: pick([true, false]),
    usedQuoteMovesAgain: pick([true, false]),
    endsAs: pick<'FILLED' | 'FAILED'>(['FILLED', 'FILLED', 'FAILED']),
    fillsLagMs: pick([0, 0, 5_000]),
  }
  const rotatesKey = pick([false, false, false, true])
  return { orders: { ...drawn, ...moving, side: 'BUY', isMoving: false }, rotatesKey }
}

function drawRows(pick: Draw, moving: Moving): { withdrawals: WithdrawalTruth; earlierRows: number } {
  const drawn = {
    visibilityMs: pick([0, 0, 3_000, 59_000]),
    endsAs: pick<'COMPLETED' | 'FAILED'>(['COMPLETED', 'COMPLETED', 'FAILED']),
    refundLagMs: pick([0, 5_000]),
    changesFee: pick([false, false, true]),
    garblesAnswer: pick([false, false, false, true]),
    foreignRowsMs: pick([[], [], [], pick(FOREIGN_MS)]),
  }
  const earlierRows = pick([0, 0, 1, 3])
  return { withdrawals: { ...drawn, balance: pick(['1000', '1000', '150']), ...moving, ...TIDY_ROWS }, earlierRows }
}

const HOUR_MS = 3_600_000

/** Rows that somebody withdrew by hand an hour ago. */
function pastRows(count: number): Schedule['past'] {
  const row = { agoMs: HOUR_MS, whose: 'nobody knows' } as const
  return { rows: Array.from({ length: count }, () => row), orders: 0 }
}

/** Draws a schedule of a world, with all ways of untidiness or only those in `untidy`. */
export function drawSchedule(
  world: MovementWorld,
  seed: number,
  bounded: Bounded = {},
  untidy: readonly Untidy[] = ALL_UNTIDY,
): Schedule {
  return addUntidiness(drawTidily(world, seed, bounded), untidy)
}

function drawTidily(world: MovementWorld, seed: number, bounded: Bounded): Schedule {
  switch (world) {
    case 'convert':
      return drawConversions(seed, bounded)
    case 'withdraw':
      return drawWithdrawals(seed, bounded)
    case 'mixed':
      return drawMixed(seed, bounded)
  }
}

function drawConversions(seed: number, bounded: Bounded): Schedule {
  const pick = pickFrom(seed * 7919 + 1)
  const base = drawBase(seed, pick, 'convert', bounded)
  const { service, moving } = drawShared(pick)
  const { orders, rotatesKey } = drawOrders(pick, moving)
  const truth: Truth = { ...service, rotatesKey, orders, withdrawals: NO_WITHDRAWALS }
  const drawn: Schedule = { ...base, kinds: [], truth, feeMode: 'deduct', shared: false }
  // Drawn last, and in half of the schedules, so that the other draws of a seed are the same as without guards.
  const side = pick<'BUY' | 'SELL'>(['BUY', 'SELL'])
  const guards = pick([undefined, pick(GUARDS.convert[side])])
  if (guards === undefined) return drawn
  return { ...drawn, truth: { ...truth, orders: { ...orders, side, isMoving: true } }, guards }
}

function drawWithdrawals(seed: number, bounded: Bounded): Schedule {
  const pick = pickFrom(seed * 7919 + 2)
  const base = drawBase(seed, pick, 'withdraw', bounded)
  const feeMode = pick<'deduct' | 'add'>(['deduct', 'add'])
  const { service, moving } = drawShared(pick)
  const { withdrawals, earlierRows } = drawRows(pick, moving)
  const guards = pick([undefined, pick(GUARDS.withdraw)])
  return {
    ...{ ...base, past: pastRows(earlierRows), kinds: Array(3).fill(IntentKind.Withdraw), feeMode },
    shared: withdrawals.foreignRowsMs.length > 0,
    truth: { ...service, rotatesKey: false, orders: NO_ORDERS, withdrawals },
    ...(guards && { guards }),
  }
}

function drawMixed(seed: number, bounded: Bounded): Schedule {
  const pick = pickFrom(seed * 7919 + 3)
  const base = drawBase(seed, pick, 'mixed', bounded)
  const kinds = pick(MIXED_KINDS)
  const feeMode = pick<'deduct' | 'add'>(['deduct', 'add'])
  const { service, moving } = drawShared(pick)
  const { orders, rotatesKey } = drawOrders(pick, moving)
  const { withdrawals, earlierRows } = drawRows(pick, moving)
  const side = pick<'BUY' | 'SELL'>(['BUY', 'SELL'])
  const guards = pick([undefined, pick(GUARDS.mixed[side])])
  return {
    ...{ ...base, past: pastRows(earlierRows), kinds, feeMode, shared: withdrawals.foreignRowsMs.length > 0 },
    truth: { ...service, rotatesKey, orders: { ...orders, side, isMoving: guards !== undefined }, withdrawals },
    ...(guards && { guards }),
  }
}
