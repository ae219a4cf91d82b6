// Default quotas of AWS in us-east-1, and what a workload takes of them. An account may have other ones: `--limit` says so.
import { DOCS, type Quota, quoted, remembered } from './quota.ts'
import type { Load } from './workload.ts'

const STATES = 'github.com/awsdocs/aws-step-functions-developer-guide/blob/main/doc_source/limits-overview.md'
const states = quoted(STATES, '2026-11')
const lambda = quoted(`${DOCS}/lambda/latest/dg/limits.html`, '2026-11')
const scaling = quoted(`${DOCS}/lambda/latest/dg/scaling-behavior.html`, '2026-11')
const requests = remembered(`${DOCS}/lambda/latest/dg/lambda-concurrency.html`)
const events = quoted(`${DOCS}/eventbridge/latest/userguide/eb-quota.html`, '2026-11')

const LONGEST_PLAN_LEGS = 200
const MEASURED_LEGS = 10
/** The legs that a run begins with at once (infra/constructs/machine-kit.ts), and the run itself. */
const STARTS_OF_A_RUN = 6
/** Lambda makes so many environments of a function in this time. */
const SCALING_SECONDS = 10
/** An environment reads its secret anew after this (core/keys/secrets-manager-key-source.ts). */
const SECRET_AGE_SECONDS = 300
/** X-Ray records the first of a second and this share of the others. */
const SAMPLED = 0.05
const SEGMENTS_OF_INVOCATION = 2

/** Functions at work at once. */
const atWork = (load: Load) => load.atPeak(({ functionSeconds }) => functionSeconds)
/** Environments that a peak which begins at once asks for in Lambda's time. */
const newEnvironments = (load: Load) => load.atPeak(({ functionSeconds }) => Math.min(functionSeconds, SCALING_SECONDS))
const runsASecond = (load: Load) => load.atPeak(() => 1)

export const QUOTAS_OF_AWS: readonly Quota[] = [
  {
    name: 'start-executions',
    what: 'executions started a second, steadily',
    limit: 300,
    source: states,
    load: (load) => load.atPeak(({ starts }) => starts),
    told: '`sluice-dead-letters`: a request that was tried for hours',
    change: 'Ask AWS for more. Spread schedules over the hour.',
  },
  {
    name: 'start-bucket',
    what: 'executions started at once, where all policies are due in the same second',
    limit: 1_300,
    source: states,
    load: ({ workload }) => (workload.mix.rebalances > 0 ? workload.policies * STARTS_OF_A_RUN : 0),
    told: '`sluice-policy-late`, where retries do not suffice',
    change: 'Give schedules other minutes.',
  },
  {
    name: 'state-transitions',
    what: 'state transitions a second, steadily',
    limit: 1_500,
    source: states,
    load: (load) => load.atPeak(({ transitions }) => transitions),
    told: 'nothing of ours: the metric `ExecutionThrottled`; runs become slower',
    change: 'Raise `timing.pollInsideSeconds`: fewer rounds. Ask AWS for more.',
  },
  {
    name: 'history-events',
    what: 'events of one execution: a run of 200 legs',
    limit: 25_000,
    source: states,
    load: ({ counts }) => (counts.kinds.rebalances.historyEvents / MEASURED_LEGS) * LONGEST_PLAN_LEGS,
    told: '`sluice-rebalance-failed`',
    change: 'Nothing: plans are bounded at 200 legs, and each leg is an execution of its own.',
  },
  {
    name: 'open-executions',
    what: 'executions open at once',
    limit: 1_000_000,
    source: states,
    load: (load) => load.atPeak(({ seconds, starts }) => seconds * starts),
    told: '`sluice-dead-letters`',
    change: 'Ask AWS for more.',
  },
  {
    name: 'lambda-concurrency',
    what: 'functions at work at once, in the account and region',
    limit: 1_000,
    source: lambda,
    load: atWork,
    told: '`sluice-function-throttled`',
    change:
      'Lower `timing.pollInsideSeconds`: waiting inside is most of it. Ask AWS for more, or take an account of its own.',
  },
  {
    name: 'lambda-scaling',
    what: 'new environments in ten seconds, as if all functions were one and the peak began at once',
    limit: 1_000,
    source: scaling,
    load: newEnvironments,
    told: '`sluice-function-throttled`',
    change: 'Spread schedules over the hour.',
  },
  {
    name: 'lambda-requests',
    what: 'invocations a second: ten for each of the concurrency',
    limit: 10_000,
    source: requests,
    load: (load) => load.atPeak(({ invocations }) => invocations) + runsASecond(load),
    told: '`sluice-function-throttled`',
    change: 'It grows with the concurrency.',
  },
  {
    name: 'webhook-requests',
    what: 'requests a second to the function URL: ten for each of its concurrency, which is 10 by default',
    limit: 100,
    source: requests,
    load: (load) => load.workload.byWebhook * runsASecond(load),
    told: '`sluice-function-throttled`; the service delivers again',
    change: 'The limit is ten times `webhooks.mostAtOnce`, so 100 by default: raise it.',
  },
  {
    name: 'event-puts',
    what: 'events put on the bus a second',
    limit: 10_000,
    source: { ...events, how: 'remembered' },
    load: (load) => load.atPeak(({ events: put }) => put) + runsASecond(load),
    told: '`sluice-dead-letters`: ends that were not told',
    change: 'Ask AWS for more.',
  },
  {
    name: 'event-targets',
    what: 'deliveries of the bus a second: a start, and each end to Announce',
    limit: 18_750,
    source: events,
    load: (load) => load.atPeak(({ starts }) => starts) + runsASecond(load),
    told: 'nothing of ours: deliveries come later',
    change: 'Ask AWS for more; other regions begin at 750.',
  },
  {
    name: 'secret-reads',
    what: 'reads of secrets a second: every environment anew each five minutes, and when it is made',
    limit: 10_000,
    source: quoted(`${DOCS}/secretsmanager/latest/userguide/reference_limits.html`, '2026-11'),
    load: (load) => atWork(load) / SECRET_AGE_SECONDS + newEnvironments(load) / SCALING_SECONDS,
    told: '`sluice-function-errors`',
    change: 'Nothing is near.',
  },
  {
    name: 'kms-signatures',
    what: 'signatures of an ECC key a second, where KMS signs each send',
    limit: 1_000,
    source: quoted(`${DOCS}/kms/latest/developerguide/requests-per-second.html`, '2026-11'),
    load: (load) => load.atPeak(({ serviceSends }) => serviceSends),
    told: '`sluice-function-errors`',
    change:
      'Ask AWS for more (an older copy of the page says 300), or sign with a key in the secret. Proofs are signed one at a time, by people.',
  },
  {
    name: 'log-puts',
    what: 'batches of log events a second, as if each invocation brought one',
    limit: 5_000,
    source: remembered(`${DOCS}/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html`),
    load: (load) => load.atPeak(({ invocations }) => invocations),
    told: 'nothing of ours: lines and their metrics come later or not at all',
    change: 'Ask AWS for more.',
  },
  {
    name: 'trace-segments',
    what: 'X-Ray segments a second, by the default sampling',
    limit: 2_600,
    source: remembered(`${DOCS}/general/latest/gr/xray.html`),
    load: (load) => SEGMENTS_OF_INVOCATION * (1 + SAMPLED * load.atPeak(({ invocations }) => invocations)),
    told: 'nothing: traces are left out',
    change: 'Sample less.',
  },
]
