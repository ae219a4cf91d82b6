// Runs are held for hours between their plan and their sends, by quiet hours and by a service that accepts nothing
// more. Meanwhile prices move, money leaves, and contacts are edited.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, fileOf, isPlanned, priceAt, START_MS, setBalance } from './base.ts'

const LIFE = { runLifeSeconds: 43_200 }

export const throttled: World = {
  name: 'throttled',
  says: 'runs are held for hours: meanwhile prices move, money goes, contacts are edited, the day ends',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const cold = contact('cold-btc')
    return {
      file: fileOf(
        {
          out: { kind: 'sweep', ...LIFE, rules: [{ assets: ['BTC'], contactId: cold, keep: { target: '1' } }] },
          coins: {
            kind: 'convert-on-arrival',
            ...LIFE,
            asset: 'SOL',
            into: 'USDC',
            keep: { target: '100' },
            onDeposit: false,
          },
        },
        {
          worstSlippageBps: 50,
          total: { largest: '40000', daily: '60000' },
          quietHours: [
            { from: '09:00', to: '14:00' },
            { from: '22:00', to: '03:00' },
          ],
        },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        // A token would live into the quiet hours, so the run is held. The last evening is left out, because nobody
        // sees its end.
        ...[8.998, 8.99995, 21.998].map((hour) =>
          daily(START_MS, days - (hour > 12 ? 1 : 0), hour, (hands, day) => {
            // Every other day so late that the quiet hours have begun before the send.
            if ((hour === 8.998 && day % 2 === 1) || (hour === 8.99995 && day % 2 === 0)) return
            setBalance(hands, 'BTC', 1.3)
            setBalance(hands, 'SOL', 250)
            priceAt(hands, 'BTC', 1)
            priceAt(hands, 'SOL', 1)
            hands.start('out')
            hands.start('coins')
          }),
        ),
        ...[11, 23.5].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            priceAt(hands, 'BTC', 0.7 + 0.8 * chance('BTC'))
            priceAt(hands, 'SOL', 0.7 + 0.8 * chance('SOL'))
            if (chance('spent') < 0.5) hands.spend('BTC', 0.25)
            if (chance('spent') < 0.5) hands.spend('SOL', 100)
            if (chance('edited') < 0.5) hands.control(`/contacts/${cold}`, { alias: 'Moved' })
          }),
        ),
        // No more requests for a quarter of an hour after the quiet hours.
        ...[2.99, 13.99].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            if (chance('limited') < 0.5) return
            const fault = { kind: 'rateLimit', retryAfterSeconds: 60 }
            hands.control('/rules', { match: { path: '/v2/*', times: 'always' }, fault })
          }),
        ),
        ...[3.25, 14.25].map((hour) => daily(START_MS, days, hour, (hands) => hands.clearRules())),
      ),
      onStep(moment, hands) {
        if (isPlanned(moment) && chance('after the plan') < 0.2) hands.spend('BTC', 0.05)
      },
    }
  },
}
