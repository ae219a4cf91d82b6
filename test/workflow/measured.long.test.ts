// The functions' logs of real movements and runs: each line of the deployed bundle has metrics with a value and a unit
// that fit what happened.
import { expect, test, vi } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { METRICS, type MetricName } from '../../core/contract/metrics.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { useMachines } from './machines.ts'

interface Line {
  readonly [field: string]: unknown
  readonly verb?: string
  readonly intentId?: string
}

const logged: { readonly name: string; readonly text: string }[] = []
const machines = useMachines({ optionsFor: () => ({ onFunctionLog: (name, text) => logged.push({ name, text }) }) })

const lines = (): Line[] => logged.map(({ text }) => JSON.parse(text))
const linesOf = (id: string) => lines().filter(({ intentId, run }) => intentId === id || run === id)
const valuesOf = (id: string, metric: MetricName) =>
  linesOf(id).flatMap((line) => (metric in line ? [line[metric]] : []))

/** A line may arrive after the answer of the call that logged it. */
const heard = (check: () => void) => vi.waitFor(check, { timeout: 120_000 })
const ended = (id: string) => heard(() => expect(valuesOf(id, 'Ends')).toHaveLength(1))

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const nextOrder = (fault: object) =>
  machines.control('/rules', { match: { method: 'POST', path: '/v2/orders', times: 1 }, fault })

test('a conversion is one movement, one end, and its slippage against the indicative price', async () => {
  const { report } = await machines.run('bought', { ...BUY, maxSlippageBps: 500 })
  expect(report.outcome).toBe('FILLED')
  await ended('bought')
  expect(valuesOf('bought', 'Movements')).toEqual([1])
  expect(valuesOf('bought', 'Ends')).toEqual([1])
  const [slippage] = valuesOf('bought', 'Slippage')
  expect(slippage).toEqual(expect.any(Number))
  expect(Math.abs(Number(slippage))).toBeLessThan(500)
  const [settled] = valuesOf('bought', 'SettleTime')
  expect(Number(settled)).toBeGreaterThanOrEqual(0)
  expect(valuesOf('bought', 'DoubtTime')).toEqual([])
  expect(linesOf('bought').at(-1)).toMatchObject({ verb: 'order', Kind: 'convert', Outcome: 'FILLED', attempt: 1 })
})

test('a send whose answer is lost waits for its fence, and is in doubt until it is proven', async () => {
  await nextOrder({ kind: 'lateVisibility', ms: 8_000 })
  await nextOrder({ kind: 'dropAfterCommit' })
  const { report } = await machines.run('doubted', BUY)
  expect(report.outcome).toBe('FILLED')
  await ended('doubted')
  expect(valuesOf('doubted', 'FenceWaits').length).toBeGreaterThan(0)
  const [doubt, ...others] = valuesOf('doubted', 'DoubtTime')
  expect(others).toEqual([])
  expect(Number(doubt)).toBeGreaterThan(1)
  expect(Number(doubt)).toBeLessThan(3_600)
  expect(valuesOf('doubted', 'Movements')).toEqual([1])
})

test('a withdrawal is a movement of its own kind', async () => {
  await machines.withdraw('sent', { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' })
  await ended('sent')
  expect(valuesOf('sent', 'Movements')).toEqual([1])
  expect(linesOf('sent').find((line) => 'Ends' in line)).toMatchObject({ Kind: 'withdraw', Outcome: 'COMPLETED' })
})

test('a request that is refused ends, and moves nothing', async () => {
  await machines.run('refused', { ...BUY, amount: '0.0000000001' })
  expect(valuesOf('refused', 'Movements')).toEqual([])
})

test('a rebalance logs its tracking error, its value, and the leg of each intent', async () => {
  const policy = { kind: 'rebalance', weights: { BTC: '0.3', USDC: '0.7' }, band: { bps: 10 } }
  const { executionArn } = await machines.aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name: 'balanced',
    input: JSON.stringify({ policy }),
  })
  const { output } = await machines.aws.untilFinished(executionArn)
  const { outcome, legs } = JSON.parse(output ?? '{}')
  expect(outcome).toBe('SETTLED')
  const ofLegs = () => linesOf('balanced').filter(({ verb, leg }) => verb === 'settleRun' && leg !== undefined)
  await heard(() => expect(ofLegs()).toHaveLength(legs.length))
  const [error, ...others] = valuesOf('balanced', 'TrackingError')
  expect(others).toEqual([])
  expect(Number(error)).toBeGreaterThan(10)
  expect(Number(error)).toBeLessThanOrEqual(10_000)
  const [value] = valuesOf('balanced', 'Value')
  expect(Number(value)).toBeGreaterThan(0)
  const settled = linesOf('balanced').filter(({ verb }) => verb === 'settleRun')
  expect(settled.find((line) => 'Value' in line)).toMatchObject({
    Outcome: 'SETTLED',
    ValuationAsset: expect.any(String),
  })
  expect(ofLegs().map(({ leg, intentId }) => ({ key: leg, intentId }))).toEqual(
    legs.map(({ key, intentId }: Line) => ({ key, intentId })),
  )
  // The steps of each leg log its run.
  for (const { intentId } of legs) {
    expect(lines().filter(({ verb, run }) => verb === 'order' && run === 'balanced')).toContainEqual(
      expect.objectContaining({ intentId, outcome: 'FILLED' }),
    )
  }
})

test('a finished audit is counted, and a look back that a person requested is not', async () => {
  await machines.reconcile()
  await machines.reconcile({ since: new Date(systemClock.nowMs() - 86_400_000).toISOString() })
  const audits = () => lines().filter(({ verb }) => verb === 'reconcile')
  await heard(() =>
    expect(audits()).toEqual([expect.objectContaining({ Audits: 1 }), expect.not.objectContaining({ Audits: 1 })]),
  )
})

test('every line is JSON with a request id, and each of its metrics is in the table, with its unit and a number', () => {
  expect(logged.length).toBeGreaterThan(15)
  for (const line of lines()) {
    const text = expect.any(String)
    expect(line).toMatchObject({ level: 'info', verb: text, requestId: text, timestamp: text, function_version: text })
    const embedded = line._aws as { Timestamp: number; CloudWatchMetrics: Directive[] } | undefined
    for (const { Dimensions, Metrics, Namespace } of embedded?.CloudWatchMetrics ?? []) {
      expect(Namespace).toBe('Sluice')
      for (const { Name, Unit } of Metrics) {
        const { by, unit } = METRICS[Name]
        expect({ Unit, value: line[Name] }).toEqual({ Unit: unit, value: expect.any(Number) })
        expect(by).toEqual(expect.arrayContaining([...Dimensions]))
      }
      for (const dimension of Dimensions.flat()) expect(line[dimension]).toMatch(/^[A-Za-z_-]{2,40}$/)
    }
  }
})

test('the first call of a function says that it started cold, and later calls do not', () => {
  for (const verb of new Set(lines().map((line) => line.verb))) {
    expect(lines().find((line) => line.verb === verb)).toMatchObject({ cold_start: true })
  }
  expect(lines().filter(({ cold_start }) => cold_start === false)).not.toEqual([])
})

interface Directive {
  readonly Namespace: string
  readonly Dimensions: readonly (readonly string[])[]
  readonly Metrics: readonly { readonly Name: MetricName; readonly Unit: string }[]
}
