// Network fees rise and fall between any two steps of a withdrawal, and while it waits for quiet hours to end.
import type { Hands } from '../hands.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, START_MS, setBalance } from './base.ts'

const BETWEEN: ReadonlySet<string> = new Set(['PlanSweep', 'CheckWithdrawal', 'ConvertLegs'])
const NETWORKS = [
  ['USDC', 'POLYGON'],
  ['USDT', 'TRON'],
] as const

export const fees: World = {
  name: 'fees',
  says: 'what a network takes changes between any two steps of a withdrawal',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const add = { feeMode: 'add' }
    const rise = (hands: Hands) => {
      for (const [assetSymbol, networkId] of NETWORKS) {
        hands.control('/fee', { assetSymbol, networkId, fee: (0.1 + 8 * chance(`${assetSymbol} fee`)).toFixed(2) })
      }
    }
    return {
      file: fileOf(
        {
          out: {
            ...{ kind: 'sweep', ...every(4, 1) },
            rules: [{ ...add, assets: ['USDC'], contactId: contact('cold-usdc-polygon'), keep: { target: '20000' } }],
          },
          bills: {
            ...{ kind: 'convert-and-withdraw', ...every(4, 3), ...add, from: 'USD', into: 'USDT', amount: '500' },
            contactId: contact('supplier-usdt-tron'),
          },
        },
        // A day's bills without their fees, and little more.
        { dailyOutflow: { USDT: '2010' } },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[0.5, 4.5, 8.5, 12.5, 16.5, 20.5].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            rise(hands)
            setBalance(hands, 'USDC', 21_000 + 5_000 * chance('dollars'))
          }),
        ),
      ),
      onStep({ what }, hands) {
        if (BETWEEN.has(what) && chance(`whether ${what}`) < 0.6) rise(hands)
      },
    }
  },
}
