// Each day has another random portfolio: coins and equities over their own markets and hubs, with several, one or no
// allowed hub. A few runs later it must be at its target, unless something forbids it.

import { loadParts } from '@sluice/service-sandbox'
import { RunEnd } from '../../../../core/contract/runs.ts'
import type { Evidence } from '../evidence.ts'
import type { Hands } from '../hands.ts'
import { judgeTargets } from '../observer/targets.ts'
import { DAY_MS } from '../script.ts'
import type { TreasuryFile } from '../treasury-file.ts'
import type { World } from '../world.ts'
import { byTime, CALM, calmBefore, chances, daily, fileOf, START_MS, setBalance } from './base.ts'

const { MARKETS } = await loadParts()

const COINS = ['BTC', 'ETH', 'SOL', 'LINK']
const EQUITIES = ['AAPLSPV', 'NVDASPV']
const USD: Readonly<Record<string, number>> = { ...CALM, USD: 1, USDC: 1, AAPLSPV: 231.4, NVDASPV: 1_289 }
const HUBS = [undefined, ['USDC'], ['USDC', 'USD'], ['USDT', 'USDC'], ['EUR', 'USDC'], ['USD', 'USDC', 'EUR']]
const RUNS_AT = [3, 6, 9, 12]
const JUDGED_AT = 15

type Chance = ReturnType<typeof chances>

export const portfolios: World = {
  name: 'portfolios',
  says: 'each day has another portfolio, over markets of its coins, several hubs or none, and must reach its target',
  startMs: START_MS,
  plot(seed, days) {
    const chance = chances(seed)
    return {
      file: fileOf({ mix: policyOf(chance) }),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 0.5, (hands) => drawDay(hands, chance)),
        daily(START_MS, days, 1, (hands) => hands.edit((file) => withPolicy(file, policyOf(chance)))),
        ...RUNS_AT.map((hour) => daily(START_MS, days, hour, (hands) => hands.start('mix'))),
      ),
      expect: (evidence) => {
        const moments = Array.from({ length: days }, (_, day) => START_MS + day * DAY_MS + JUDGED_AT * 3_600_000)
        return moments.flatMap((atMs) => {
          const found = judgeTargets('mix', [atMs], evidence)
          return [...found, ...(found.length > 0 ? judgeReport(atMs, evidence) : [])]
        })
      },
    }
  },
}

/** If something is left to trade, the last run before must report it. */
function judgeReport(atMs: number, { runs }: Evidence): string[] {
  const last = runs.findLast(({ startedAt }) => Date.parse(startedAt) < atMs)
  const isDone = last?.outcome === RunEnd.Settled || last?.outcome === RunEnd.NothingToDo
  return isDone ? [`said: ${last.name} ended ${last.outcome}, far from its target`] : []
}

function withPolicy(file: TreasuryFile, mix: TreasuryFile): TreasuryFile {
  return { ...file, policies: { mix } }
}

/** Makes prices of different markets differ by some basis points, and may split an equity. */
function drawDay(hands: Hands, chance: Chance): void {
  for (const { id, base, quote } of MARKETS) {
    const [ofBase, ofQuote] = [USD[base.symbol], USD[quote.symbol]]
    if (ofBase === undefined || ofQuote === undefined || quote.symbol === 'USD') continue
    hands.price(id, (ofBase / ofQuote) * (1 + (chance('off') - 0.5) / 250))
  }
  for (const asset of EQUITIES) hands.price(`${asset}-USD`, USD[asset] as number)
  if (chance('split') < 0.2)
    hands.control('/multiplier', { assetSymbol: 'NVDAX', multiplier: (5 + 10 * chance('factor')).toFixed(6) })
  for (const asset of [...COINS, ...EQUITIES, 'USD', 'USDC']) {
    const worth = chance('held') < 0.3 ? 20 * chance('few') : 60_000 * chance('many')
    setBalance(hands, asset, worth / (USD[asset] as number))
  }
}

function policyOf(chance: Chance): TreasuryFile {
  // Two coins and only their own market: no hub helps.
  if (chance('pair') < 0.2) {
    const guards = { allowedMarkets: ['ETH-BTC'] }
    return { ...common(chance), weights: { BTC: '0.5', ETH: '0.5' }, hubs: ['USDC'], guards }
  }
  const drawn = [...COINS, ...EQUITIES].filter(() => chance('asset') < 0.6)
  const money = ['USD', 'USDC'].filter(() => chance('money') < 0.3)
  const assets = drawn.length + money.length < 2 ? ['BTC', 'ETH'] : [...drawn, ...money]
  const parts = assets.map(() => 1 + Math.floor(9 * chance('part')))
  const sum = parts.reduce((total, part) => total + part, 0)
  const shares = parts.map((part) => Math.floor((part * 1_000) / sum))
  shares[0] = (shares[0] as number) + 1_000 - shares.reduce((total, share) => total + share, 0)
  const weights = Object.fromEntries(assets.map((asset, index) => [asset, String((shares[index] as number) / 1_000)]))
  const hubs = HUBS[Math.floor(chance('hubs') * HUBS.length)]
  const allowedMarkets = MARKETS.filter(() => chance('market') < 0.7).map(({ id }) => id)
  return {
    ...common(chance),
    weights,
    ...(hubs && { hubs }),
    ...(chance('allowed') < 0.3 && { guards: { allowedMarkets } }),
  }
}

function common(chance: Chance): TreasuryFile {
  const of = chance('band') < 0.5 ? 'absolute' : 'relative'
  const band = { of, bps: 50 + Math.floor(300 * chance('bps')) }
  return { kind: 'rebalance', band, smallestTrade: (40 * chance('smallest')).toFixed(2), breaker: { failures: 50 } }
}
