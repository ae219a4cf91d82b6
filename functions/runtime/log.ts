// One JSON line an event on standard output, with the metrics of the line in CloudWatch's Embedded Metric Format. Takes only
// the fields listed here, so that nothing else (keys, tokens, bodies) can slip into a log.
// Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".
import { deployedName } from '../../core/contract/deployed-names.ts'
import { Dimension, METRIC_NAMESPACE, METRICS, type MetricName } from '../../core/contract/metrics.ts'
import type { Finding } from '../../core/contract/reconcile.ts'

/** Where a line belongs. Each where it is known. */
export interface LogPlace {
  /** Of Lambda. */
  readonly requestId?: string | undefined
  readonly execution?: string | undefined
  readonly intentId?: string | undefined
  readonly run?: string | undefined
  /** Its key within the plan of its run. */
  readonly leg?: string | undefined
  readonly attempt?: number | undefined
  readonly policy?: string | undefined
}

export interface LogLine extends LogPlace {
  readonly level: 'info' | 'error'
  readonly verb: string
  readonly outcome?: string
  readonly error?: string
  readonly message?: string
}

/** What a line measures. A metric is written for those of its sets of dimensions of which every one is known. */
export interface Measured {
  readonly values: Partial<Record<MetricName, number>>
  readonly dimensions?: Partial<Record<Dimension, string>>
}

export function logLine(line: LogLine, measured: Measured = { values: {} }): void {
  write(line, measured)
}

/** What an audit found: the field `finding` is what queries go by. */
export function logFinding({ finding, movement, movementId, intentId, message }: Finding): void {
  write({ level: 'error', finding, movement, movementId, intentId, message }, { values: { AuditFindings: 1 } })
}

/** A policy's breaker opened: the field `breaker` is what queries go by. */
export function logTrip(trip: { readonly policy: string; readonly runId: string; readonly because: string }): void {
  const line = { level: 'error', breaker: trip.policy, intentId: trip.runId, message: trip.because }
  write(line, { values: { BreakersOpened: 1 } })
}

/** A policy did not start when it was due: the field `late` is what queries go by. */
export function logLate(late: { readonly policy: string; readonly message: string }): void {
  write({ level: 'error', late: late.policy, message: late.message }, { values: { LateStarts: 1 } })
}

/** Past the console: Lambda puts words before what that writes, and then it is no JSON. */
function write(line: object, measured: Measured): void {
  process.stdout.write(`${JSON.stringify({ ...line, ...embedded(measured) })}\n`)
}

function embedded({ values, dimensions = {} }: Measured): object {
  const written = Object.entries(METRICS).flatMap(([name, { by, unit }]) => {
    const value = values[name as MetricName]
    const sets = by.filter((set) => set.every((dimension) => dimensions[dimension] !== undefined))
    return value === undefined || !Number.isFinite(value) || sets.length === 0 ? [] : [{ name, unit, value, sets }]
  })
  if (written.length === 0) return {}
  const used = new Set(written.flatMap(({ sets }) => sets.flat()))
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: written.map(({ name, unit, sets }) => ({
        Namespace: namespace(),
        Dimensions: sets,
        Metrics: [{ Name: name, Unit: unit }],
      })),
    },
    ...Object.fromEntries(
      Object.values(Dimension).flatMap((name) => (used.has(name) ? [[name, dimensions[name]]] : [])),
    ),
    ...Object.fromEntries(written.map(({ name, value }) => [name, value])),
  }
}

/** As the monitoring stack names it: the function's own name says the environment. */
function namespace(): string {
  const [environment] = /^.+(?=-sluice-[a-z-]+$)/.exec(process.env.AWS_LAMBDA_FUNCTION_NAME ?? '') ?? []
  return deployedName(METRIC_NAMESPACE, environment)
}
