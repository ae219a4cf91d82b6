// Policies share the bound of a day and start at once. One of them moves, and the others move on later days.
import type { Evidence } from '../evidence.ts'
import { DAY_MS } from '../script.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, START_MS, setBalance } from './base.ts'

const LIMIT = 1_000
const SWEPT = { USDC: 'cold-usdc-polygon', USDT: 'supplier-usdt-tron', EUR: 'house-bank-eur' } as const

export const shared: World = {
  name: 'shared',
  says: 'policies that share the bound of a day start at once, day after day',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const policies = Object.entries(SWEPT).map(([asset, reference]) => [
      `out-${asset.toLowerCase()}`,
      {
        ...{ kind: 'sweep', schedule: { expression: 'cron(0 9 * * ? *)' }, breaker: { failures: 1 } },
        rules: [{ assets: [asset], contactId: contact(reference), keep: { target: '100' } }],
      },
    ])
    return {
      file: fileOf(Object.fromEntries(policies), { total: { daily: String(LIMIT) } }),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 8, (hands) => {
          for (const asset of Object.keys(SWEPT)) setBalance(hands, asset, 100 + 0.9 * LIMIT)
        }),
      ),
      expect: (evidence) => [...nobodyIsHalted(evidence), ...everyDaySends(evidence, days)],
    }
  },
}

/** A refusal by a guard is no failure. */
function nobodyIsHalted({ runs }: Evidence): string[] {
  const halted = Map.groupBy(
    runs.filter(({ outcome }) => outcome === 'HALTED'),
    ({ policy }) => policy,
  )
  return [...halted.values()].flatMap(([first]) =>
    first === undefined ? [] : [`${first.policy} was halted, and nothing failed: ${first.report?.why}`],
  )
}

function everyDaySends({ oracle }: Evidence, days: number): string[] {
  return Array.from({ length: days }, (_, day) => day).flatMap((day) => {
    const isOfDay = ({ at }: { readonly at: string }) => Math.floor((Date.parse(at) - START_MS) / DAY_MS) === day
    return oracle.movements.some(isOfDay) ? [] : [`nothing was sent on day ${day}, and the bound of it leaves ${LIMIT}`]
  })
}
