// Policies of each kind as a treasury.json gives them, with every default filled in. They show shapes only; together
// they would work against each other.

import { treasury } from '../../core/contract/treasury.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'

const written = {
  service: { url: 'https://service.example', stage: 'test' },
  policies: {
    balanced: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } },
    'gas-money': { kind: 'fund', asset: 'ETH', atLeast: '1', from: [{ asset: 'USDC' }] },
    'btc-in': { kind: 'convert-on-arrival', asset: 'BTC', into: 'USDC' },
    'btc-in-too': { kind: 'convert-on-arrival', asset: 'btc', into: 'USD' },
    'tesla-in': { kind: 'convert-on-arrival', asset: 'TSLASPV', into: 'USDC' },
    'eth-by-clock': { kind: 'convert-on-arrival', asset: 'ETH', into: 'USDC', onDeposit: false },
    'to-cold': { kind: 'sweep', rules: [{ assets: ['BTC'], contactId: 'contact-1' }] },
    payout: { kind: 'convert-and-withdraw', from: 'BTC', into: 'USDC', contactId: 'contact-1' },
  },
}

export const policies: Policies = treasury.parse(written).policies
