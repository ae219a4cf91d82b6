// Draws the events of the treasury and their times from a seed. Prices wander, crash and recover, and money comes and
// goes. There is a corporate action and a maintenance window, and the service sometimes fails. Pure.
import { Draws } from '../draws.ts'

export const START_MS = Date.UTC(2026, 0, 5)
export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** A call of the sandbox's control API. */
export interface Event {
  readonly atMs: number
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** USD of one settled unit, from that moment on. */
export interface Prices {
  readonly atMs: number
  readonly usd: Readonly<Record<string, number>>
}

export interface Script {
  readonly events: readonly Event[]
  readonly prices: readonly Prices[]
  /** The service's maintenance window; undefined if the days end before it. */
  readonly maintenance: { readonly fromMs: number; readonly toMs: number } | undefined
  /** Days (from 0) on which the service fails. */
  readonly roughDays: ReadonlySet<number>
}

/** Opening price, and the spread of a quarter day's change. */
const WANDERING: Readonly<Record<string, readonly [usd: number, swing: number]>> = {
  BTC: [67_250, 0.015],
  ETH: [3_180, 0.018],
  SOL: [152, 0.02],
  SPYSPV: [571.2, 0.005],
}
/** USD value of the other assets in which prices are quoted. */
const QUOTES: Readonly<Record<string, number>> = { USD: 1, USDC: 1, USDT: 0.9998, EUR: 1.0842 }
const MARKETS = [
  ...['BTC', 'ETH'].flatMap((base) => ['USD', 'USDC', 'USDT', 'EUR'].map((quote) => [base, quote] as const)),
  ...['SOL', 'SPYSPV'].flatMap((base) => ['USD', 'USDC'].map((quote) => [base, quote] as const)),
]

const CRASH = { day: 25, factor: 0.7 }
const RALLY = { day: 50, factor: 1.3 }
const SPLIT_DAY = 40
const MAINTENANCE = { day: 60, fromHour: 3, hours: 7 }

export function writeScript(seed: number, days: number): Script {
  const draws = new Draws(seed)
  const prices = wander(draws, days)
  const isThere = (day: number) => day < days
  const maintenance = isThere(MAINTENANCE.day) ? maintenanceWindow() : undefined
  const events = [
    // The service's limits for each minute would make some runs wait, in the host's time.
    { atMs: START_MS - 1_000, path: '/limits', body: { perKey: 100_000, perAccount: 100_000 } },
    { atMs: START_MS, path: '/balance', body: { assetSymbol: 'USDT', balance: '9000' } },
    ...prices.flatMap(({ atMs, usd }) => MARKETS.map(([base, quote]) => priceEvent(atMs, base, quote, usd))),
    ...Array.from({ length: days }, (_, day) => [...money(draws, day), ...faults(draws, day)]).flat(),
    ...(isThere(SPLIT_DAY)
      ? [
          {
            atMs: atHour(SPLIT_DAY, 4),
            path: '/multiplier',
            body: { assetSymbol: 'SPYSPV', multiplier: '2.036467209024' },
          },
        ]
      : []),
    ...(maintenance === undefined
      ? []
      : [
          { atMs: maintenance.fromMs, path: '/maintenance', body: { on: true } },
          { atMs: maintenance.toMs, path: '/maintenance', body: { on: false } },
        ]),
  ]
  const roughDays = new Set(Array.from({ length: days }, (_, day) => day).filter((day) => isRough(draws, day)))
  return { events: events.sort((left, right) => left.atMs - right.atMs), prices, maintenance, roughDays }
}

export function dayOf(atMs: number): number {
  return Math.floor((atMs - START_MS) / DAY_MS)
}

function atHour(day: number, hour: number): number {
  return START_MS + day * DAY_MS + Math.round(hour * HOUR_MS)
}

function maintenanceWindow() {
  const { day, fromHour, hours } = MAINTENANCE
  return { fromMs: atHour(day, fromHour), toMs: atHour(day, fromHour + hours) }
}

/** Prices change four times a day, between the runs that read them. */
function wander(draws: Draws, days: number): Prices[] {
  const usd = Object.fromEntries(Object.entries(WANDERING).map(([asset, [price]]) => [asset, price]))
  const all: Prices[] = [{ atMs: START_MS, usd: { ...usd } }]
  for (let quarter = 0; quarter < days * 4; quarter += 1) {
    const day = Math.floor(quarter / 4)
    for (const [asset, [opening, swing]] of Object.entries(WANDERING)) {
      const price = usd[asset] as number
      const chance = draws.chance(`price ${asset} ${quarter}`) * 2 - 1
      // Pulled back a little, so that no seed ends at nothing.
      usd[asset] = price * (1 + chance * swing * 1.7 + 0.01 * Math.log(opening / price))
      if (asset !== 'SPYSPV' && quarter === CRASH.day * 4 + 1) usd[asset] *= CRASH.factor
      if (asset !== 'SPYSPV' && quarter === RALLY.day * 4 + 1) usd[asset] *= RALLY.factor
    }
    all.push({ atMs: atHour(day, (quarter % 4) * 6 + 5.6), usd: { ...usd } })
  }
  return all
}

function priceEvent(atMs: number, base: string, quote: string, usd: Readonly<Record<string, number>>): Event {
  const mid = (usd[base] as number) / (QUOTES[quote] as number)
  return { atMs, path: '/price', body: { market: `${base}-${quote}`, mid: mid.toFixed(4) } }
}

function money(draws: Draws, day: number): Event[] {
  const credit = (label: string, chance: number, assetSymbol: string, least: number, most: number, digits: number) => {
    const name = `${label} ${day}`
    if (draws.chance(`${name} comes`) >= chance) return []
    const amount = least + draws.chance(`${name} amount`) * (most - least)
    const body = { assetSymbol, credit: amount.toFixed(digits) }
    return [{ atMs: atHour(day, draws.chance(`${name} hour`) * 24), path: '/balance', body }]
  }
  const spent = draws.chance(`spent ${day}`) < 0.5 ? spend(draws, day) : []
  return [
    ...credit('invoice', 0.35, 'EUR', 500, 20_000, 2),
    ...credit('coins', 0.3, 'USDC', 50, 15_000, 6),
    ...credit('capital', 0.08, 'USD', 5_000, 40_000, 2),
    ...credit('mined', 0.1, 'BTC', 0.01, 0.2, 8),
    // Dust that others send. Nothing should follow from it.
    ...credit('dust', 0.3, 'USDC', 1, 2, 6),
    ...spent,
  ]
}

/** USDT leaves by card, without anything that Sluice does. */
function spend(draws: Draws, day: number): Event[] {
  const body = { assetSymbol: 'USDT', spend: (200 + draws.chance(`spend ${day}`) * 1_500).toFixed(6) }
  return [{ atMs: atHour(day, 14 + draws.chance(`spend hour ${day}`) * 8), path: '/spend', body }]
}

function isRough(draws: Draws, day: number): boolean {
  return draws.chance(`rough ${day}`) < 0.35
}

function faults(draws: Draws, day: number): Event[] {
  if (!isRough(draws, day)) return []
  const drawn = Array.from({ length: draws.whole(`faults ${day}`, 2, 4) }, (_, n) => {
    const [match, fault] = drawFault(`fault ${day} ${n}`, draws)
    return { atMs: atHour(day, 0) - 500, path: '/rules', body: { match, fault } }
  })
  // Clears faults that no request has met, so that they do not affect a smooth day.
  return [...drawn, { atMs: atHour(day, 23.95), path: '/rules', body: { clear: true } }]
}

type Drawn = readonly [match: Readonly<Record<string, unknown>>, fault: Readonly<Record<string, unknown>>]

function drawFault(label: string, draws: Draws): Drawn {
  const orders = { method: 'POST', path: '/v2/orders', probability: 0.6, times: 2 }
  const quotes = { method: 'POST', path: '/v2/quotes', probability: 0.6, times: 2 }
  const withdrawals = { method: 'POST', path: '/v2/withdrawals' }
  const laterMs = draws.whole(`${label} ms`, 1_000, 50_000)
  return draws.pick<Drawn>(label, [
    [orders, { kind: 'dropAfterCommit' }],
    [orders, { kind: 'dropBeforeCommit' }],
    [orders, { kind: 'errorAfterCommit', status: 500, code: 'internal_error' }],
    [orders, { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' }],
    [orders, { kind: 'settleLater', afterMs: laterMs, outcome: 'fill' }],
    [orders, { kind: 'settleLater', afterMs: laterMs, outcome: 'fail' }],
    [orders, { kind: 'settleLater', afterMs: laterMs, outcome: 'partial' }],
    [quotes, { kind: 'expireQuote' }],
    [quotes, { kind: 'errorBeforeCommit', status: 502, code: 'downstream_unavailable' }],
    [withdrawals, { kind: 'dropAfterCommit' }],
    [withdrawals, { kind: 'lateVisibility', ms: laterMs }],
    [withdrawals, { kind: 'failLater', afterMs: 2_000 }],
    [
      { method: 'GET', path: '/v2/*', probability: 0.02, times: 3 },
      { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' },
    ],
    [{ method: 'GET', path: '/v2/balances*', times: 2 }, { kind: 'dropBeforeCommit' }],
  ])
}
