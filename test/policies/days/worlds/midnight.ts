// Runs that begin on one day and send on the next: quiet hours around midnight hold what was planned before.
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, START_MS, setBalance } from './base.ts'

const LIMIT = 1_000

export const midnight: World = {
  name: 'midnight',
  says: 'runs open before midnight and send after it, under bounds of a day',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const contactId = contact('cold-usdc-polygon')
    return {
      file: fileOf(
        { pay: { kind: 'sweep', rules: [{ assets: ['USDC'], contactId, keep: { target: '100' } }] } },
        {
          total: { daily: String(LIMIT) },
          dailyOutflow: { USDC: String(LIMIT) },
          contacts: { [contactId]: { daily: String(LIMIT) } },
          quietHours: [{ from: '23:58', to: '00:02' }],
        },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        // Held by the quiet hours that its send would reach into.
        daily(START_MS, days, 23.96, (hands, day) => {
          if (day % 2 === 1) return
          setBalance(hands, 'USDC', 100 + LIMIT - 1)
          hands.start('pay')
        }),
        daily(START_MS, days, 0.2, (hands, day) => {
          // The day before took nothing yet.
          if (day % 2 === 0) return
          setBalance(hands, 'USDC', 100 + LIMIT - 1)
          hands.start('pay')
        }),
      ),
    }
  },
}
