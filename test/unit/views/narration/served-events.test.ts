// `sluice serve` shows each execution from its start to its end, also one of a former process.
import { expect, test } from 'vitest'
import type { ServedEvent } from '../../../../place/executions/execution-history.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'

const convert = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'BTC', amount: '0.1' }
const started = (input: unknown): ServedEvent => ({
  type: 'ExecutionStarted',
  executionStartedEventDetails: { input: JSON.stringify(input) },
})
const exited = (name: string, output: unknown): ServedEvent => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify(output) },
})
const succeeded = (output: unknown): ServedEvent => ({
  type: 'ExecutionSucceeded',
  executionSucceededEventDetails: { output: JSON.stringify(output) },
})
const arn = (machine: string, name = 'one') => `arn:aws:states:us-east-1:123456789012:execution:${machine}:${name}`

test('an execution is shown from its start, through the reports of its states, to its end', () => {
  const inputs = new Map([[arn('sluice-convert'), JSON.stringify(convert)]])
  const lineOf = createServedLines((executionArn) => inputs.get(executionArn))
  const filled = { outcome: 'FILLED', baseAmount: '0.1', quoteAmount: '6400', rate: '64000' }
  const events = [started(convert), exited('PollOrder', filled), exited('PollOutcome', filled), succeeded(filled)]
  expect(events.map((event) => lineOf(arn('sluice-convert'), event))).toEqual([
    {
      ...{ stateMachine: 'sluice-convert', execution: 'one', label: 'started', text: 'sell 0.1 BTC for USDC' },
      tone: 'plain',
    },
    expect.objectContaining({ label: 'PollOrder', text: 'filled 0.1 BTC for 6400 USDC at 64000' }),
    undefined,
    expect.objectContaining({ label: 'ended', text: 'FILLED' }),
  ])
})

test.each([
  ['sluice-rebalance', { policy: 'core', trigger: { by: 'schedule' } }, 'run policy core'],
  ['sluice-sweep', { policy: 'core', shadow: true }, 'plan policy core, moving nothing'],
  ['sluice-withdraw', { assetSymbol: 'BTC', amount: '1', contactId: 'c' }, 'send 1 BTC, fee included, to contact c'],
  ['sluice-convert', { policy: 'core' }, 'run policy core'],
  ['sluice-convert', 'nonsense', 'with another input'],
])('a start of %s with %j is shown as "%s"', (machine, input, text) => {
  expect(createServedLines(() => undefined)(arn(machine), started(input))).toMatchObject({ text })
})

test('an execution of a former process is shown by its kept input, once that is known', () => {
  let input: string | undefined
  const lineOf = createServedLines(() => input)
  const quoted = { outcome: 'RECORDED' }
  expect(lineOf(arn('sluice-convert'), exited('Quote', quoted))).toBeUndefined()
  input = JSON.stringify(convert)
  expect(lineOf(arn('sluice-convert'), exited('Quote', quoted))).toMatchObject({ label: 'Quote' })
})

test.each([
  [{ type: 'ExecutionFailed', executionFailedEventDetails: { error: 'STUCK' } }, 'FAILED: STUCK'],
  [{ type: 'ExecutionAborted' }, 'ABORTED'],
  [{ type: 'ExecutionTimedOut' }, 'TIMED_OUT'],
  [{ type: 'ExecutionSucceeded', executionSucceededEventDetails: { output: '{}' } }, 'SUCCEEDED'],
])('an end of %j is shown as "%s"', (event, text) => {
  expect(createServedLines(() => undefined)(arn('sluice-sweep'), event)).toMatchObject({ label: 'ended', text })
})
