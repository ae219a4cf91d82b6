// Policies are renamed. Their daily use, their rest in a hub, and their halts stay theirs under any name.
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, isOf, isTaken, START_MS, setBalance } from './base.ts'

const LIMIT = 1_000

export const renamed: World = {
  name: 'renamed',
  says: 'policies are renamed after they have used their day, or left something in a hub, and halted by a former name',
  startMs: START_MS,
  plot(_seed, days, contact) {
    let [pay, fund, rent] = ['pay', 'fund', 'rent']
    let breaksHop = false
    /** The name under which people know `rent`; undefined if the file does not name the former one. */
    let known: string | undefined
    return {
      file: fileOf(
        {
          pay: {
            ...{ kind: 'sweep', guards: { total: { daily: String(LIMIT) } } },
            rules: [{ assets: ['EUR'], contactId: contact('house-bank-eur'), keep: { target: '100' } }],
          },
          fund: {
            ...{ kind: 'fund', asset: 'EURC', atLeast: '4000', from: [{ asset: 'SOL', keep: '10' }], hubs: ['USDC'] },
            breaker: { failures: 50 },
          },
          rent: {
            kind: 'sweep',
            rules: [{ assets: ['USDT'], contactId: contact('supplier-usdt-tron'), keep: { target: '100' } }],
          },
          other: { kind: 'sweep', mode: 'shadow', rules: [{ assets: ['BTC'], contactId: contact('cold-btc') }] },
        },
        {
          allowedContacts: ['cold-usdc-polygon', 'house-bank-eur', 'cold-btc', 'supplier-usdt-tron'].map(contact),
        },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[9, 15].map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            // Worth less than the bound, and more than half of it.
            setBalance(hands, 'EUR', 100 + 0.8 * LIMIT)
            hands.start(pay)
          }),
        ),
        daily(START_MS, days, 10, (hands) => {
          setBalance(hands, 'SOL', 200)
          setBalance(hands, 'EURC', 100)
          breaksHop = true
          hands.start(fund)
        }),
        daily(START_MS, days, 12, (hands, day) => {
          const names: readonly [string, string, string] = [`pay${day + 2}`, `fund${day + 2}`, `rent${day + 2}`]
          const former = [pay, fund, rent] as const
          known = undefined
          hands.control('/listing', { assetSymbol: 'EURC', listing: 'full' })
          hands.edit(
            (file) => {
              const edited = (isNamed: boolean) => ({
                ...file,
                policies: renamedIn(file.policies, former, names, isNamed),
              })
              // The file names the former policy, or not. Where no file may name it, nobody can.
              if (day % 2 === 0 || !isTaken(edited(true))) return edited(false)
              known = former[2]
              return edited(true)
            },
            Object.fromEntries(names.map((name, index) => [name, former[index] as string])),
          )
          ;[pay, fund, rent] = names
        }),
        daily(START_MS, days, 12.5, async (hands) => {
          if (known === undefined) return
          await hands.halt(known)
          setBalance(hands, 'USDT', 600)
          hands.start(rent)
        }),
        daily(START_MS, days, 13, async (hands) => {
          if (known !== undefined) await hands.resume(known)
        }),
        // Nothing is left to buy, so the rest in the hub is only reported, or forgotten.
        daily(START_MS, days, 16, (hands) => {
          setBalance(hands, 'EURC', 9_000)
          hands.start(fund)
        }),
      ),
      onStep(moment, hands) {
        // Between the two hops of the first run.
        if (!breaksHop || !isOf(moment, fund) || moment.what !== 'FirstLegs') return
        breaksHop = false
        hands.control('/listing', { assetSymbol: 'EURC', listing: 'unpriced' })
      },
    }
  },
}

function renamedIn(
  policies: Readonly<Record<string, object>>,
  former: readonly string[],
  names: readonly string[],
  isNamed: boolean,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => {
      const { was: _was, ...rest } = policy as { readonly was?: string }
      const next = names[former.indexOf(name)]
      if (next === undefined) return [name, policy]
      return [next, isNamed ? { ...rest, was: name } : rest]
    }),
  )
}
