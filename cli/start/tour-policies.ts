// The treasury.json of the tour: three policies that do not touch each other's assets, so that they may run side by
// side. The rest of the file is the user's own.
import type { Treasury } from '../../core/contract/treasury.ts'

/** Fixed, so that every tour meets the same keys, contacts, balances and prices. */
export const SEED = 'tour'

/** Sandbox's contact "exchange-usdc-eth": its id follows from the seed. On chain, so it costs a fee. */
const EXCHANGE = '82bc7aa1-a49c-4cae-8b34-5fed50b58d3d'

/** Sells euros, and buys with the dollars that they bring: no market leads from them to SOL or to the equity. */
export const BALANCED = 'balanced'
/** Sends what is above 90,000 USDC to the exchange. */
export const PAYOUT = 'payout'
/** Converts bitcoin that arrives into ether. */
export const ARRIVALS = 'arrivals'

const tourPolicies = {
  [BALANCED]: { kind: 'rebalance', weights: { EUR: '0.3', SOL: '0.5', NVDASPV: '0.2' } },
  [PAYOUT]: {
    kind: 'sweep',
    rules: [{ assets: ['USDC'], keep: { target: '90000' }, contactId: EXCHANGE, feeCeilingBps: 50 }],
  },
  [ARRIVALS]: { kind: 'convert-on-arrival', asset: 'ETH', into: 'BTC', keep: { target: '40' } },
}

/** What arrives: above the 40 ETH that the sandbox opens with. */
export const ARRIVAL = { assetSymbol: 'ETH', credit: '1.5' }

/** The sandbox completes a withdrawal after five seconds. The person who watches the tour sees that at once. */
const LOOK_SECONDS = 1

/**
 * The text of the tour's treasury.json: the user's service and timing, with shorter waits between polls, and the tour's
 * policies. Nobody else writes to the account of the tour's own sandbox.
 */
export function tourTreasury({ service, timing }: Treasury): string {
  const alone = { ...service, shared: false }
  const quicker = { ...timing, pollFirstWaitSeconds: LOOK_SECONDS }
  return `${JSON.stringify({ service: alone, timing: quicker, policies: tourPolicies }, undefined, 2)}\n`
}
