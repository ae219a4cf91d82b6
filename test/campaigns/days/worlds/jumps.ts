// Prices jump between any two requests of a run, and back, so that every price read is different.

import type { Hands } from '../hands.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, isPlanned, priceAt, START_MS, setBalance } from './base.ts'

const ASSETS = ['BTC', 'ETH', 'SOL', 'LINK']
/** Chance for each request, so that some plans meet no jump; and right after a plan. */
const CHANCE = 0.03
const CHANCE_AFTER_PLAN = 0.5

export const jumps: World = {
  name: 'jumps',
  says: 'prices jump by up to a fifth between any two requests of a run',
  startMs: START_MS,
  plot(seed, days) {
    const chance = chances(seed)
    const jump = (hands: Hands) => {
      const asset = ASSETS[Math.floor(chance('which') * ASSETS.length)] as string
      priceAt(hands, asset, 0.85 + 0.35 * chance('factor'))
    }
    return {
      file: fileOf(
        {
          coins: { kind: 'convert-on-arrival', ...every(3, 1), asset: 'SOL', into: 'USDC', keep: { target: '100' } },
          balanced: { kind: 'rebalance', ...every(4, 2), weights: { BTC: '0.4', ETH: '0.3', USD: '0.3' } },
          links: {
            ...{ kind: 'fund', ...every(6, 5), asset: 'LINK', atLeast: '5000' },
            from: [{ asset: 'USDC', keep: '1000' }],
          },
        },
        { worstSlippageBps: 50 },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[0.9, 6.9, 12.9, 18.9].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            setBalance(hands, 'SOL', 150 + 300 * chance('coins'))
            setBalance(hands, 'LINK', 1_000 + 3_000 * chance('links'))
          }),
        ),
      ),
      onRequest({ what }, hands) {
        if (what === '/v2/time' || what === '/v2/health' || chance('whether') > CHANCE) return
        jump(hands)
      },
      onStep(moment, hands) {
        if (isPlanned(moment) && chance('after the plan') < CHANCE_AFTER_PLAN)
          for (let n = 0; n < 2; n += 1) jump(hands)
      },
    }
  },
}
