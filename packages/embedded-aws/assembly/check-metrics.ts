// Checks the expressions of alarms and dashboards, which do not run here: CloudWatch would refuse the alarm at
// deployment, and show an error in the dashboard.
// Source: Amazon CloudWatch User Guide, "CloudWatch service quotas" and "Query components and syntax in CloudWatch
// Metrics Insights".
import { faultOfQuery, isQuery } from '../cloudwatch/metrics-insights.ts'
import { isObject } from '../fields.ts'
import { Refusal } from '../refusal.ts'

/** Metrics of an alarm's expression. */
const MOST_METRICS = 10

/** `properties`: as in the template, with references. Throws Refusal. */
export function checkAlarm(properties: unknown, path: string): void {
  const metrics = isObject(properties) && Array.isArray(properties.Metrics) ? properties.Metrics.filter(isObject) : []
  const count = metrics.filter(({ MetricStat }) => MetricStat !== undefined).length
  if (count > MOST_METRICS) throw new Refusal(`${path}.Metrics`, `has ${count} metrics; an alarm takes ${MOST_METRICS}`)
  for (const { Expression } of metrics) checkExpression(Expression, `${path}.Metrics`)
}

/** `properties`: as in the template, with references. Throws Refusal. */
export function checkDashboard(properties: unknown, path: string): void {
  const text = textOf(isObject(properties) ? properties.DashboardBody : undefined)
  if (text === undefined) return
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal(`${path}.DashboardBody`, 'is not JSON')
  }
  for (const expression of expressionsIn(body)) checkExpression(expression, `${path}.DashboardBody`)
}

function checkExpression(expression: unknown, where: string): void {
  if (typeof expression !== 'string' || !isQuery(expression)) return
  const fault = faultOfQuery(expression)
  if (fault !== undefined) throw new Refusal(where, `the query of Metrics Insights ${fault}: ${expression}`)
}

/** The text with `?` for each reference. Undefined when it is neither a text nor a join of texts. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const [between, parts] = isObject(value) && Array.isArray(value['Fn::Join']) ? value['Fn::Join'] : []
  if (!Array.isArray(parts)) return undefined
  return parts.map((part) => (typeof part === 'string' ? part : '?')).join(String(between))
}

function expressionsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => (name === 'expression' ? [part] : expressionsIn(part)))
}
