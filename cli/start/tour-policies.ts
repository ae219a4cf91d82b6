// Composes the treasury.json of the tour: three policies that share no asset, so that they may run at the same time.
// Service and timing are the user's own, but the account is not shared and polls come sooner.
import type { Treasury } from '../../core/contract/treasury.ts'

/** Fixed, so that every tour has the same keys, contacts, balances and prices. */
export const SEED = 'tour'

/** The sandbox's contact "exchange-usdc-eth". Its id follows from the seed. A payment on chain costs a fee. */
const EXCHANGE = '82bc7aa1-a49c-4cae-8b34-5fed50b58d3d'

/** Sells euros for dollars, and buys with them, because no market leads from euros to SOL or to the equity. */
export const BALANCED = 'balanced'
/** Sends what is above 90,000 USDC to the exchange. */
export const PAYOUT = 'payout'
/** Converts ether that arrives into bitcoin. */
export const ARRIVALS = 'arrivals'

const tourPolicies = {
  [BALANCED]: { kind: 'rebalance', weights: { EUR: '0.3', SOL: '0.5', NVDASPV: '0.2' } },
  [PAYOUT]: {
    kind: 'sweep',
    rules: [{ assets: ['USDC'], keep: { target: '90000' }, contactId: EXCHANGE, feeCeilingBps: 50 }],
  },
  [ARRIVALS]: { kind: 'convert-on-arrival', asset: 'ETH', into: 'BTC', keep: { target: '40' } },
}

/** The deposit. It exceeds the 40 ETH that the account keeps, and opens with. */
export const ARRIVAL = { assetSymbol: 'ETH', credit: '1.5' }

/** First wait between polls. The sandbox completes a withdrawal after five seconds, and the person should see it at once. */
const POLL_SECONDS = 1

/**
 * The text of the tour's treasury.json: the user's service and timing, with a shorter wait between polls, and the tour's
 * policies. The account is not shared, because nobody else writes to the tour's own sandbox.
 */
export function tourTreasury({ service, timing }: Treasury): string {
  const alone = { ...service, shared: false }
  const quicker = { ...timing, pollFirstWaitSeconds: POLL_SECONDS }
  return `${JSON.stringify({ service: alone, timing: quicker, policies: tourPolicies }, undefined, 2)}\n`
}
