// Small scopes, exhaustively: every schedule of one small world with a bounded number of faults,
// crashes, freezes and switches, found by departing from the plain course at each point in turn.

import { addTo, brokenWorld, type Figures, noFigures, timing } from './campaign.ts'
import { type Bounds, type Departure, scriptedChoices } from './choices.ts'
import { type ConvertSchedule, runConversions } from './convert-world.ts'
import { runWithdrawals, type WithdrawSchedule } from './withdraw-world.ts'

type Small =
  | { readonly world: 'convert'; readonly schedule: ConvertSchedule }
  | { readonly world: 'withdraw'; readonly schedule: WithdrawSchedule }

export interface Scope {
  readonly about: string
  readonly bounds: Bounds
  /** The service's true behaviour, at the corners of what the configuration allows for. */
  readonly worlds: readonly Small[]
}

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
    schedule: { ...{ seed: 0, faults: 0, without: [] }, entries, truth: { ...base, ...corner } },
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
    schedule: { ...{ seed: 0, faults: 0, without: [] }, entries, feeMode: 'deduct', truth: { ...base, ...corner } },
  }))
}

const SINGLE: Bounds = { fault: 2, crash: 1, freeze: 1, clock: 0, switch: 0 }
const PAIR: Bounds = { fault: 1, crash: 1, freeze: 0, clock: 0, switch: 1 }

export const SCOPES: Readonly<Record<string, Scope>> = {
  order: { about: 'one conversion: up to 2 faults, 1 crash, 1 freeze', bounds: SINGLE, worlds: conversions(ONE) },
  withdrawal: { about: 'one withdrawal: up to 2 faults, 1 crash, 1 freeze', bounds: SINGLE, worlds: withdrawals(ONE) },
  'two-orders': {
    about: 'two identical conversions: up to 1 fault, 1 crash, 1 switch between them out of turn',
    bounds: PAIR,
    worlds: conversions(TWO),
  },
  'two-withdrawals': {
    about: 'two identical withdrawals: up to 1 fault, 1 crash, 1 switch between them out of turn',
    bounds: PAIR,
    worlds: withdrawals(TWO),
  },
}

/** Of the schedules with two departures and more, those whose number leaves `index` modulo `of`. */
export interface Share {
  readonly index: number
  readonly of: number
}

export interface FailedScript {
  /** Which of the scope's worlds. */
  readonly corner: number
  readonly script: readonly Departure[]
  readonly violations: readonly string[]
}

export interface Explored extends Figures {
  readonly scripts: FailedScript[]
}

const MOST_FAILURES = 5

/** Runs the plain course, then each departure from it, then each departure from that, within the bounds. */
export async function explore({ bounds, worlds }: Scope, share: Share): Promise<Explored> {
  const explored: Explored = { ...noFigures(), scripts: [] }
  const stop = timing(explored)
  let pairs = 0
  for (const [corner, small] of worlds.entries()) {
    const open: Departure[][] = [[]]
    for (let script = open.pop(); script && explored.scripts.length < MOST_FAILURES; script = open.pop()) {
      const { points, violations } = await runScript(small, script, bounds, explored)
      if (violations.length > 0) explored.scripts.push({ corner, script, violations })
      const from = (script.at(-1)?.point ?? -1) + 1
      for (let point = points.length - 1; point >= from; point -= 1) {
        for (let option = 1; option < (points[point] ?? 0); option += 1) {
          // The pairs divide the tree into parts of like size; what is below one belongs to it.
          if (script.length === 1 && pairs++ % share.of !== share.index) continue
          open.push([...script, { point, option }])
        }
      }
      if (explored.schedules % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  stop()
  return explored
}

/** One schedule of a scope again. */
export async function followScript({ bounds, worlds }: Scope, corner: number, script: readonly Departure[]) {
  const small = worlds[corner]
  return small ? (await runScript(small, script, bounds, noFigures())).violations : ['no such corner']
}

async function runScript(small: Small, script: readonly Departure[], bounds: Bounds, figures: Figures) {
  const choices = scriptedChoices(script, bounds)
  const running =
    small.world === 'convert' ? runConversions(small.schedule, choices) : runWithdrawals(small.schedule, choices)
  const ended = await running.catch(brokenWorld)
  addTo(figures, ended)
  return { points: choices.points, violations: ended.violations }
}
