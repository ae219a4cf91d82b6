// A person who watches a run sees its legs as they happen, each event once.
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../operations/runs/execution-events.ts'
import type { ProgressLine } from '../../../../place/context.ts'
import type { WatchedEvent } from '../../../../place/executions/execution-history.ts'
import { watchRun } from '../../../../views/narration/watch-run.ts'

const exited = (name: string, output: unknown): WatchedEvent => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify(output) },
})
const sell = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'BTC', amount: '0.1' }
const send = { assetSymbol: 'USDC', amount: '100', contactId: 'c-1' }
const legs = [
  { name: 'leg-a', request: sell },
  { name: 'leg-b', request: send },
]
const planned = { outcome: 'FIRST', runId: 'run-1', legs, phase: 1 }

function watched(inputOf: InputOf = () => undefined) {
  const lines: ProgressLine[] = []
  const nothing = () => undefined
  const watch = watchRun('run-1', { line: (line) => lines.push(line), live: nothing, end: nothing }, { inputOf })
  return { watch: (name: string, event: WatchedEvent) => watch(`arn:execution:machine:${name}`, event), lines }
}

test('a run is shown with its legs, and each leg with its own events', () => {
  const { watch, lines } = watched()
  watch('run-1', exited('PlanRebalance', planned))
  watch('leg-a', exited('PollOrder', { outcome: 'FILLED', baseAmount: '0.1', quoteAmount: '6400', rate: '64000' }))
  watch('leg-b_2', exited('PollWithdrawal', { outcome: 'PROCESSING', why: 'it is PENDING', waitSeconds: 3 }))
  const outcomes = legs.map(({ name }) => ({ key: name, intentId: name, outcome: 'FILLED' }))
  watch('run-1', exited('SettleRun', { outcome: 'SETTLED', runId: 'run-1', legs: outcomes }))
  expect(lines.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'PlanRebalance: phase 1: 2 legs',
    'leg: [1] sell 0.1 BTC for USDC',
    'leg: [2] send 100 USDC, fee included, to contact c-1',
    'PollOrder: [1] filled 0.1 BTC for 6400 USDC at 64000',
    'PollWithdrawal: [2] accepted, still moving: it is PENDING; next check in 3 s',
    'SettleRun: SETTLED, legs: 2',
  ])
})

test('the end of a long run, whose result leaves out the legs that moved, counts all legs', () => {
  const { watch, lines } = watched()
  watch('run-1', exited('SettleRun', { outcome: 'SETTLED', runId: 'run-1', legs: [], legsInAll: 400 }))
  expect(lines.map(({ text }) => text)).toEqual(['SETTLED, legs: 400'])
})

test('a leg that pays names its contact by more than the id, as the plan saw it', () => {
  const { watch, lines } = watched()
  const payee = {
    ...{ contactId: 'c-1', alias: 'Desk', reference: null, type: 'INTERNAL', assetSymbol: null, networkId: null },
    ...{ bank: null, updatedAt: '2025-12-01T08:00:00Z' },
  }
  watch('run-1', exited('PlanSweep', { ...planned, outcome: 'WITHDRAW', payees: [payee] }))
  expect(lines.at(-1)?.text).toBe(
    '[2] send 100 USDC, fee included, to "Desk" (account at the service, last changed 2025-12-01T08:00:00Z, id c-1)',
  )
})

test('repeated legs, and foreign executions, are passed over', () => {
  const { watch, lines } = watched()
  watch('run-1', exited('PlanRebalance', planned))
  const { length } = lines
  watch('run-1', exited('PlanOutcome', planned))
  watch('run-2', exited('PlanRebalance', planned))
  watch('leg-c', exited('PollOrder', { outcome: 'FILLED' }))
  expect(lines).toHaveLength(length)
})

test('a run that ends at its planning says why', () => {
  const { watch, lines } = watched()
  watch('run-1_2', exited('PlanSweep', { outcome: 'GUARDED', runId: 'run-1', legs: [], phase: 1, why: 'quiet hours' }))
  expect(lines).toEqual([{ label: 'PlanSweep', text: 'GUARDED: quiet hours', tone: 'wait' }])
})

test('a run that waits for its turn gives its reason, and the time of the next check', () => {
  const { watch, lines } = watched()
  const why = 'run run-0 of the policy is under way'
  watch('run-1', exited('PlanRebalance', { outcome: 'WAIT', runId: 'run-1', legs: [], phase: 1, waitSeconds: 15, why }))
  expect(lines).toEqual([{ label: 'PlanRebalance', text: `${why}; next check in 15 s`, tone: 'wait' }])
})

test('a leg that a former process started is known by its input', () => {
  const inputs: Record<string, object> = { 'leg-a': { ...sell, run: 'run-1' }, 'leg-b': { ...send, run: 'run-2' } }
  const { watch, lines } = watched((executionArn) => JSON.stringify(inputs[executionArn.split(':').at(-1) as string]))
  const filled = { outcome: 'FILLED', baseAmount: '0.1', quoteAmount: '6400', rate: '64000' }
  watch('leg-a', exited('PollOrder', filled))
  watch('leg-b', exited('PollWithdrawal', { outcome: 'COMPLETED' }))
  expect(lines.map(({ text }) => text)).toEqual(['[1] filled 0.1 BTC for 6400 USDC at 64000'])
})
