// What a person approved meets another price than the one that was shown: right after the word, before the first quote.
// And payments that are small enough each, of which nobody is asked.
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, priceAt, START_MS, setBalance } from './base.ts'

export const approvals: World = {
  name: 'approvals',
  says: 'prices double or halve, or guards are edited, right after a plan is approved; payments are split below the bound',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    let isApproved = false
    return {
      file: fileOf({
        buys: {
          ...{ kind: 'rebalance', amounts: { ETH: '15000' }, hubs: ['USD'], band: { of: 'absolute', bps: 10 } },
          approval: { above: '1000' },
        },
        // Each run sends no more than the bound of one movement, and so never what a person is asked about.
        bills: {
          ...{ kind: 'sweep', ...every(8, 3), approval: { above: '1000' }, guards: { total: { largest: '900' } } },
          rules: [{ assets: ['USDC'], contactId: contact('cold-usdc-polygon'), keep: { target: '1000' } }],
        },
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 9, (hands) => {
          priceAt(hands, 'ETH', 1)
          setBalance(hands, 'ETH', chance('side') < 0.5 ? 0.01 : 12)
          setBalance(hands, 'USD', 200_000)
          hands.start('buys')
        }),
        daily(START_MS, days, 10, async (hands, day) => {
          isApproved = day % 2 === 0
          await hands.approve()
          if (!isApproved) hands.edit((file) => ({ ...file, guards: otherGuards(file.guards) }))
        }),
      ),
      onRequest({ where, what }, hands) {
        // The first price that a leg asks for, or its quote: what comes before looks at the approval.
        if (!isApproved || where !== 'POST' || what !== '/v2/quotes') return
        isApproved = false
        priceAt(hands, 'ETH', chance('which') < 0.5 ? 2 : 0.5)
      },
    }
  },
}

function otherGuards({ valuationAsset = 'USD' }: { readonly valuationAsset?: string }) {
  return { valuationAsset: valuationAsset === 'USD' ? 'USDC' : 'USD' }
}
