// Each fault that needs a person raises an alarm, once, and so does silence of a schedule or a function.
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ALARMS, alarmTerms } from '../../core/contract/alarms.ts'
import { METRICS, type MetricName } from '../../core/contract/metrics.ts'
import type { Notice } from '../../core/contract/notices.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { runbookLink } from '../../infra/constructs/runbook-link.ts'
import { samplePolicies, synthesizeTemplates, type Templates, webhooks } from './assembly.ts'
import { largestTreasury } from './largest-treasury.ts'
import { faultOfQuery, isQuery } from './metrics-insights.ts'

interface Watched {
  readonly Id: string
  readonly Expression?: string
  readonly MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string; Value: string }[] } }
}

const notices: Notice[] = [{ name: 'desk', to: { sns: [] }, about: ['halted'] }]
const topicArn = 'arn:aws:sns:eu-west-1:123456789012:treasury'
const alarmsOf = (templates: Templates) =>
  Object.values(templates.monitoring.findResources('AWS::CloudWatch::Alarm')).map((alarm) => alarm.Properties)

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates({ alarms: { topicArn } })
})

/** The name of the alarm's metric, or of those that it adds up. */
function watchedBy({
  MetricName,
  Metrics,
}: {
  MetricName?: string
  Metrics?: { MetricStat?: { Metric: { MetricName: string } } }[]
}) {
  return MetricName ?? Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? [])
}

test('the first run that fails, times out or is stopped, and the first defect, raise an alarm', () => {
  const alarms = alarmsOf(templates)
  expect(Object.fromEntries(alarms.map((alarm) => [alarm.AlarmName, watchedBy(alarm)]))).toEqual({
    'sluice-convert-failed': 'ExecutionsFailed',
    'sluice-convert-timed-out': 'ExecutionsTimedOut',
    'sluice-convert-aborted': 'ExecutionsAborted',
    'sluice-withdraw-failed': 'ExecutionsFailed',
    'sluice-withdraw-timed-out': 'ExecutionsTimedOut',
    'sluice-withdraw-aborted': 'ExecutionsAborted',
    'sluice-rebalance-failed': 'ExecutionsFailed',
    'sluice-rebalance-timed-out': 'ExecutionsTimedOut',
    'sluice-rebalance-aborted': 'ExecutionsAborted',
    'sluice-sweep-failed': 'ExecutionsFailed',
    'sluice-sweep-timed-out': 'ExecutionsTimedOut',
    'sluice-sweep-aborted': 'ExecutionsAborted',
    'sluice-run-attention': 'RunsInNeed',
    'sluice-breaker': 'BreakersOpened',
    'sluice-key-fault': [],
    'sluice-own-fault': [],
    'sluice-entry-refused': [],
    'sluice-policy-late': 'LateStarts',
    'sluice-schedule-undelivered': Array.from({ length: 2 }, () => [
      'InvocationDroppedCount',
      'InvocationsFailedToBeSentToDeadLetterCount',
    ]).flat(),
    'sluice-event-undelivered': Array.from({ length: 3 }, () => [
      'FailedInvocations',
      'InvocationsFailedToBeSentToDlq',
    ]).flat(),
    'sluice-function-killed': 'FunctionsKilled',
    'sluice-function-errors': Array.from({ length: 7 }, () => 'Errors'),
    'sluice-run-errors': Array.from({ length: 6 }, () => 'Errors'),
    'sluice-trigger-errors': Array.from({ length: 2 }, () => 'Errors'),
    'sluice-people-errors': Array.from({ length: 4 }, () => ['Errors', 'Throttles']).flat(),
    'sluice-doubt-errors': Array.from({ length: 3 }, () => ['Errors', 'Throttles']).flat(),
    'sluice-function-throttled': Array.from({ length: 7 }, () => 'Throttles'),
    'sluice-run-throttled': Array.from({ length: 6 }, () => 'Throttles'),
    'sluice-trigger-throttled': Array.from({ length: 2 }, () => 'Throttles'),
    'sluice-clock-offset': 'ClockOffset',
    'sluice-rate-limit': 'RateLimitLeft',
    'sluice-schedules-waiting': 'UnverifiedStarts',
    'sluice-dead-letters': 'ApproximateNumberOfMessagesVisible',
    'sluice-more-dead-letters': ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesNotVisible'],
    'sluice-deposit-late': 'ApproximateAgeOfOldestMessage',
    'sluice-backup-failed': ['Failed', 'Aborted', 'Expired'].map((end) => `NumberOfBackupJobs${end}`),
    'sluice-audit-finding': 'AuditFindings',
    'sluice-audit-silent': 'Audits',
    'sluice-look-again-silent': 'Invocations',
    'sluice-defect': 'Defects',
  })
  const others = /-silent|(function|run|trigger)-errors|clock-offset|rate-limit|deposit-late/
  for (const alarm of alarms.filter(({ AlarmName }) => !others.test(AlarmName))) {
    const { DatapointsToAlarm, EvaluationPeriods } = alarm
    expect(alarm).toMatchObject({ Threshold: 1, TreatMissingData: 'notBreaching' })
    expect(DatapointsToAlarm ?? EvaluationPeriods).toBe(1)
  }
})

test('a fault that every five-minute check repeats rings once, and again only after it was gone for a while', () => {
  for (const name of ['key-fault', 'own-fault', 'entry-refused', 'schedule-undelivered']) {
    expect(alarmsOf(templates).find(({ AlarmName }) => AlarmName === `sluice-${name}`)).toMatchObject({
      ...{ EvaluationPeriods: 15, DatapointsToAlarm: 1, Threshold: 1, TreatMissingData: 'notBreaching' },
      Metrics: expect.arrayContaining([expect.objectContaining({ Expression: expect.anything() })]),
    })
  }
})

test('an alarm that is on for one function rings for another one, and likewise for state machines', () => {
  const live = synthesizeTemplates({ environment: 'live' })
  for (const [name, metric, dimension] of [
    ['key-fault', 'KeyFaults', 'Verb'],
    ['own-fault', 'OwnFaults', 'Verb'],
    ['entry-refused', 'EntriesRefused', 'Kind'],
  ] as const) {
    const alarm = alarmsOf(live).find(({ AlarmName }) => AlarmName === `live-sluice-${name}`)
    expect(alarm?.Metrics[0].Expression).toBe(
      `SELECT SUM(${metric}) FROM SCHEMA("live-Sluice", ${dimension}) GROUP BY ${dimension} ORDER BY SUM() DESC`,
    )
    const { by, statistic } = METRICS[metric]
    expect([by, statistic]).toEqual([expect.arrayContaining([[dimension]]), 'Sum'])
  }
})

test('a failed backup rings, and with copies a failed copy, counted under the name of either vault', () => {
  const key = (region: string, last: string) =>
    `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890${last}`
  const counted = (changes: Partial<Treasury>) => {
    const alarm = alarmsOf(synthesizeTemplates(changes)).find(({ AlarmName }) => /backup-failed$/.test(AlarmName))
    return alarm?.Metrics.flatMap(({ MetricStat }: Watched) =>
      MetricStat === undefined ? [] : `${MetricStat.Metric.MetricName} ${MetricStat.Metric.Dimensions[0]?.Value}`,
    )
  }
  const jobs = (vault: string) => ['Failed', 'Aborted', 'Expired'].map((end) => `NumberOfBackupJobs${end} ${vault}`)
  expect(counted({ environment: 'live' })).toEqual(jobs('live-sluice-journal-backups'))
  expect(counted({ journal: { copyRegion: 'eu-central-1' } })).toEqual([
    ...jobs('sluice-journal-backups'),
    'NumberOfCopyJobsFailed sluice-journal-backups',
  ])
  const encryption = { journal: key('eu-west-1', '11'), copies: key('eu-central-1', '22') }
  expect(counted({ journal: { copyRegion: 'eu-central-1' }, encryption })).toEqual([
    ...jobs(`sluice-journal-backups-${encryption.journal.slice(-8)}`),
    ...Object.values(encryption).map((each) => `NumberOfCopyJobsFailed sluice-journal-backups-${each.slice(-8)}`),
  ])
})

// With FILL, the newest minute of a metric that comes late has always the filled value, and an alarm of one period reads that minute.
test('no alarm fills in what is missing, and one on an expression looks at more periods than have to breach', () => {
  const alarms = alarmsOf(synthesizeTemplates(largestTreasury('sns')))
  const expressions = alarms.flatMap(({ Metrics = [], ...alarm }) =>
    Metrics.flatMap(({ Expression }: Watched) => (Expression === undefined ? [] : [{ ...alarm, Expression }])),
  )
  expect(expressions.filter(({ Expression }) => /FILL/.test(Expression)).map(({ AlarmName }) => AlarmName)).toEqual([])
  const soon = expressions.filter(
    ({ DatapointsToAlarm, EvaluationPeriods }) => !(DatapointsToAlarm < EvaluationPeriods),
  )
  expect(soon.map(({ AlarmName }) => AlarmName)).toEqual([])
})

test('the schedules of every group are watched, and what they call has an alarm for its silence', () => {
  const { monitoring, triggers, workflow } = synthesizeTemplates({ policies: samplePolicies })
  const groups = [workflow, triggers].flatMap((template) =>
    Object.values(template.findResources('AWS::Scheduler::Schedule')).map(({ Properties }) => Properties.GroupName),
  )
  const [undelivered, silent] = ['schedule-undelivered', 'look-again-silent'].map((name) =>
    Object.values(monitoring.findResources('AWS::CloudWatch::Alarm', { Properties: { AlarmName: `sluice-${name}` } })),
  )
  const watched = undelivered?.[0]?.Properties.Metrics.flatMap(
    ({ MetricStat }: Watched) => MetricStat?.Metric.Dimensions.map(({ Value }) => Value) ?? [],
  )
  expect(new Set(watched)).toEqual(new Set(groups))
  expect(silent?.[0]?.Properties).toMatchObject({
    ...{ MetricName: 'Invocations', Dimensions: [{ Name: 'FunctionName', Value: 'sluice-look-again' }] },
    ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, Period: 900, TreatMissingData: 'breaching' },
  })
})

test('a schedule is created once its role may call the target, which EventBridge Scheduler tests then', () => {
  const { triggers, workflow } = synthesizeTemplates({ policies: samplePolicies })
  for (const template of [triggers, workflow]) {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
    const schedules = Object.values(template.findResources('AWS::Scheduler::Schedule'))
    expect(schedules.length).toBeGreaterThan(2)
    for (const { DependsOn, Properties } of schedules) {
      const [role] = Properties.Target.RoleArn['Fn::GetAtt']
      const [policy] = policies.find(([, each]) => each.Properties.Roles[0].Ref === role) ?? []
      expect(DependsOn).toContain(policy)
    }
  }
})

test('a new letter beside an older one rings, and the first one of an empty queue does not ring twice', () => {
  const alarm = alarmsOf(templates).find(({ AlarmName }) => AlarmName === 'sluice-more-dead-letters')
  const all = '(seen + read)'
  expect(alarm?.Metrics.find(({ Expression }: { Expression?: string }) => Expression)?.Expression).toBe(
    `IF((DIFF${all} > 0) AND (${all} > DIFF${all}), DIFF${all}, 0)`,
  )
})

test('every function is watched; those that people call have alarms of their own', () => {
  const { workflow, triggers, monitoring } = synthesizeTemplates({ webhooks })
  const deployed = [workflow, triggers].flatMap((template) =>
    Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties.FunctionName),
  )
  const watched = (name: string) => {
    const alarm = Object.values(monitoring.findResources('AWS::CloudWatch::Alarm')).find(
      ({ Properties }) => Properties.AlarmName === `sluice-${name}`,
    )
    return new Set(JSON.stringify(alarm?.Properties.Metrics).match(/sluice-[a-z-]+/g))
  }
  const names = ['function', 'run', 'trigger', 'people', 'doubt'].flatMap((name) => [...watched(`${name}-errors`)])
  expect(names.sort()).toEqual(deployed.sort())
  expect([...watched('people-errors')].sort()).toEqual(
    ['decide', 'request-run', 'resume', 'throw-switch'].map((name) => `sluice-${name}`),
  )
  expect([...watched('doubt-errors')].sort()).toEqual(
    ['declare-foreign', 'release', 'resolve'].map((name) => `sluice-${name}`),
  )
})

test('doctor asks for exactly the deployed alarms', () => {
  expect(alarmsOf(templates).map(({ AlarmName }) => AlarmName)).toEqual(expect.arrayContaining([...ALARMS]))
  expect(alarmsOf(templates)).toHaveLength(ALARMS.length)
})

test('three hours without a finished audit ring too', () => {
  const silent = alarmsOf(templates).find(({ AlarmName }) => AlarmName === 'sluice-audit-silent')
  expect(silent).toMatchObject({
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    Period: 3 * 3600,
    TreatMissingData: 'breaching',
  })
})

test('every alarm has its section in the runbook, and links to it', () => {
  const sections = runbook().split('\n## ')
  for (const { AlarmName, AlarmDescription } of alarmsOf(templates)) {
    const section = sections.find((text) => text.startsWith(`${AlarmName}\n`))
    // The commands of the section, or the section that has them.
    expect(section, AlarmName).toMatch(/`(aws|npx sluice|npm run) |\]\(#sluice-/)
    expect(AlarmDescription).toMatch(new RegExp(`docs/runbook\\.md#${AlarmName}$`))
  }
})

test('an alarm on a metric of functions uses one that they write, in the namespace of the deployment', () => {
  const live = synthesizeTemplates({ environment: 'live' })
  for (const [from, namespace] of [
    [templates, 'Sluice'],
    [live, 'live-Sluice'],
  ] as const) {
    const written = alarmsOf(from).filter(({ Namespace = '' }) => Namespace.endsWith('Sluice'))
    expect(written.length).toBeGreaterThanOrEqual(10)
    for (const { MetricName, Namespace, Statistic } of written) {
      expect(Namespace).toBe(namespace)
      if (MetricName === 'FunctionsKilled') continue
      const { by, statistic } = METRICS[MetricName as MetricName]
      expect({ Statistic, by }).toEqual({ Statistic: statistic, by: [[]] })
    }
  }
})

test("an ended function is counted by Lambda's own lines, for every function", () => {
  const filters = Object.values(templates.monitoring.findResources('AWS::Logs::MetricFilter'))
  expect(filters).toHaveLength(22)
  for (const { Properties } of filters) {
    expect(Properties.FilterPattern).toMatch(/^\?"Task timed out after" \?"Runtime.ExitError"/)
    expect(Properties.MetricTransformations[0]).toMatchObject({
      MetricNamespace: 'Sluice',
      MetricName: 'FunctionsKilled',
    })
  }
})

test("errors and throttles are added up over this deployment's functions, at most ten in an alarm", () => {
  const live = alarmsOf(synthesizeTemplates({ environment: 'a-long-name-1234', webhooks, notices }))
  for (const [metric, names] of [
    ['Errors', ['function-errors', 'run-errors', 'trigger-errors']],
    ['Throttles', ['function-throttled', 'run-throttled', 'trigger-throttled']],
  ] as const) {
    const alarms = live.filter(({ AlarmName }) => names.some((name) => AlarmName === `a-long-name-1234-sluice-${name}`))
    const stats = alarms.flatMap(({ Metrics }) => Metrics.flatMap((each: Watched) => each.MetricStat ?? []))
    expect(new Set(stats.map(({ Metric }) => Metric.MetricName))).toEqual(new Set([metric]))
    expect(new Set(stats.map(({ Metric }) => Metric.Dimensions[0]?.Value)).size).toBe(18)
    for (const { Metrics } of alarms) {
      const ids = Metrics.flatMap((each: Watched) => (each.MetricStat === undefined ? [] : [each.Id]))
      expect(ids.length).toBeLessThanOrEqual(10)
      const [sum] = Metrics.flatMap((each: Watched) => each.Expression ?? [])
      expect(sum).toBe(`SUM([${ids.join(', ')}])`)
    }
  }
})

test('every query of alarms and of the dashboard follows the grammar of Metrics Insights', () => {
  const dashboard = Object.values(templates.monitoring.findResources('AWS::CloudWatch::Dashboard'))[0]?.Properties
  const body = JSON.stringify(
    dashboard?.DashboardBody['Fn::Join'][1].filter((part: unknown) => typeof part === 'string'),
  )
  expect(body).not.toMatch(/SELECT /i)
  const queries = alarmsOf(templates).flatMap(({ Metrics = [] }) =>
    Metrics.flatMap(({ Expression = '' }: { Expression?: string }) => (isQuery(Expression) ? [Expression] : [])),
  )
  expect(queries).toHaveLength(3)
  expect(queries.map(faultOfQuery)).toEqual(queries.map(() => undefined))
})

test('undelivered events are counted by the names of rules, unless a schedule makes up for them', () => {
  const rules = Object.values(templates.triggers.findResources('AWS::Events::Rule'))
    .map(({ Properties }) => Properties.Name)
    .filter((name) => name !== 'sluice-resumed')
  const alarm = alarmsOf(templates).find(({ AlarmName }) => AlarmName === 'sluice-event-undelivered')
  const asked = alarm?.Metrics.flatMap(
    (each: { MetricStat?: { Metric: { Dimensions: { Name: string; Value: string }[] } } }) =>
      each.MetricStat?.Metric.Dimensions.filter(({ Name }) => Name === 'RuleName').map(({ Value }) => Value),
  )
  expect([...new Set(asked)].filter(Boolean).sort()).toEqual(rules.sort())
})

test('the dashboard shows every alarm and every metric', () => {
  const [dashboard, ...others] = Object.values(templates.monitoring.findResources('AWS::CloudWatch::Dashboard'))
  expect(others).toEqual([])
  expect(dashboard?.Properties.DashboardName).toBe('sluice')
  const body = JSON.stringify(dashboard?.Properties.DashboardBody)
  for (const metric of Object.keys(METRICS)) expect(body).toContain(`MetricName=\\\\\\"${metric}\\\\\\"`)
  expect(body.match(/"Fn::GetAtt"/g)?.length).toBeGreaterThanOrEqual(ALARMS.length)
})

test('no id is a dimension, and each dimension has few known values', () => {
  expect(new Set(Object.values(METRICS).flatMap(({ by }) => by.flat()))).toEqual(
    new Set(['Kind', 'Outcome', 'Policy', 'ValuationAsset', 'Verb']),
  )
})

test('the runbook explains each metric, its unit and its dimensions', () => {
  const lines = runbook().split('\n')
  for (const [name, { by, says, unit }] of Object.entries(METRICS)) {
    const sets = by.map((set) => (set.length === 0 ? 'all' : set.join(' and '))).join('; ')
    expect(lines).toContain(`- \`${name}\` (${unit}; ${sets}): ${says}`)
  }
})

const runbook = () => readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
const refsOf = (actions: readonly unknown[]) =>
  actions.map((action) => (typeof action === 'string' ? action : JSON.stringify(action)))
const topicNamed = (name: string, from = templates) =>
  Object.entries(from.monitoring.findResources('AWS::SNS::Topic')).find(
    ([, { Properties }]) => Properties.TopicName === name,
  )?.[0]

test('each alarm states its severity, and notifies the topic of that severity and the one of treasury.json', () => {
  for (const { AlarmActions, AlarmDescription, AlarmName } of alarmsOf(templates)) {
    const { severity } = alarmTerms(AlarmName.slice('sluice-'.length))
    expect(AlarmDescription).toMatch(new RegExp(`^${severity}: `))
    expect(refsOf(AlarmActions)).toEqual([JSON.stringify({ Ref: topicNamed(`sluice-${severity}`) }), topicArn])
  }
})

test('without a topic in treasury.json alarms notify those of the deployment', () => {
  const plain = synthesizeTemplates()
  expect(alarmsOf(plain)).toHaveLength(ALARMS.length)
  const made = Object.keys(plain.monitoring.findResources('AWS::SNS::Topic'))
  for (const alarm of alarmsOf(plain)) expect(made).toContain(alarm.AlarmActions[0].Ref)
  for (const alarm of alarmsOf(plain)) expect(alarm.AlarmActions).toHaveLength(1)
})

test('the addresses of treasury.json are subscribed to the topic of their severity, each once', () => {
  const page = ['mailto:on-call@example.com', 'https://alerts.example.com/sluice', 'mailto:on-call@example.com']
  const told = synthesizeTemplates({ alarms: { page, ticket: ['mailto:desk@example.com'] } })
  const subscribed = Object.values(told.monitoring.findResources('AWS::SNS::Subscription')).map(({ Properties }) => [
    Properties.TopicArn.Ref,
    Properties.Protocol,
    Properties.Endpoint,
  ])
  expect(subscribed.sort()).toEqual(
    [
      [topicNamed('sluice-page', told), 'email', 'on-call@example.com'],
      [topicNamed('sluice-page', told), 'https', 'https://alerts.example.com/sluice'],
      [topicNamed('sluice-ticket', told), 'email', 'desk@example.com'],
    ].sort(),
  )
})

test('both topics are encrypted with a key that alarms of this account may use, and require TLS', () => {
  const cloudWatch = {
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  }
  const [[keyId, key] = []] = Object.entries(templates.monitoring.findResources('AWS::KMS::Key'))
  expect(key?.Properties.EnableKeyRotation).toBe(true)
  expect(key?.Properties.KeyPolicy.Statement).toContainEqual(
    expect.objectContaining({ Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], ...cloudWatch }),
  )
  for (const { Properties } of Object.values(templates.monitoring.findResources('AWS::SNS::Topic'))) {
    expect(Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] })
  }
  const policies = Object.values(templates.monitoring.findResources('AWS::SNS::TopicPolicy'))
  expect(policies).toHaveLength(2)
  for (const { Properties } of policies) {
    expect(Properties.PolicyDocument.Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Effect: 'Allow', Action: 'sns:Publish', ...cloudWatch }),
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    )
  }
})

test.each([
  ['nothing', {}, 'docs/runbook.md#sluice-breaker'],
  [
    'a repository',
    { repository: 'git+https://git.example/a/b.git' },
    'https://git.example/a/b/blob/HEAD/docs/runbook.md#sluice-breaker',
  ],
  [
    'a repository in full',
    { repository: { url: 'https://git.example/a/b' } },
    'https://git.example/a/b/blob/HEAD/docs/runbook.md#sluice-breaker',
  ],
  ['a homepage', { homepage: 'https://b.example/' }, 'https://b.example/docs/runbook.md#sluice-breaker'],
  ['what a browser cannot open', { repository: 'git@git.example:a/b.git' }, 'docs/runbook.md#sluice-breaker'],
])('with %s in package.json, an alarm links to its section', (_what, pages, link) => {
  expect(runbookLink('sluice-breaker', pages)).toBe(link)
})
