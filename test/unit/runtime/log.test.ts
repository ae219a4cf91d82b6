// Log lines become the metrics that alarms expect.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { METRICS, type MetricName } from '../../../core/contract/metrics.ts'
import { FindingType } from '../../../core/contract/reconcile.ts'
import { beginCall, logFinding, logLate, logLine, logTrip } from '../../../functions/runtime/log.ts'
import { catchLogLines } from '../../helpers/log-lines.ts'

let lines: string[]
beforeEach(() => {
  lines = catchLogLines()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
const parsed = () => lines.map((line) => JSON.parse(line))

test('an event that raises its own alarm is counted by its log line', () => {
  logFinding({ finding: FindingType.OverdueIntent, intentId: 'late', message: 'a sentence' })
  logTrip({ policy: 'daily', runId: 'run-3', because: '3 runs in a row did not settle' })
  logLate({ policy: 'core', message: 'it was due' })
  expect(parsed()).toEqual([
    expect.objectContaining({ finding: FindingType.OverdueIntent, intentId: 'late', AuditFindings: 1 }),
    expect.objectContaining({ breaker: 'daily', intentId: 'run-3', BreakersOpened: 1 }),
    expect.objectContaining({ late: 'core', message: 'it was due', LateStarts: 1 }),
  ])
})

test('a metric is written for the known sets of dimensions, with its unit', () => {
  logLine(
    { level: 'info', verb: 'order' },
    { values: { Movements: 1, Slippage: 2.5 }, dimensions: { Kind: 'convert' } },
  )
  const [line] = parsed()
  expect(line._aws.CloudWatchMetrics).toEqual([
    { Namespace: 'Sluice', Dimensions: [[], ['Kind']], Metrics: [{ Name: 'Movements', Unit: 'Count' }] },
    { Namespace: 'Sluice', Dimensions: [[]], Metrics: [{ Name: 'Slippage', Unit: 'None' }] },
  ])
  expect(line).toMatchObject({ Kind: 'convert', Movements: 1, Slippage: 2.5 })
})

test.each<[string, Partial<Record<MetricName, number>>]>([
  ['nothing', {}],
  ['an invalid number', { Slippage: Number.NaN, DoubtTime: Number.POSITIVE_INFINITY }],
  ['what needs a dimension that is not known', { Ends: 1, Value: 1 }],
])('a line that measures %s has no metrics', (_what, values) => {
  logLine({ level: 'info', verb: 'order', outcome: 'HELD' }, { values })
  const circumstances = { timestamp: expect.any(String), cold_start: expect.any(Boolean) }
  expect(parsed()).toEqual([{ level: 'info', verb: 'order', outcome: 'HELD', ...circumstances }])
})

test("a line has the time, the version, the first call and the trace by Powertools' names", () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7')
  const trace = '1-5759e988-bd862e3fe1be46a994272793'
  vi.stubEnv('_X_AMZN_TRACE_ID', `Root=${trace};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:a:0`)
  beginCall()
  beginCall()
  logLine({ level: 'info', verb: 'order' })
  const [line] = parsed()
  expect(line).toMatchObject({ function_version: '7', cold_start: false, xray_trace_id: trace })
  expect(new Date(line.timestamp).toISOString()).toBe(line.timestamp)

  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=secret')
  logLine({ level: 'info', verb: 'order' })
  expect(parsed()[1]).not.toHaveProperty('xray_trace_id')
})

test('names of fields and of metrics never overlap', () => {
  const names = Object.keys(METRICS)
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]+$/)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
})
