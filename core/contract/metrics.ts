// Lists the metrics of a deployment in one table. Functions write them, alarms and the dashboard read them, and the
// runbook lists them. A dimension has few values that are known in advance: a kind, an outcome, a policy of
// treasury.json. It is never an id, because CloudWatch keeps each value as a metric of its own for good.

/** CloudWatch namespace. In an environment it begins with the environment's name. */
export const METRIC_NAMESPACE = 'Sluice'

/** Units as CloudWatch spells them. */
type Unit = 'Count' | 'Seconds' | 'Milliseconds' | 'Percent' | 'None'

export const Dimension = {
  /** `convert`, `withdraw`, or the kind of a policy. */
  Kind: 'Kind',
  Outcome: 'Outcome',
  Policy: 'Policy',
  /** The asset in which values are expressed. */
  ValuationAsset: 'ValuationAsset',
  Verb: 'Verb',
} as const
export type Dimension = (typeof Dimension)[keyof typeof Dimension]

export interface MetricTerms {
  readonly unit: Unit
  /** How CloudWatch combines the values of a period. */
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum'
  /** One sentence for the runbook. */
  readonly says: string
  /** Sets of dimensions, each of which makes its own metric. The empty set is the metric of the whole deployment. */
  readonly by: readonly (readonly Dimension[])[]
}

const { Kind, Outcome, Policy, ValuationAsset, Verb } = Dimension
const WHOLE = [[]] as const
const BY_FUNCTION = [[], [Verb]] as const
const count = (says: string, by: MetricTerms['by'] = WHOLE): MetricTerms => ({
  ...{ unit: 'Count', statistic: 'Sum', says, by },
})

const TABLE = {
  Ends: count('Movements and runs that ended, by their outcome.', [[Kind, Outcome]]),
  Movements: count('Orders that filled and withdrawals that completed.', [[], [Kind]]),
  Value: {
    unit: 'None',
    statistic: 'Sum',
    says: 'Planned value of the legs that moved.',
    by: [[ValuationAsset], [Policy, ValuationAsset]],
  },
  Slippage: {
    unit: 'None',
    statistic: 'Average',
    says: 'Basis points by which a filled order was worse than its planned price.',
    by: [[], [Policy]],
  },
  SettleTime: {
    unit: 'Seconds',
    statistic: 'Maximum',
    says: 'From when a movement or a run was opened to its end.',
    by: [[Kind]],
  },
  DoubtTime: {
    unit: 'Seconds',
    statistic: 'Maximum',
    says: 'From a send whose effect was not proven to its proof.',
    by: [[], [Kind]],
  },
  FenceWaits: count('Waits for a fence.', [[], [Kind]]),
  BudgetsSpent: count('Movements and plans that a budget of the day held back.', [[], [Policy]]),
  TrackingError: {
    unit: 'None',
    statistic: 'Maximum',
    says: 'Basis points of the total value in the wrong assets, as planned.',
    by: [[Policy]],
  },
  RunsInNeed: count('Runs that were settled with a leg in doubt or stuck.'),
  BreakersOpened: count('Policies that halted themselves.'),
  EntriesRefused: count('Executions that stopped in doubt and could not be entered again automatically.', [[Kind]]),
  UnverifiedStarts: count('Starts before the keys were verified.'),
  LateStarts: count('Policies whose schedule was due and started nothing, found by the audit.'),
  Audits: count('Audits that ended.'),
  AuditLag: {
    unit: 'Seconds',
    statistic: 'Maximum',
    says: 'From the end of what the audits have judged to the newest movement that is old enough to be judged.',
    by: WHOLE,
  },
  AuditFindings: count('What an audit could not tie out.'),
  Defects: count('Steps that met a bug, a broken contract, or an intent that the journal has lost.'),
  KeyFaults: count('Steps whose key the service refused, or that could not use it.', BY_FUNCTION),
  OwnFaults: count('Steps that failed by our own key, permission, configuration or code.', BY_FUNCTION),
  ClockOffset: {
    unit: 'Milliseconds',
    statistic: 'Maximum',
    says: "How far a function's clock was from the service's, whichever was ahead.",
    by: WHOLE,
  },
  RateLimitLeft: {
    unit: 'Percent',
    statistic: 'Minimum',
    says: 'Lowest reported share of the rate limit that is left.',
    by: WHOLE,
  },
} as const satisfies Readonly<Record<string, MetricTerms>>
export type MetricName = keyof typeof TABLE

export const METRICS: Readonly<Record<MetricName, MetricTerms>> = TABLE

/** The metrics that count an error, by the error's name. */
export const FAULT_METRICS: Readonly<Record<string, readonly MetricName[]>> = {
  Defect: ['Defects'],
  IntentLost: ['Defects'],
  KeyFault: ['KeyFaults', 'OwnFaults'],
  OwnFault: ['OwnFaults'],
}
