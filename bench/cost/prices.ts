// Lists prices of AWS in us-east-1, in USD, without any free tier, and computes the cost of a usage. Prices change
// seldom, and mostly downwards. The date shows the age of this table. Pages of AWS: step-functions/pricing,
// lambda/pricing, dynamodb/pricing/on-demand, cloudwatch/pricing, secrets-manager/pricing, kms/pricing,
// eventbridge/pricing, xray/pricing, under aws.amazon.com.

export const PRICES_OF = '2026-11-23'

const MILLION = 1_000_000

/** USD for one of each. */
export const PRICES = {
  /** Standard workflows. A retry is a transition too. */
  transitions: 25 / MILLION,
  invocations: 0.2 / MILLION,
  /** arm64, first tier. */
  gbSeconds: 0.0000133334,
  /** On demand: a strongly consistent read of up to 4 KB. */
  reads: 0.125 / MILLION,
  /** On demand: a write of up to 1 KB, of the table or of an index. */
  writes: 0.625 / MILLION,
  /** CloudWatch Logs, ingestion. */
  logBytes: 0.5 / 1_000_000_000,
  secretReads: 0.05 / 10_000,
  /** KMS, asymmetric keys other than RSA 2048. */
  signatures: 0.15 / 10_000,
  /** EventBridge, custom events and schedules. Events of AWS services, and deliveries, are free. */
  events: 1 / MILLION,
  /** X-Ray, as if every trace were recorded. By default it samples the first of a second and 5 % of the others. */
  traces: 5 / MILLION,
} as const

/** USD a month for resources that exist, whether used or not. */
export const MONTHLY = {
  /** For each metric that it watches. */
  'AWS::CloudWatch::Alarm': 0.1,
  'AWS::CloudWatch::Dashboard': 3,
  'AWS::KMS::Key': 1,
  'AWS::SecretsManager::Secret': 0.4,
} as const

/**
 * USD a month for a custom metric that has a value in each hour. With fewer hours, the price is their share. First
 * tier.
 */
export const METRIC_MONTH = 0.3

/**
 * KMS, a request of a service for data under one's own key. No request is counted: the priced deployment uses no key of
 * its own.
 */
export const OWN_KEY_REQUESTS = 0.03 / 10_000

export type Priced = keyof typeof PRICES

export type Usage = Readonly<Record<Priced, number>>

export const KINDS = Object.keys(PRICES) as readonly Priced[]

export const NOTHING: Usage = usageBy(() => 0)

export function add(left: Usage, right: Usage): Usage {
  return usageBy((kind) => left[kind] + right[kind])
}

export function times(usage: Usage, factor: number): Usage {
  return usageBy((kind) => usage[kind] * factor)
}

/** USD, by kind. */
export function costsOf(usage: Usage): Usage {
  return usageBy((kind) => usage[kind] * PRICES[kind])
}

/** USD. */
export function costOf(usage: Usage): number {
  return Object.values(costsOf(usage)).reduce((total, cost) => total + cost, 0)
}

function usageBy(of: (kind: Priced) => number): Usage {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Usage
}
