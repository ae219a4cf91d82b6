// Assets without a price, a market or a name. A policy that names one of them cannot be right, and holdings of one have
// an unknown value.
import type { Evidence } from '../evidence.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, isOf, START_MS, setBalance } from './base.ts'

export const strange: World = {
  name: 'strange',
  says: 'policies name assets that are misspelt, lose their price or their listing, and hold hubs without a price',
  startMs: START_MS,
  plot(seed, days) {
    const chance = chances(seed)
    return {
      file: fileOf({
        typo: { kind: 'rebalance', ...every(12, 1), weights: { ETH: '0.3', ETHH: '0.2', USD: '0.5' } },
        delisted: { kind: 'convert-on-arrival', ...every(12, 3), asset: 'LINK', into: 'USDC', onDeposit: false },
        // The amount that it brings to the hub stays there, and has no price at the next check.
        through: {
          ...{ kind: 'rebalance', ...every(6, 4), weights: { GBP: '0.5', EURC: '0.5' }, hubs: ['EUR'] },
          breaker: { largestFallBps: 1_000, failures: 50 },
        },
      }),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 0.5, (hands) => {
          setBalance(hands, 'ETH', 40 + 20 * chance('ether'))
          setBalance(hands, 'USD', 50_000)
          setBalance(hands, 'LINK', 500)
        }),
        daily(START_MS, days, 2, (hands, day) =>
          hands.control('/listing', {
            assetSymbol: 'LINK',
            listing: (['full', 'unpriced', 'unlisted'] as const)[day % 3] ?? 'full',
          }),
        ),
        daily(START_MS, days, 3.5, (hands) => {
          setBalance(hands, 'GBP', 22_000)
          setBalance(hands, 'EURC', 0)
        }),
        // Somebody else takes most of the balance, and prices stay.
        daily(START_MS, days, 15, (hands) => setBalance(hands, 'GBP', 2_000)),
        daily(START_MS, days, 5, (hands) => hands.control('/listing', { assetSymbol: 'EURC', listing: 'full' })),
        daily(START_MS, days, 9, (hands) => hands.control('/listing', { assetSymbol: 'EUR', listing: 'unpriced' })),
        daily(START_MS, days, 11, (hands) => hands.control('/listing', { assetSymbol: 'EUR', listing: 'full' })),
      ),
      onStep(moment, hands) {
        if (isOf(moment, 'through') && moment.what === 'FirstLegs' && chance('hop') < 0.7)
          hands.control('/listing', { assetSymbol: 'EURC', listing: 'unpriced' })
      },
      expect: (evidence) => nothingFell(evidence),
    }
  },
}

/** No price moved. */
function nothingFell({ runs }: Evidence): string[] {
  const tripped = runs.find(({ outcome, policy }) => outcome === 'HALTED' && policy === 'through')
  return tripped === undefined ? [] : [`through was halted, and nothing fell: ${tripped.report?.why}`]
}
