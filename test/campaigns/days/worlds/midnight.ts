// Runs begin on one day and send on the next: quiet hours around midnight hold what was planned before. Bounds of any
// 24 hours apply if the file may ask for them.

import type { TreasuryFile } from '../treasury-file.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, isTaken, START_MS, setBalance } from './base.ts'

const LIMIT = 1_000

export const midnight: World = {
  name: 'midnight',
  says: 'runs open before midnight and send after it, under bounds of a day and of any 24 hours',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const [cold, supplier] = [contact('cold-usdc-polygon'), contact('supplier-usdt-tron')]
    const sweep = (asset: string, contactId: string, guards: object) => ({
      ...{ kind: 'sweep', guards: { total: { daily: String(LIMIT) }, ...guards }, breaker: { failures: 100 } },
      rules: [{ assets: [asset], contactId, keep: { target: '100' } }],
    })
    const fileWith = (guards: object): TreasuryFile =>
      fileOf(
        { pay: sweep('USDC', cold, {}), bills: sweep('USDT', supplier, guards) },
        {
          dailyOutflow: { USDC: String(LIMIT) },
          contacts: { [cold]: { daily: String(LIMIT) } },
          quietHours: [{ from: '23:58', to: '00:02' }],
        },
      )
    const rolling = fileWith({ dailyWindow: 'rolling' })
    return {
      file: isTaken(rolling) ? rolling : fileWith({}),
      happenings: byTime(
        [calmBefore(START_MS)],
        // Held by the quiet hours, because its send would reach into them.
        daily(START_MS, days, 23.96, (hands, day) => {
          if (day % 2 === 1) return
          setBalance(hands, 'USDC', 100 + LIMIT - 1)
          hands.start('pay')
        }),
        daily(START_MS, days, 0.2, (hands, day) => {
          // Nothing was sent yet on the day before.
          if (day % 2 === 0) return
          setBalance(hands, 'USDC', 100 + LIMIT - 1)
          hands.start('pay')
        }),
        // On two days, and within three hours.
        ...[1, 22].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            setBalance(hands, 'USDT', 100 + 0.9 * LIMIT)
            hands.start('bills')
          }),
        ),
      ),
    }
  },
}
