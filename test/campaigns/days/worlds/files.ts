// treasury.json is edited and deployed between any two steps of a run: bounds are tightened, contacts and assets are
// removed, and policies are changed and restored.

import type { TreasuryFile } from '../treasury-file.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, every, fileOf, START_MS, setBalance } from './base.ts'

const STEPS: ReadonlySet<string> = new Set([
  'PlanSweep',
  'PlanRebalance',
  'CheckWithdrawal',
  'Quote',
  'ConvertLegs',
  'FirstLegs',
])
/** Each edit takes seconds of the host's time. */
const MOST_EDITS_A_DAY = 3

export const files: World = {
  name: 'files',
  says: 'treasury.json is edited, and deployed, between any two steps of a run',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const cold = contact('cold-usdc-polygon')
    const edits = [...EDITS, movedTo(contact('exchange-usdc-eth'))]
    const original = fileOf(
      {
        out: {
          kind: 'sweep',
          ...every(6, 1),
          rules: [{ assets: ['USDC'], contactId: cold, keep: { target: '2000' } }],
        },
        balanced: { kind: 'rebalance', ...every(6, 2), weights: { ETH: '0.5', USD: '0.5' } },
        euros: {
          kind: 'convert-on-arrival',
          ...every(6, 3),
          asset: 'EUR',
          into: 'GBP',
          hubs: ['USD'],
          keep: { target: '100' },
        },
      },
      { total: { largest: '60000', daily: '90000' }, worstSlippageBps: 50, allowedContacts: [cold] },
    )
    let left = 0
    return {
      file: original,
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 0.1, () => {
          left = MOST_EDITS_A_DAY
        }),
        ...[0.5, 6.5, 12.5, 18.5].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            setBalance(hands, 'USDC', 3_000 + 9_000 * chance('dollars'))
            setBalance(hands, 'EUR', 100 + 3_000 * chance('euros'))
            setBalance(hands, 'ETH', 5 + 20 * chance('ether'))
            setBalance(hands, 'USD', 50_000)
          }),
        ),
      ),
      onStep({ what }, hands) {
        if (left === 0 || !STEPS.has(what) || chance('whether') < 0.6) return
        left -= 1
        const edit = edits[Math.floor(chance('which') * edits.length)] ?? ((file) => file)
        hands.edit(() => edit(structuredClone(original)))
      },
    }
  },
}

type Edit = (file: TreasuryFile) => TreasuryFile

/** The sweep gets another contact, and the former contact leaves the list. */
function movedTo(contactId: string): Edit {
  return (file) => {
    const { out } = file.policies
    const rules = [{ ...out.rules[0], contactId }]
    return {
      ...file,
      guards: { ...file.guards, allowedContacts: [contactId] },
      policies: { ...file.policies, out: { ...out, rules } },
    }
  }
}

/** Each edit starts from the original file. */
const EDITS: readonly Edit[] = [
  (file) => file,
  (file) => ({ ...file, guards: { ...file.guards, total: { largest: '3000', daily: '5000' } } }),
  (file) => ({ ...file, guards: { ...file.guards, allowedContacts: undefined, dailyOutflow: { USDC: '500' } } }),
  (file) => ({ ...file, guards: { ...file.guards, valuationAsset: 'EUR', total: { largest: '1000' } } }),
  (file) => ({ ...file, policies: { out: file.policies.out } }),
  (file) => ({
    ...file,
    policies: { ...file.policies, balanced: { ...file.policies.balanced, weights: { ETH: '0.1', USD: '0.9' } } },
  }),
]
