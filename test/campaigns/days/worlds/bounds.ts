// Every kind of bound is reached every day: policies that would move far more than they may start together, again and
// again.
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, every, fileOf, START_MS, setBalance } from './base.ts'

const ROUNDS = [0.5, 6.5, 12.5, 18.5]

export const bounds: World = {
  name: 'bounds',
  says: 'every kind of bound is met every day, by policies that start together',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const [cold, supplier, vault] = [contact('cold-usdc-polygon'), contact('supplier-usdt-tron'), contact('cold-eth')]
    const breaker = { failures: 100 }
    return {
      file: fileOf(
        {
          dollars: {
            ...{ kind: 'sweep', ...every(6, 1), breaker },
            rules: [{ assets: ['USDC'], contactId: cold, keep: { target: '1000' } }],
          },
          bills: {
            ...{ kind: 'convert-and-withdraw', ...every(6, 1), breaker, contactId: supplier },
            ...{ from: 'BTC', into: 'USDT', keep: { target: '1' }, guards: { total: { daily: '2500' } } },
          },
          coins: {
            ...{ kind: 'sweep', ...every(6, 1), breaker, guards: { contacts: { [vault]: { daily: '2000' } } } },
            rules: [{ assets: ['ETH'], contactId: vault, keep: { target: '1' } }],
          },
          sold: {
            ...{ kind: 'convert-on-arrival', ...every(6, 1), breaker, onDeposit: false },
            ...{ asset: 'SOL', into: 'USD', keep: { target: '100' }, guards: { assets: { SOL: { daily: '12' } } } },
          },
          links: {
            ...{ kind: 'fund', ...every(6, 1), breaker, asset: 'LINK', atLeast: '60000' },
            ...{ from: [{ asset: 'GBP', keep: '3000' }], hubs: ['USD'] },
          },
          balanced: {
            ...{ kind: 'rebalance', ...every(6, 1), breaker, weights: { AAPLSPV: '0.9', DAI: '0.1' }, hubs: ['USD'] },
            reserve: { DAI: '4000' },
          },
        },
        {
          total: { largest: '1500', daily: '15000' },
          assets: { ETH: { largest: '0.3', daily: '0.8' } },
          dailyOutflow: { USDC: '1500', USDT: '2000' },
          allowedContacts: [cold, supplier, vault],
          worstSlippageBps: 50,
        },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        ...ROUNDS.map((hour) =>
          daily(START_MS, days, hour, (hands) => {
            // Slightly above the floor, so that the floor is reached within a day or two.
            for (const [asset, balance] of Object.entries(BALANCES)) setBalance(hands, asset, balance)
          }),
        ),
      ),
    }
  },
}

const BALANCES = {
  USDC: 2_000,
  BTC: 1.01,
  ETH: 1.4,
  SOL: 106,
  GBP: 3_900,
  DAI: 4_700,
  AAPLSPV: 4,
  LINK: 100,
  USDT: 100,
}
