// The flags that answer the questions of `sluice init`, with their help. It imports nothing, so that help is shown at
// once.

export const answerFlags = {
  kind: 'kind of the first policy: rebalance, fund, convert-on-arrival, sweep, convert-and-withdraw',
  name: "the policy's name (default: first)",
  weights: 'rebalance: shares of the total value, such as BTC=0.5,USDC=0.5',
  asset: 'fund, convert-on-arrival: the asset',
  'at-least': 'fund: how much of it should always be there',
  from: 'fund: with which assets it is bought, in this order',
  sell: 'convert-and-withdraw: the asset to convert',
  into: 'convert-on-arrival, convert-and-withdraw: into which asset',
  assets: 'sweep: which assets are sent away',
  keep: 'sweep, convert-on-arrival, convert-and-withdraw: how much of it stays (default: 0)',
  contact: 'sweep, convert-and-withdraw: a contact by its id, or its reference',
  schedule: 'when it runs, such as "rate(1 day)" (default: none)',
  'approve-above': 'value above which a person approves a run (default: 1000)',
  mode: 'live, or shadow, which only reports what it would do (default: shadow)',
} as const
export type AnswerFlag = keyof typeof answerFlags
