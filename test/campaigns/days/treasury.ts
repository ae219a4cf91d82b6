// Writes the treasury of the days: a policy of each kind, and a shadow. The policies share USDC: one brings it in, two
// spend it, one pays with it, one withdraws it, and a sixth uses it as a hub.

/** Ids of saved contacts, by reference. */
export interface Contacts {
  readonly cold: string
  readonly supplier: string
}

/** Hub of the rebalance. The rebalance holds no target in it. */
export const HUB = 'USDC'

export const REBALANCE = {
  weights: { BTC: '0.35', SPYSPV: '0.2', EURC: '0.15', USD: '0.3' },
  bandBps: 200,
  smallestTrade: 50,
  turnoverRun: 40_000,
  turnoverDay: 60_000,
  reserveUsd: 10_000,
} as const

export const SWEEP = { target: 20_000, trigger: 25_000, smallest: 500, contactDaily: 50_000 } as const
export const FUND = { atLeast: 7_000, target: 8_000, keep: 15_000 } as const
export const ARRIVAL = { target: 5_000, trigger: 6_000 } as const
export const PAYOUT = { amount: 2_500 } as const

/** Starts in a day (UTC) of the policies that repeat daily. */
export const STARTS_A_DAY: Readonly<Record<string, number>> = {
  balanced: 4,
  'to-cold': 1,
  float: 3,
  euros: 2,
  watched: 1,
}

const utc = (expression: string) => ({ schedule: { expression, timeZone: 'UTC' } })

export function treasuryOf({ cold, supplier }: Contacts) {
  return {
    service: { url: 'https://api.example.com', stage: 'test', shared: false },
    // The time inside a function is the host's, so each check reads once.
    timing: { pollInsideSeconds: 0 },
    guards: {
      total: { largest: '100000', daily: '250000' },
      dailyOutflow: { USDC: '60000' },
      allowedContacts: [cold, supplier],
      worstSlippageBps: 100,
    },
    webhooks: {},
    policies: {
      balanced: {
        kind: 'rebalance',
        ...utc('cron(0 0/6 * * ? *)'),
        weights: REBALANCE.weights,
        hubs: [HUB],
        band: { of: 'absolute', bps: REBALANCE.bandBps },
        smallestTrade: String(REBALANCE.smallestTrade),
        largestTrade: '30000',
        turnover: { run: String(REBALANCE.turnoverRun), day: String(REBALANCE.turnoverDay) },
        reserve: { USD: String(REBALANCE.reserveUsd) },
      },
      'to-cold': {
        kind: 'sweep',
        ...utc('cron(15 2 * * ? *)'),
        guards: { contacts: { [cold]: { daily: String(SWEEP.contactDaily) } } },
        rules: [
          {
            assets: ['USDC'],
            keep: { target: String(SWEEP.target), trigger: String(SWEEP.trigger) },
            contactId: cold,
            feeCeilingBps: 20,
            smallest: String(SWEEP.smallest),
            canary: true,
          },
        ],
      },
      euros: {
        kind: 'convert-on-arrival',
        ...utc('cron(30 5/12 * * ? *)'),
        asset: 'EUR',
        into: 'USDC',
        keep: { target: String(ARRIVAL.target), trigger: String(ARRIVAL.trigger) },
      },
      float: {
        kind: 'fund',
        ...utc('cron(45 3/8 * * ? *)'),
        asset: 'USDT',
        atLeast: String(FUND.atLeast),
        target: String(FUND.target),
        from: [{ asset: 'USDC', keep: String(FUND.keep) }],
      },
      payout: {
        kind: 'convert-and-withdraw',
        // The clocks of this zone change during the days.
        schedule: { expression: 'cron(0 9 ? * MON *)', timeZone: 'Europe/Madrid' },
        from: 'USDC',
        into: 'USDT',
        amount: String(PAYOUT.amount),
        contactId: supplier,
        feeCeilingBps: 50,
      },
      watched: {
        kind: 'rebalance',
        mode: 'shadow',
        ...utc('cron(10 12 * * ? *)'),
        weights: { ETH: '0.6', SOL: '0.4' },
        hubs: ['USDC'],
      },
    },
  }
}
