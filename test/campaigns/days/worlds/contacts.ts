// Contacts are edited between any two steps of a withdrawal: another address, another network, another name.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, START_MS, setBalance } from './base.ts'

const EDITS = [
  { destination: 'an address of somebody else' },
  { networkId: 'SOLANA' },
  { networkId: 'POLYGON' },
  { alias: 'Cold storage, moved' },
]

const BETWEEN: ReadonlySet<string> = new Set(['PlanSweep', 'CheckWithdrawal', 'ConvertLegs'])

export const contacts: World = {
  name: 'contacts',
  says: 'contacts are edited between any two steps of a withdrawal',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const [cold, supplier] = [contact('cold-usdc-polygon'), contact('supplier-usdt-tron')]
    return {
      file: fileOf({
        out: {
          kind: 'sweep',
          ...every(4, 1),
          rules: [{ assets: ['USDC'], contactId: cold, keep: { target: '20000' } }],
        },
        bills: {
          ...{ kind: 'convert-and-withdraw', ...every(4, 3), from: 'USD', into: 'USDT', amount: '500' },
          contactId: supplier,
        },
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[0.5, 4.5, 8.5, 12.5, 16.5, 20.5].map((hour) =>
          daily(START_MS, days, hour, (hands) => setBalance(hands, 'USDC', 21_000 + 5_000 * chance('dollars'))),
        ),
      ),
      onStep({ what }, hands) {
        if (!BETWEEN.has(what) || chance(`whether ${what}`) < 0.5) return
        const edit = EDITS[Math.floor(chance('which') * EDITS.length)] ?? {}
        // After the check of the withdrawal, another network is a withdrawal that nobody asked for, so a person
        // decides.
        if ('networkId' in edit && what === 'CheckWithdrawal') return
        hands.control(`/contacts/${cold}`, edit)
        // The other asset has other networks.
        if (!('networkId' in edit)) hands.control(`/contacts/${supplier}`, edit)
      },
    }
  },
}
