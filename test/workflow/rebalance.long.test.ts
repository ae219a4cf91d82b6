// Runs one rebalance on one machine: the synthesized assembly in the embedded AWS, against the sandbox. It measures the
// cost in transitions, which are nearly the whole cost of a run on AWS.
import { afterEach, describe, expect, test } from 'vitest'
import { type RunSummary, runSummary } from '../../core/contract/runs.ts'
import { RebalanceState, StateMachine } from '../../core/contract/states.ts'
import { useMachines } from './machines.ts'

const machines = useMachines()

const WEIGHTS = { BTC: '0.2', ETH: '0.2', SOL: '0.2', USDC: '0.4' }

/** Runs a policy from the request itself to its end. @returns its result, as the machine gives it */
async function rebalance(name: string, bandBps: number, weights: Record<string, string> = WEIGHTS): Promise<unknown> {
  const policy = { kind: 'rebalance', weights, band: { bps: bandBps } }
  const { executionArn } = await machines.aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name,
    input: JSON.stringify({ policy }),
  })
  const { output, cause } = await machines.aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? 'null')
}

const statesOf = (name: string) => machines.statesOf(name, StateMachine.Rebalance)
/** States that a run entered, including those of its legs' own executions. */
const transitionsOf = ({ runId, legs }: RunSummary): number =>
  statesOf(runId).length + legs.flatMap(({ intentId }) => machines.statesOf(intentId)).length

test('sells go before buys, every leg fills, and n legs take 6 + 5n transitions', async () => {
  const summary = runSummary.parse(await rebalance('rebalance-1', 10))
  expect(summary).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  expect(summary.legs.length).toBeGreaterThan(1)
  expect(summary.legs.every(({ outcome }) => outcome === 'FILLED')).toBe(true)
  expect(statesOf(summary.runId)).toContain(RebalanceState.FirstLegs)
  expect(transitionsOf(summary)).toBe(6 + 5 * summary.legs.length)
})

test('right after, within wider bands, a run has nothing to do, and takes three transitions', async () => {
  expect(await rebalance('rebalance-2', 200)).toMatchObject({ outcome: 'NOTHING_TO_DO', legs: [] })
  expect(statesOf('rebalance-2')).toEqual(['PlanRebalance', 'PlanOutcome', 'Ended'])
})

/** USD, which trades go through, is one of the targets, so each trade is one leg. */
interface Portfolio {
  readonly what: string
  readonly legs: number
  readonly phases: number
  readonly weights: Record<string, string>
  readonly balances: Record<string, string>
}

const portfolios: readonly Portfolio[] = [
  {
    ...{ what: 'one buy', legs: 1, phases: 1 },
    ...{ weights: { XRP: '0.5', USD: '0.5' }, balances: { XRP: '0', USD: '10000' } },
  },
  {
    ...{ what: 'one sell and one buy', legs: 2, phases: 2 },
    ...{ weights: { LTC: '0.4', LINK: '0.4', USD: '0.2' }, balances: { LTC: '100', LINK: '0', USD: '2000' } },
  },
  {
    ...{ what: 'five sells', legs: 5, phases: 1 },
    weights: { BNB: '0.1', POL: '0.1', XLM: '0.1', TRX: '0.1', UNI: '0.1', USD: '0.5' },
    balances: { BNB: '10', POL: '8000', XLM: '50000', TRX: '50000', UNI: '600', USD: '0' },
  },
]

test.each(portfolios)(
  '$what, all filled, takes at most 4 + 6n transitions',
  async ({ what, weights, balances, ...of }) => {
    for (const [assetSymbol, balance] of Object.entries(balances))
      await machines.control('/balance', { assetSymbol, balance })
    const summary = runSummary.parse(await rebalance(what.replaceAll(' ', '-'), 10, weights))
    expect(summary).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
    expect(summary.legs).toHaveLength(of.legs)
    expect(statesOf(summary.runId).includes(RebalanceState.FirstLegs)).toBe(of.phases === 2)
    expect(transitionsOf(summary)).toBe((of.phases === 2 ? 6 : 4) + 5 * of.legs)
    expect(transitionsOf(summary)).toBeLessThanOrEqual(4 + 6 * of.legs)
  },
)

describe('planning that is killed after it has claimed the policy', () => {
  afterEach(() => {
    machines.hook = undefined
  })

  function killPlans(times: number): void {
    let kills = 0
    machines.hook = ({ functionName, operation, phase }) => {
      if (functionName !== 'sluice-plan-rebalance' || operation !== 'Query' || phase === 'after') return undefined
      kills += 1
      return kills <= times ? 'kill-function' : undefined
    }
  }

  test('eight times in a row succeeds, with no additional transition', async () => {
    killPlans(8)
    expect(await rebalance('killed-1', 9_000)).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect(statesOf('killed-1')).toEqual(['PlanRebalance', 'PlanOutcome', 'Ended'])
  })

  test('for good ends FAILED, reports why, and frees the policy for the next run at once', async () => {
    killPlans(Number.POSITIVE_INFINITY)
    const why = expect.stringMatching(
      /^no legs were planned: a step failed each time that it was tried, .*Runtime\.ExitError/,
    )
    expect(await rebalance('killed-2', 9_000)).toMatchObject({ outcome: 'FAILED', legs: [], why })
    machines.hook = undefined
    expect(await rebalance('killed-3', 9_000)).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })
})
