// A sweep that converts withdraws what the fill brought, and no more.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import {
  planConvertAndWithdraw,
  replanConvertAndWithdraw,
} from '../../../core/policies/convert-and-withdraw/planner.ts'
import { dec, parsePolicy, planned, run, type World } from './sweep-world.ts'

const payers = { planner: planConvertAndWithdraw, replanner: replanConvertAndWithdraw }

function worldOf(balances: Record<string, string>, rest: Partial<World> = {}): World {
  return {
    assets: { BTC: { increment: '0.0001' }, USDC: { fee: '1' }, USD: {} },
    markets: {
      'BTC-USDC': { mid: '50000', half: 0, perUnit: 0 },
      'USDC-USD': { mid: '1' },
      'BTC-USD': { mid: '50000' },
    },
    contacts: { payee: { assetSymbol: 'USDC' } },
    balances: Object.fromEntries(Object.entries(balances).map(([code, amount]) => [code, dec(amount)])),
    ...rest,
  }
}

const payment = (given: object) =>
  parsePolicy({ kind: 'convert-and-withdraw', from: 'BTC', into: 'USDC', contactId: 'payee', ...given })
const planOf = (world: World, given: object): Plan => planned(planConvertAndWithdraw, payment(given), world).plan
const amounts = ({ legs }: Pick<Plan, 'legs'>) =>
  legs.map(({ phase, key, request }) => `${phase} ${key} ${request.amount}`)
const codes = ({ nonLegs }: Plan) => nonLegs.map(({ asset, code }) => `${asset} ${code}`)

test('an amount is converted, and its proceeds are withdrawn', () => {
  const world = worldOf({ BTC: '1', USDC: '7' })
  const { phases } = run(payers, payment({ amount: '0.1' }), world)
  expect(phases.map((legs) => amounts({ legs: [...legs] }))).toEqual([['1 convert-BTC 0.1'], ['2 withdraw-USDC 5000']])
  expect(world.balances).toEqual({ BTC: dec('0.9'), USDC: dec('7') })
})

test('without an amount, everything above the kept amount is converted', () => {
  expect(amounts(planOf(worldOf({ BTC: '1' }), { keep: { target: '0.4' } }))).toEqual([
    '1 convert-BTC 0.6',
    '2 withdraw-USDC 30000',
  ])
})

test('a worse or better fill decides the withdrawn amount', () => {
  const paid = (bps: number) => run(payers, payment({ amount: '0.1' }), worldOf({ BTC: '1' }), bps).phases[1] ?? []
  expect(amounts({ legs: [...paid(-100)] })).toEqual(['2 withdraw-USDC 4950'])
  expect(amounts({ legs: [...paid(100)] })).toEqual(['2 withdraw-USDC 5050'])
})

test('under add, the proceeds less the fee arrive, and all proceeds leave', () => {
  const plan = planOf(worldOf({ BTC: '1' }), { amount: '0.1', feeMode: 'add' })
  expect(plan.legs[1]).toMatchObject({ request: { amount: '4999', feeMode: 'add' }, fee: '1', total: '5000' })
})

describe('an amount goes as a whole or not at all', () => {
  const quoted = { BTC: { increment: '0.0001', maxIndicative: '0.05' }, USDC: {}, USD: {} }
  test.each([
    ['where less is above what stays', worldOf({ BTC: '0.1' }), { keep: { target: '0.01' } }, 'nothing_spendable'],
    ['if the service quotes less', worldOf({ BTC: '1' }, { assets: quoted }), {}, 'cut_short'],
    [
      'if a guard leaves less',
      worldOf({ BTC: '1' }, { limits: { assets: new Map([['BTC', { largest: dec('0.05') }]]) } }),
      {},
      'guard',
    ],
    [
      'if a guard leaves less of the proceeds',
      worldOf({ BTC: '1' }, { limits: { outflow: new Map([['USDC', dec('4000')]]) } }),
      {},
      'guard',
    ],
    ['if its proceeds are too small', worldOf({ BTC: '1' }), { smallest: '5001' }, 'below_smallest'],
    ['before its trigger', worldOf({ BTC: '1' }), { keep: { target: '0', trigger: '1' } }, 'below_trigger'],
  ])('not %s', (_what, world, given, code) => {
    const plan = planOf(world, { amount: '0.1', ...given })
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual([`BTC ${code}`])
  })
})
