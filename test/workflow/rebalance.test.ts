// One rebalance on one machine: the synthesized assembly in the embedded AWS, against the sandbox. What it
// costs is what is looked at here: transitions are nearly all that a run costs on AWS.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type RunSummary, runSummary } from '../../functions/contract/runs.ts'
import { RebalanceState, StateMachine } from '../../functions/contract/states.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'

let machines: RunningMachines
beforeAll(async () => {
  machines = await startMachines(inject('assemblyDir'))
})
afterAll(() => machines.stop())

const WEIGHTS = { BTC: '0.2', ETH: '0.2', SOL: '0.2', USDC: '0.4' }

/** Runs a policy that the request itself holds, to the end. @returns its result, as the machine gives it */
async function rebalance(name: string, bandBps: number): Promise<unknown> {
  const policy = { kind: 'rebalance', weights: WEIGHTS, band: { bps: bandBps } }
  const { executionArn } = await machines.aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name,
    input: JSON.stringify({ policy }),
  })
  const { output, cause } = await machines.aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? 'null')
}

const statesOf = (name: string) => machines.statesOf(name, StateMachine.Rebalance)
/** States that a run entered, those of its legs' own executions included. */
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

test('right after, within wider bands, there is nothing to do, in three', async () => {
  expect(await rebalance('rebalance-2', 200)).toMatchObject({ outcome: 'NOTHING_TO_DO', legs: [] })
  expect(statesOf('rebalance-2')).toEqual(['PlanRebalance', 'PlanOutcome', 'Ended'])
})
