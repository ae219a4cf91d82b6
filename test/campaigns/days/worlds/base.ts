// Provides building blocks of worlds: a treasury around some policies, a service that is calm until the world changes
// it, and times of the days.
import { ConfigError, parseTreasury } from '../../../../core/treasury/config.ts'
import { Draws } from '../../draws.ts'
import type { Hands } from '../hands.ts'
import { DAY_MS, START_MS } from '../script.ts'
import type { TreasuryFile } from '../treasury-file.ts'
import type { Happening, Moment } from '../world.ts'

export { START_MS }

const HOUR_MS = 3_600_000

export function fileOf(policies: TreasuryFile, guards: TreasuryFile = {}): TreasuryFile {
  return {
    service: { url: 'https://api.example.com', stage: 'test', shared: false },
    // The time inside a function is the host's, so each check reads once.
    timing: { pollInsideSeconds: 0 },
    guards,
    webhooks: {},
    policies,
  }
}

/** Middle prices in USD, until a world moves them. */
export const CALM: Readonly<Record<string, number>> = {
  BTC: 67_250,
  ETH: 3_180,
  SOL: 152,
  LINK: 14.6,
  USDT: 1,
  EUR: 1.08,
  EURC: 1.08,
}

const MARKETS = ['BTC', 'ETH', 'SOL', 'LINK'].flatMap((asset) => [`${asset}-USD`, `${asset}-USDC`])
const PEGGED = {
  'USDC-USD': 1,
  'USDT-USD': 1,
  'USDT-USDC': 1,
  'BTC-USDT': 67_250,
  'EUR-USD': 1.08,
  'USDC-EUR': 1 / 1.08,
  'EURC-USDC': 1.08,
  'EURC-EUR': 1,
}

/** Fixes every price in use, and lifts the limits that would make runs wait in the host's time. */
export function calmBefore(startMs: number): Happening {
  return {
    atMs: startMs - 30_000,
    do: (hands) => {
      hands.control('/limits', { perKey: 100_000, perAccount: 100_000 })
      for (const market of MARKETS) hands.price(market, CALM[market.split('-', 1)[0] as string] as number)
      for (const [market, mid] of Object.entries(PEGGED)) hands.price(market, mid)
    },
  }
}

/** Sets both markets of an asset to `factor` times its calm price. */
export function priceAt(hands: Hands, asset: string, factor: number): void {
  for (const quote of ['USD', 'USDC']) hands.price(`${asset}-${quote}`, (CALM[asset] as number) * factor)
}

/** Repeats an act every day. */
export function daily(
  startMs: number,
  days: number,
  hour: number,
  act: (hands: Hands, day: number) => void | Promise<void>,
): Happening[] {
  return Array.from({ length: days }, (_, day) => ({
    atMs: startMs + day * DAY_MS + Math.round(hour * HOUR_MS),
    do: (hands) => act(hands, day),
  }))
}

export function byTime(...lists: readonly (readonly Happening[])[]): Happening[] {
  return lists.flat().sort((one, other) => one.atMs - other.atMs)
}

/** Whether a treasury.json would be accepted. */
export function isTaken(file: TreasuryFile): boolean {
  try {
    parseTreasury(JSON.stringify(file))
    return true
  } catch (error) {
    if (error instanceof ConfigError) return false
    throw error
  }
}

/** Sets an available balance. It stays unchanged if the difference is too small for a deposit. */
export function setBalance(hands: Hands, assetSymbol: string, balance: number): void {
  const missing = balance - hands.available(assetSymbol)
  if (missing > 0 && missing * (CALM[assetSymbol] ?? 1) < LEAST_DEPOSIT_USD) return
  hands.control('/balance', { assetSymbol, balance: balance.toFixed(6) })
}

/** No minimum deposit is worth more. */
const LEAST_DEPOSIT_USD = 10

/** Random values by label and by how often the label was drawn. */
export function chances(seed: number): (label: string) => number {
  const draws = new Draws(seed)
  const seen = new Map<string, number>()
  return (label) => {
    const count = (seen.get(label) ?? 0) + 1
    seen.set(label, count)
    return draws.chance(`${label} ${count}`)
  }
}

/** Whether a run has just been planned. */
export function isPlanned({ what }: Moment): boolean {
  return what === 'PlanRebalance' || what === 'PlanSweep'
}

/** Whether it is a run of the policy, by the execution's name. */
export function isOf({ execution = '' }: Moment, policy: string): boolean {
  return execution.startsWith(`${policy}-`)
}

export const every = (hours: number, atHour = 0) => ({ schedule: { expression: `cron(0 ${atHour}/${hours} * * ? *)` } })
