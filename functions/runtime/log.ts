// Writes one JSON line per event to standard output, with its metrics in CloudWatch's Embedded Metric Format. Takes
// only the fields listed here, so that keys, tokens and bodies stay out of the log.
// Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".
import { deployedName } from '../../core/contract/deployed-names.ts'
import { Dimension, METRIC_NAMESPACE, METRICS, type MetricName } from '../../core/contract/metrics.ts'
import type { Finding } from '../../core/contract/reconcile.ts'

/** The call that a line belongs to. Each field is there where it is known. */
export interface LogPlace {
  readonly requestId?: string | undefined
  readonly execution?: string | undefined
  readonly intentId?: string | undefined
  readonly run?: string | undefined
  /** Key of the leg within the plan of its run. */
  readonly leg?: string | undefined
  readonly attempt?: number | undefined
  readonly policy?: string | undefined
}

interface LogLine extends LogPlace {
  readonly level: 'info' | 'error'
  readonly verb: string
  readonly outcome?: string
  readonly error?: string
  readonly message?: string
}

/**
 * Values that a line measures. A metric is written for each of its sets of dimensions whose dimensions are all known.
 */
export interface Measured {
  readonly values: Partial<Record<MetricName, number>>
  readonly dimensions?: Partial<Record<Dimension, string>>
}

export function logLine(line: LogLine, measured: Measured = { values: {} }): void {
  write(line, measured)
}

/** Logs a finding of the audit. Queries select by the field `finding`. */
export function logFinding({ finding, movement, movementId, intentId, message }: Finding): void {
  write({ level: 'error', finding, movement, movementId, intentId, message }, { values: { AuditFindings: 1 } })
}

/** Logs that a policy's breaker opened. Queries select by the field `breaker`. */
export function logTrip(trip: { readonly policy: string; readonly runId: string; readonly because: string }): void {
  const line = { level: 'error', breaker: trip.policy, intentId: trip.runId, message: trip.because }
  write(line, { values: { BreakersOpened: 1 } })
}

/** Logs that a policy did not start when it was due. Queries select by the field `late`. */
export function logLate(late: { readonly policy: string; readonly message: string }): void {
  write({ level: 'error', late: late.policy, message: late.message }, { values: { LateStarts: 1 } })
}

let calls = 0

/** Counts a call of this function. Lines of the first call say `cold_start`. */
export function beginCall(): void {
  calls += 1
}

/** Bypasses the console: Lambda adds a prefix to its lines, and the line would not be JSON. */
function write(line: object, measured: Measured): void {
  process.stdout.write(`${JSON.stringify({ ...line, ...circumstances(), ...embedded(measured) })}\n`)
}

/** The fields and their names are those of Powertools for AWS Lambda, so that other people's queries find them. */
function circumstances(): object {
  const [, traceId] = /Root=(1-[0-9a-f]{8}-[0-9a-f]{24})\b/.exec(process.env._X_AMZN_TRACE_ID ?? '') ?? []
  return {
    timestamp: new Date().toISOString(),
    function_version: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    cold_start: calls <= 1,
    xray_trace_id: traceId,
  }
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

/** The namespace that the monitoring stack uses. The function's own name contains the environment. */
function namespace(): string {
  const [environment] = /^.+(?=-sluice-[a-z-]+$)/.exec(process.env.AWS_LAMBDA_FUNCTION_NAME ?? '') ?? []
  return deployedName(METRIC_NAMESPACE, environment)
}
