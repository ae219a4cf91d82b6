// Runs as the journal keeps them, for tests of their presentation. One rebalance with a sell, a buy and a refused leg,
// one sweep, and the effect of hostile labels on either.
import type { ConvertLeg, Plan, WithdrawLeg } from '../../../../core/contract/plan.ts'
import { type RunReport, runReport } from '../../../../core/contract/runs.ts'

const sell: ConvertLeg = {
  kind: 'convert',
  key: 'sell-BTC-USDC',
  phase: 1,
  value: '6400.5',
  reason: 'BTC is 6.4 % over its target',
  request: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'BTC', amount: '0.1' },
  market: 'BTC-USDC',
  indicativeRate: '64000',
  spreadCost: '3.2',
  gives: { asset: 'BTC', amount: '0.1' },
  brings: { asset: 'USDC', amount: '6400' },
}
const buy: ConvertLeg = {
  ...sell,
  key: 'buy-ETH-USDC',
  phase: 2,
  value: '3200',
  reason: 'ETH is under its target',
  request: { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '3200' },
  market: 'ETH-USDC',
  indicativeRate: '3200',
  spreadCost: '1.6',
  gives: { asset: 'USDC', amount: '3200' },
  brings: { asset: 'ETH', amount: '1' },
}
export const withdraw: WithdrawLeg = {
  kind: 'withdraw',
  key: 'withdraw-USDC-1',
  phase: 1,
  value: '100',
  reason: 'more than the target of 1000 is there',
  request: { assetSymbol: 'USDC', amount: '100', contactId: 'contact/1' },
  assetSymbol: 'USDC',
  contactId: 'contact/1',
  payee: {
    ...{ contactId: 'contact/1', alias: 'Cold storage', reference: 'cold-usdc', type: 'EXTERNAL_CRYPTO' },
    ...{ assetSymbol: 'USDC', networkId: 'POLYGON', bank: null, updatedAt: '2025-12-01T08:00:00Z' },
  },
  fee: '0.8',
  total: '100',
  isCanary: true,
}

export const plan: Plan = {
  policy: 'core',
  kind: 'rebalance',
  takenAt: '2026-01-31T09:00:01Z',
  valuationAsset: 'USD',
  totalValue: '100000',
  turnover: '9600.5',
  positions: [
    {
      ...{ asset: 'BTC', holding: '1', spendable: '1', price: '64000', value: '64000', weight: '0.64' },
      ...{ targetValue: '57600', targetWeight: '0.576', drift: '6400' },
      ...{ afterHolding: '0.9', afterValue: '57600', afterWeight: '0.576' },
    },
    {
      ...{ asset: 'ETH', holding: '11.25', spendable: '11.25', price: '3200', value: '36000', weight: '0.36' },
      ...{ targetValue: '39200', targetWeight: '0.392', drift: '-3200' },
      ...{ afterHolding: '12.25', afterValue: '39200', afterWeight: '0.392' },
    },
  ],
  legs: [sell, buy],
  nonLegs: [{ asset: 'SOL', code: 'within_band', reason: '0.2 % off, within the band of 1 %' }],
  guards: [{ guard: 'turnover', leg: 'buy-ETH-USDC', says: 'cut to what is left of the day' }],
}

const fill = {
  ...{ id: 'fill-1', sequence: 1, baseAmount: '0.1', quoteAmount: '6390', rate: '63900' },
  executedAt: '2026-01-31T09:00:03Z',
}

export const rebalanced: RunReport = {
  outcome: 'PARTLY_SETTLED',
  runId: 'run-1',
  policy: 'core',
  kind: 'rebalance',
  trigger: { by: 'schedule', id: '2026-01-31T09:00:00Z' },
  startedAt: '2026-01-31T09:00:00Z',
  endedAt: '2026-01-31T09:00:09Z',
  plan,
  approval: {
    planHash: 'a'.repeat(64),
    ...{ expiresAt: '2026-02-01T09:00:00Z', decision: 'approved', by: 'ada', because: 'month end' },
    at: '2026-01-31T09:00:02Z',
  },
  legs: [
    {
      leg: sell,
      intentId: 'b'.repeat(40),
      outcome: 'FILLED',
      conversion: {
        ...{ outcome: 'FILLED', intentId: 'b'.repeat(40), attempts: 1, orderId: 'order/1 x', market: 'BTC-USDC' },
        ...{ side: 'SELL', rate: '63910', baseAmount: '0.1', quoteAmount: '6390', fills: [fill] },
      },
    },
    {
      leg: buy,
      intentId: 'c'.repeat(40),
      outcome: 'PRICE_REFUSED',
      conversion: {
        ...{ outcome: 'PRICE_REFUSED', intentId: 'c'.repeat(40), attempts: 1 },
        why: 'the quote is 80 basis points worse than indicated',
      },
      why: 'the quote is 80 basis points worse than indicated',
    },
  ],
  residues: [
    { asset: 'USDC', before: '5', amount: '6395' },
    { asset: 'EURC', before: '12', amount: '0' },
  ],
  totalValueAfter: '99990',
  tiesOut: true,
  why: 'one leg of two moved nothing',
}

export const swept: RunReport = {
  outcome: 'SETTLED',
  runId: 'run-2',
  policy: 'nightly',
  kind: 'sweep',
  startedAt: '2026-01-31T09:00:00Z',
  endedAt: '2026-01-31T09:00:09Z',
  plan: { ...plan, policy: 'nightly', kind: 'sweep', legs: [withdraw] },
  legs: [
    {
      leg: withdraw,
      intentId: 'd'.repeat(40),
      outcome: 'COMPLETED',
      withdrawal: {
        ...{ outcome: 'COMPLETED', intentId: 'd'.repeat(40), withdrawalId: 'wd/1', assetSymbol: 'USDC' },
        ...{ amount: '99.2', fee: '0.8', total: '100', transactionHash: `0x${'e'.repeat(64)}`, bankReference: null },
      },
    },
  ],
  tiesOut: true,
}

/** Replaces every text without a fixed form. */
export function withHostile(report: RunReport, hostile: string): RunReport {
  const text = JSON.stringify(report, (name, value) =>
    [
      'reason',
      'why',
      'because',
      'by',
      'says',
      'guard',
      'orderId',
      'withdrawalId',
      'contactId',
      'alias',
      'reference',
      'networkId',
      'updatedAt',
      'transactionHash',
      'market',
      'asset',
    ].includes(name) &&
    typeof value === 'string' &&
    name !== 'asset'
      ? hostile
      : value,
  )
  const changed = JSON.parse(text) as RunReport
  const { trigger } = report
  return { ...changed, ...(trigger && { trigger: { ...trigger, id: hostile.slice(0, 256) } }) }
}

/** Throws if a sample does not fit the contract. */
export const samples: readonly RunReport[] = [rebalanced, swept].map((report) => runReport.parse(report))
