// Holds the configuration of the tests that run every command. It is one text, so that its assembly is synthesized
// once.

const policies = {
  held: { kind: 'rebalance', weights: { ETH: '0.5', EUR: '0.5' }, approval: { above: '1' } },
  empty: { kind: 'fund', asset: 'USDC', atLeast: '1', target: '2', from: [{ asset: 'EUR' }] },
  payout: { kind: 'convert-on-arrival', asset: 'XRP', into: 'USDC' },
  odd: { kind: 'rebalance', weights: { NOPE: '1' } },
  core: { kind: 'rebalance', weights: { SOL: '0.6', LTC: '0.4' } },
}

/** A treasury.json for a state directory. */
export const COMMANDS_TREASURY = JSON.stringify({
  service: { url: 'https://api.example.com', stage: 'test' },
  policies,
})
