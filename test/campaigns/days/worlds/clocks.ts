// Clocks go forward or back while runs are due, held and sent. Quiet hours and schedules of a zone follow its clocks,
// and daily bounds follow UTC.
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, setBalance } from './base.ts'

/** The day before the clocks of Madrid change in spring. */
const SPRING_MS = Date.UTC(2026, 2, 28)

export const clocks: World = {
  name: 'clocks',
  says: 'clocks are put forward while runs are due, held by quiet hours and sent',
  startMs: SPRING_MS,
  plot(_seed, days, contact) {
    const timeZone = 'Europe/Madrid'
    return {
      file: fileOf(
        {
          pay: {
            ...{ kind: 'sweep', runLifeSeconds: 43_200 },
            // Half past two does not exist that night.
            schedule: { expression: 'cron(30 2 * * ? *)', timeZone },
            rules: [{ assets: ['USDC'], contactId: contact('cold-usdc-polygon'), keep: { target: '100' } }],
          },
        },
        {
          total: { daily: '1000' },
          quietHours: [
            { from: '01:00', to: '01:59', timeZone },
            { from: '03:10', to: '04:00', timeZone },
          ],
        },
      ),
      happenings: byTime(
        [calmBefore(SPRING_MS)],
        ...[0.98, 1.15, 2.5, 23.9].map((hour) =>
          daily(SPRING_MS, days, hour, (hands) => {
            setBalance(hands, 'USDC', 700)
            hands.start('pay')
          }),
        ),
      ),
    }
  },
}
