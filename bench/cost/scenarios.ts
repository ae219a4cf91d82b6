// Defines the runs whose cost is measured: each kind once to warm the functions up, and then as often as requested.
import { StateMachine } from '../../core/contract/states.ts'
import type { RunningMachines } from '../../test/helpers/running-machines.ts'

export interface Scenario {
  readonly name: string
  /** The most that a thousand should cost, in USD. Absent: there is no goal. */
  readonly goal?: number
  /**
   * One run, under an unused id.
   * @throws Error if it has another end than expected
   */
  run(machines: RunningMachines, id: string): Promise<void>
}

const CONVERSION = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '5' }
const WITHDRAWAL = { assetSymbol: 'USDC', amount: '20', contactReference: 'exchange-usdc-eth' }
const SETTLES_AFTER_MS = 30_000

async function convert(machines: RunningMachines, id: string): Promise<void> {
  expectOutcome(await machines.run(id, CONVERSION), 'FILLED')
}

async function convertLater(machines: RunningMachines, id: string): Promise<void> {
  const fault = { kind: 'settleLater', afterMs: SETTLES_AFTER_MS, outcome: 'fill' }
  await machines.control('/rules', { match: { method: 'POST', path: '/v2/orders', times: 1 }, fault })
  await convert(machines, id)
}

/** The sandbox completes it after five seconds. */
async function withdraw(machines: RunningMachines, id: string): Promise<void> {
  expectOutcome(await machines.withdraw(id, WITHDRAWAL), 'COMPLETED')
}

/** The sandbox completes it sooner, but does not show it. */
async function withdrawLater(machines: RunningMachines, id: string): Promise<void> {
  const fault = { kind: 'lateVisibility', ms: SETTLES_AFTER_MS }
  await machines.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault })
  await withdraw(machines, id)
}

/** Shares of a portfolio of 10,000 USD, and the holdings: five assets are sold and five bought. */
const SOLD = { BNB: '10', POL: '8000', XLM: '50000', TRX: '50000', UNI: '600' }
const BOUGHT = { LTC: '0', LINK: '0', XRP: '0', SOL: '0', ETH: '0' }
const WEIGHTS = Object.fromEntries(
  [...Object.keys(SOLD), ...Object.keys(BOUGHT), 'USD'].map((asset) => [asset, '0.09']),
)
const LEGS = 10

async function rebalance({ aws, control }: RunningMachines, id: string): Promise<void> {
  for (const [assetSymbol, balance] of Object.entries({ ...SOLD, ...BOUGHT, USD: '5000' }))
    await control('/balance', { assetSymbol, balance })
  const policy = { kind: 'rebalance', weights: { ...WEIGHTS, USD: '0.1' }, band: { bps: 10 } }
  const { executionArn } = await aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name: id,
    input: JSON.stringify({ policy }),
  })
  const { cause, output } = await aws.untilFinished(executionArn)
  const report = JSON.parse(output ?? cause ?? 'null') as { outcome: string; legs: unknown[] }
  expectOutcome({ report }, 'SETTLED')
  if (report.legs.length !== LEGS) throw new Error(`the rebalance had ${report.legs.length} legs, not ${LEGS}`)
}

function expectOutcome({ report }: { readonly report: { readonly outcome: string } }, outcome: string): void {
  if (report.outcome !== outcome) throw new Error(`a run ended ${report.outcome}, not ${outcome}`)
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'conversion, filled at placement', goal: 0.16, run: convert },
  { name: 'conversion, settled 30 s after a 202', goal: 0.3, run: convertLater },
  { name: 'withdrawal, completed within 5 s', goal: 0.3, run: withdraw },
  { name: 'withdrawal, completed 30 s after its send', goal: 0.3, run: withdrawLater },
  { name: 'rebalance of ten legs', run: rebalance },
]
