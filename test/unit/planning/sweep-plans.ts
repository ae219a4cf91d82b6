// Makes the account for which the tests of sweeps plan, and short forms of rules and plans.
import { expect } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import { plan as planSchema } from '../../../core/contract/plan.ts'
import { planSweep } from '../../../core/policies/sweep/planner.ts'
import { dec, parsePolicy, planned, type World } from './sweep-world.ts'

export function worldOf(balances: Record<string, string>, rest: Partial<World> = {}): World {
  return {
    assets: { BTC: { increment: '0.0001', fee: '0.001', minimum: '0.002' }, ETH: {}, USDC: {}, USD: {} },
    markets: {
      'BTC-USD': { mid: '50000' },
      'ETH-USD': { mid: '2000' },
      'BTC-USDC': { mid: '50000' },
      'USDC-USD': { mid: '1' },
    },
    contacts: {
      cold: { assetSymbol: 'BTC' },
      team: { type: 'INTERNAL', networkId: null },
      bank: { type: 'BANK_ACCOUNT', networkId: null, assetSymbol: 'USD' },
      stable: { assetSymbol: 'USDC' },
    },
    balances: Object.fromEntries(Object.entries(balances).map(([code, amount]) => [code, dec(amount)])),
    ...rest,
  }
}

export const rule = (given: object) => ({ assets: ['BTC'], contactId: 'cold', ...given })

export const sweep = (...rules: object[]) => parsePolicy({ kind: 'sweep', rules: rules.map(rule) })

export function planOf(world: World, ...rules: object[]): Plan {
  const { plan, isSettled } = planned(planSweep, sweep(...rules), world)
  expect(isSettled).toBe(true)
  expect(planSchema.safeParse(plan).error).toBeUndefined()
  return plan
}

export const amounts = ({ legs }: Pick<Plan, 'legs'>) =>
  legs.map((leg) => `${leg.phase} ${leg.key} ${leg.request.amount}${'total' in leg ? ` of ${leg.total}` : ''}`)

export const codes = ({ nonLegs }: Pick<Plan, 'nonLegs'>) => nonLegs.map(({ asset, code }) => `${asset} ${code}`)
