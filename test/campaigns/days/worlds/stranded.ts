// A converted amount is not sent on: the service refuses the withdrawal, or it fails later and comes back.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, fileOf, START_MS, setBalance } from './base.ts'

export const stranded: World = {
  name: 'stranded',
  says: 'withdrawals of what was just converted are refused, or fail later',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    return {
      file: fileOf({
        coins: {
          ...{ kind: 'sweep', breaker: { failures: 50 } },
          rules: [
            { assets: ['SOL'], convertInto: 'USDC', keep: { target: '10' }, contactId: contact('cold-usdc-polygon') },
          ],
        },
        bills: {
          ...{
            kind: 'convert-and-withdraw',
            from: 'EUR',
            into: 'USD',
            keep: { target: '1000' },
            breaker: { failures: 50 },
          },
          contactId: contact('house-bank-usd'),
        },
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 9, (hands) => {
          hands.clearRules()
          setBalance(hands, 'SOL', 60)
          setBalance(hands, 'EUR', 3_000)
          const fault =
            chance('how') < 0.5
              ? { kind: 'errorBeforeCommit', status: 422, code: 'unprocessable' }
              : { kind: 'failLater', afterMs: 2_000 }
          hands.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 'always' }, fault })
          hands.start('coins')
          hands.start('bills')
        }),
        daily(START_MS, days, 12, (hands) => hands.clearRules()),
        // The next run has nothing of its own to do.
        daily(START_MS, days, 15, (hands, day) => {
          if (day < days - 1) return
          hands.start('coins')
          hands.start('bills')
        }),
      ),
    }
  },
}
