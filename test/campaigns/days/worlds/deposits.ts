// Strangers deposit dust and fortunes at any moment: between the steps of a run, and while a plan waits for a person.
import type { Evidence } from '../evidence.ts'
import { DAY_MS } from '../script.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, fileOf, isOf, isPlanned, START_MS, setBalance } from './base.ts'

export const deposits: World = {
  name: 'deposits',
  says: 'strangers deposit dust and fortunes at any moment, also while a plan waits for a person',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    return {
      file: fileOf(
        {
          bills: {
            ...{ kind: 'sweep', approval: { above: '1000' } },
            rules: [
              { assets: ['USDC'], contactId: contact('cold-usdc-polygon'), keep: { target: '1000' }, smallest: '100' },
            ],
          },
          coins: {
            kind: 'convert-on-arrival',
            guards: { total: { largest: '100000', daily: '300000' } },
            asset: 'ETH',
            into: 'USD',
            keep: { target: '5', trigger: '6' },
          },
        },
        { worstSlippageBps: 50 },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 9, (hands) => {
          setBalance(hands, 'USDC', 5_000)
          hands.start('bills')
        }),
        daily(START_MS, days, 10, (hands) => hands.control('/balance', { assetSymbol: 'USDC', credit: dust(chance) })),
        daily(START_MS, days, 11, (hands) => hands.approve()),
        ...[2, 6, 14, 18, 22].map((hour) =>
          daily(START_MS, days, hour, (hands) =>
            hands.control('/balance', {
              assetSymbol: 'ETH',
              credit: String(1 + Math.round(60 * chance('ether') ** 3)),
            }),
          ),
        ),
      ),
      onStep(moment, hands) {
        if (!isPlanned(moment) || !isOf(moment, 'coins') || chance('whether') < 0.5) return
        hands.control('/balance', { assetSymbol: 'ETH', credit: chance('fortune') < 0.5 ? '0.01' : '40' })
      },
      expect: (evidence) => dustVoidsNothing(evidence),
    }
  },
}

function dust(chance: (label: string) => number): string {
  return (1 + chance('dust') * 3).toFixed(6)
}

/** An approved plan is sent, although a little arrived meanwhile. */
function dustVoidsNothing({ approvals, oracle }: Evidence): string[] {
  return approvals.flatMap(({ run, atMs }) => {
    const sent = oracle.movements.some(({ kind, at }) => {
      const laterMs = Date.parse(at) - atMs
      return kind === 'withdrawal' && laterMs >= 0 && laterMs < DAY_MS / 2
    })
    return sent ? [] : [`run ${run} was approved, nothing but dust came, and it sent nothing`]
  })
}
