// Draws schedules from seeds: the service's true behaviour within what the default configuration
// allows for, who enters which intent when, and how many faults may happen.
import { type FaultClass, pickWith, seededRandom } from './choices.ts'
import { CONVERSION_GUARDS, type ConvertSchedule } from './convert-world.ts'
import { WITHDRAWAL_GUARDS, type WithdrawSchedule } from './withdraw-world.ts'
import type { BaseSchedule, Entry } from './world.ts'

/** Smaller bounds than a seed draws: how a failing schedule is shrunk. */
export interface Bounded {
  readonly faults?: number
  readonly executions?: number
  readonly intents?: number
}

const LEFT_OUT: readonly (readonly FaultClass[])[] = [[], ['clock'], ['freeze', 'clock'], ['crash', 'freeze', 'clock']]
const MOVING = ['PENDING', 'PENDING', 'SETTLING_AT_BANK']

/** Now and then, and so many after one send that its row is on another page. */
const FOREIGN_MS = [[0], [0, 40_000], [5_000, 120_000, 200_000], [0, 0, 30_000, 31_000], [0, 1_000, 2_000, 3_000]]

type Pick = <T>(options: readonly T[]) => T

function pickFrom(seed: number): Pick {
  const random = seededRandom(seed)
  return (options) => pickWith(random, options)
}

/**
 * How many intents a schedule has, and executions of each. Mutants are caught soonest, by processor time,
 * where most schedules are small: conversions hardly meet each other, withdrawals of one asset share a lane.
 */
interface Sizes {
  readonly intents: readonly number[]
  readonly executions: readonly number[]
}
const CONVERSIONS: Sizes = { intents: [1, 1, 1, 2], executions: [1, 1, 2, 2, 3] }
const WITHDRAWALS: Sizes = { intents: [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3], executions: [1, 1, 1, 2] }

/** Duplicates come together with the first, during its fence, or long after. */
function drawBase(seed: number, pick: Pick, sizes: Sizes, bounded: Bounded) {
  const most = { intents: Math.max(...sizes.intents), executions: Math.max(...sizes.executions) }
  const intents = Math.min(pick(sizes.intents), bounded.intents ?? most.intents)
  const executions = Math.min(pick(sizes.executions), bounded.executions ?? most.executions)
  const entries: Entry[] = []
  for (let intent = 1; intent <= most.intents; intent += 1) {
    for (let execution = 1; execution <= most.executions; execution += 1) {
      // Drawn also where it is not used: what else a seed draws stays the same when it is shrunk.
      const delayMs = pick(execution === 1 ? [0, 0, 5_000] : [0, 3_000, 20_000, 110_000, 160_000, 1_000_000])
      if (intent <= intents && execution <= executions) entries.push({ intentId: `intent-${intent}`, delayMs })
    }
  }
  // What is rarest to catch is caught where faults do not come to an end.
  const faults = Math.min(pick([0, 1, 2, 3, 4, 6, 8, 40, 40, 40]), bounded.faults ?? 40)
  const without = pick(LEFT_OUT)
  const isHalted = pick([false, false, false, false, false, true])
  const fromMs = pick([0, 200, 2_000, 20_000])
  const halt = { fromMs, untilMs: fromMs + pick([1_000, 60_000, 600_000]) }
  return { seed, faults, without, entries, ...(isHalted && { halt }) } satisfies BaseSchedule
}

function drawTruth(pick: Pick) {
  return {
    leewayMs: pick([0, 5_000, 60_000]),
    nonceSpentOnRefusal: pick([true, false]),
    skewMs: pick([0, 200_000, -200_000]),
    toldAheadMs: 0,
    settleMs: pick([0, 0, 0, 1_000, 1_000, 60_000]),
    outageMs: pick([0, 0, 0, 30_000, 600_000]),
    movingStatus: pick(MOVING),
  }
}

export function drawConversions(seed: number, bounded: Bounded = {}): ConvertSchedule {
  const pick = pickFrom(seed * 7919 + 1)
  const drawn: ConvertSchedule = {
    ...drawBase(seed, pick, CONVERSIONS, bounded),
    truth: {
      ...drawTruth(pick),
      visibilityMs: pick([0, 0, 3_000, 9_900]),
      quoteLifeMs: pick([5_000, 5_000, 200_000]),
      saysExpiry: pick([true, true, false]),
      quoteCheckedFirst: pick([true, false]),
      usedQuoteMovesAgain: pick([true, false]),
      endsAs: pick(['FILLED', 'FILLED', 'FAILED']),
      fillsLagMs: pick([0, 0, 5_000]),
      rotatesKey: pick([false, false, false, true]),
    },
  }
  // Drawn last, and in half of them: what else a seed draws is as without guards.
  const side = pick<'BUY' | 'SELL'>(['BUY', 'SELL'])
  const guards = pick([undefined, pick(CONVERSION_GUARDS[side])])
  if (guards === undefined) return drawn
  return { ...drawn, truth: { ...drawn.truth, side, isMoving: true }, guards }
}

export function drawWithdrawals(seed: number, bounded: Bounded = {}): WithdrawSchedule {
  const pick = pickFrom(seed * 7919 + 2)
  const drawn: WithdrawSchedule = {
    ...drawBase(seed, pick, WITHDRAWALS, bounded),
    feeMode: pick(['deduct', 'add']),
    truth: {
      ...drawTruth(pick),
      visibilityMs: pick([0, 0, 3_000, 59_000]),
      endsAs: pick(['COMPLETED', 'COMPLETED', 'FAILED']),
      refundLagMs: pick([0, 5_000]),
      changesFee: pick([false, false, true]),
      garblesAnswer: pick([false, false, false, true]),
      foreignRowsMs: pick([[], [], [], pick(FOREIGN_MS)]),
      earlierRows: pick([0, 0, 1, 3]),
      balance: pick(['1000', '1000', '150']),
    },
  }
  const guards = pick([undefined, pick(WITHDRAWAL_GUARDS)])
  return { ...drawn, ...(guards && { guards }) }
}
