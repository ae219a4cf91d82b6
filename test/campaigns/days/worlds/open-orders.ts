// Orders of other policies are open at the moment of a send: answered, paid later, and in no balance until then.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, fileOf, START_MS, setBalance } from './base.ts'

const HOURS = [2, 8, 14, 20]

export const openOrders: World = {
  name: 'open-orders',
  says: 'orders of other policies are open, and reserve nothing, at the moment of a send',
  startMs: START_MS,
  plot(seed, days) {
    const chance = chances(seed)
    const fund = (asset: string) => ({
      ...{ kind: 'fund', asset, atLeast: '60000', from: [{ asset: 'BTC', keep: '1' }] },
      // A run fails if its order fails when it is due.
      breaker: { failures: 50 },
    })
    const unpaid = { kind: 'settleLater', outcome: 'fill', reserve: false }
    return {
      file: fileOf({
        dollars: fund('USD'),
        coins: fund('USDC'),
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...HOURS.map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            setBalance(hands, 'BTC', 1.2 + chance('coins'))
            for (const asset of ['USD', 'USDC']) setBalance(hands, asset, 10_000)
            const fault = { ...unpaid, afterMs: 30_000 + Math.round(600_000 * chance('later')) }
            hands.control('/rules', { match: { method: 'POST', path: '/v2/orders', times: 2 }, fault })
            hands.start('dollars')
          }),
        ),
        // Usually within the minutes in which the first order is open.
        ...HOURS.map((hour) => daily(START_MS, days, hour + 0.002, (hands) => hands.start('coins'))),
        ...HOURS.map((hour) => daily(START_MS, days, hour + 1, (hands) => hands.clearRules())),
      ),
    }
  },
}
