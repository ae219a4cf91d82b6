// Money leaves between a plan and its sends, so a policy's floor must be checked at the send.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, isOf, isPlanned, START_MS, setBalance } from './base.ts'

/** The floor of each policy in the asset that it sells or sends. */
const FLOORS = {
  out: ['BTC', 1],
  euros: ['EUR', 5_000],
  float: ['USDC', 15_000],
  balanced: ['USD', 50_000],
} as const

export const spent: World = {
  name: 'spent',
  says: 'money goes by other ways between a plan and its sends',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const keep = ([, target]: readonly [string, number]) => ({ target: String(target) })
    return {
      file: fileOf({
        out: {
          ...{ kind: 'sweep', ...every(6, 1) },
          rules: [{ assets: ['BTC'], keep: keep(FLOORS.out), contactId: contact('cold-btc') }],
        },
        euros: { kind: 'convert-on-arrival', ...every(6, 2), asset: 'EUR', into: 'USDC', keep: keep(FLOORS.euros) },
        float: {
          ...{ kind: 'fund', ...every(6, 3), asset: 'USDT', atLeast: '30000' },
          from: [{ asset: 'USDC', keep: String(FLOORS.float[1]) }],
        },
        balanced: {
          ...{ kind: 'rebalance', ...every(12, 4), weights: { ETH: '0.5', USD: '0.5' } },
          reserve: { USD: String(FLOORS.balanced[1]) },
        },
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[0.5, 6.5, 12.5, 18.5].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            setBalance(hands, 'BTC', 1.2 + chance('coins'))
            setBalance(hands, 'EUR', 5_500 + 9_000 * chance('euros'))
            setBalance(hands, 'USDC', 20_000 + 9_000 * chance('dollars'))
            setBalance(hands, 'USDT', 10_000)
            setBalance(hands, 'USD', 80_000 + 50_000 * chance('fiat'))
            setBalance(hands, 'ETH', 1)
          }),
        ),
      ),
      onStep(moment, hands) {
        if (!isPlanned(moment)) return
        for (const [policy, [asset, floor]] of Object.entries(FLOORS)) {
          if (!isOf(moment, policy) || chance(`whether ${policy}`) < 0.4) continue
          hands.spend(asset, (hands.available(asset) - floor) * (0.2 + 0.8 * chance(`much ${policy}`)))
        }
      },
    }
  },
}
