// The small worlds that are explored exhaustively, and the bounds within which.
import { ANY_NUMBER, type Bounds } from './choices.ts'
import type { ConvertSchedule } from './convert-world.ts'
import type { WithdrawSchedule } from './withdraw-world.ts'

export type Small =
  | { readonly world: 'convert'; readonly schedule: ConvertSchedule }
  | { readonly world: 'withdraw'; readonly schedule: WithdrawSchedule }

export interface Scope {
  readonly about: string
  readonly bounds: Bounds
  /** An intent's time is over so long after the start. */
  readonly lifeMs: number
  /** Whether its schedules may come near that time, so that a state is another at another time. */
  readonly isDated?: boolean
  /** The service's true behaviour, at the corners of what the configuration allows for. */
  readonly worlds: readonly Small[]
}

const DAY_MS = 86_400_000
/** As the world's own request has it. */
const HALF_HOUR_MS = 1_800_000
/** Looks that follow each other within one call, and time that is over, are left to the seeded schedules. */
const BARE = { seed: 0, faults: 0, without: [], timing: { pollInsideSeconds: 0, intentLifeSeconds: 86_400 } }
const ONE = [{ intentId: 'intent-1', delayMs: 0 }]
const TWO = [...ONE, { intentId: 'intent-2', delayMs: 0 }]

function conversions(entries: ConvertSchedule['entries']): Small[] {
  const base = {
    ...{ skewMs: 0, toldAheadMs: 0, outageMs: 0, settleMs: 0, fillsLagMs: 0, movingStatus: 'NEW' },
    ...({ endsAs: 'FILLED', rotatesKey: false, quoteCheckedFirst: false, usedQuoteMovesAgain: true } as const),
  }
  const corners = [
    { leewayMs: 60_000, visibilityMs: 9_900, quoteLifeMs: 200_000, saysExpiry: false, nonceSpentOnRefusal: false },
    { leewayMs: 0, visibilityMs: 0, quoteLifeMs: 5_000, saysExpiry: true, nonceSpentOnRefusal: true },
  ]
  return corners.map((corner) => ({
    world: 'convert',
    schedule: { ...BARE, entries, truth: { ...base, ...corner } },
  }))
}

function withdrawals(entries: WithdrawSchedule['entries']): Small[] {
  const base = {
    ...{ skewMs: 0, toldAheadMs: 0, outageMs: 0, settleMs: 0, refundLagMs: 0, movingStatus: 'PENDING' },
    ...({ endsAs: 'COMPLETED', changesFee: false, garblesAnswer: false, foreignRowsMs: [], balance: '1000' } as const),
  }
  const corners = [
    { leewayMs: 60_000, visibilityMs: 59_000, nonceSpentOnRefusal: false, earlierRows: 1 },
    { leewayMs: 0, visibilityMs: 0, nonceSpentOnRefusal: true, earlierRows: 0 },
  ]
  return corners.map((corner) => ({
    world: 'withdraw',
    schedule: { ...BARE, entries, feeMode: 'deduct', truth: { ...base, ...corner } },
  }))
}

const SINGLE: Bounds = { fault: 2, crash: 1, freeze: 1, clock: 0, switch: 0 }
const PAIR: Bounds = { fault: 1, crash: 1, freeze: 0, clock: 0, switch: ANY_NUMBER }

export const SCOPES: Readonly<Record<string, Scope>> = {
  order: {
    about: 'one conversion: up to 2 faults, 1 crash, 1 freeze',
    bounds: SINGLE,
    lifeMs: DAY_MS,
    worlds: conversions(ONE),
  },
  withdrawal: {
    about: 'one withdrawal: up to 2 faults, 1 crash, 1 freeze',
    bounds: SINGLE,
    lifeMs: HALF_HOUR_MS,
    worlds: withdrawals(ONE),
  },
  'two-orders': {
    about: 'two identical conversions: up to 1 fault, 1 crash, in any order of their steps',
    bounds: PAIR,
    lifeMs: DAY_MS,
    worlds: conversions(TWO),
  },
  'two-withdrawals': {
    about: 'two identical withdrawals: up to 1 fault, 1 crash, in any order of their steps',
    bounds: PAIR,
    lifeMs: HALF_HOUR_MS,
    // One waits for the lane of another that was stopped until its own time is over.
    isDated: true,
    worlds: withdrawals(TWO),
  },
}
