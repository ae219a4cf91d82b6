import { readFileSync } from 'node:fs'
import { beforeAll, expect, test, vi } from 'vitest'
import { ALARMS, alarmTerms } from '../../core/contract/alarms.ts'
import { ErrorName } from '../../core/contract/errors.ts'
import { AuditOutcome, FindingType } from '../../core/contract/reconcile.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { Verb } from '../../core/contract/states.ts'
import { StartOutcome } from '../../core/contract/triggers.ts'
import { logFinding, logLine, logTrip } from '../../functions/runtime/log.ts'
import { runbookLink } from '../../infra/constructs/runbook-link.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:treasury'
const alarmsOf = (templates: Templates) =>
  Object.values(templates.monitoring.findResources('AWS::CloudWatch::Alarm')).map((alarm) => alarm.Properties)

const filtersOf = (metricName: string) =>
  Object.values(templates.monitoring.findResources('AWS::Logs::MetricFilter')).filter(
    ({ Properties }) => Properties.MetricTransformations[0].MetricName === metricName,
  )

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates({ alarms: { topicArn } })
})

test('runs that fail, time out or are stopped, and defects, raise an alarm at the first', () => {
  const alarms = alarmsOf(templates)
  expect(Object.fromEntries(alarms.map((alarm) => [alarm.AlarmName, alarm.MetricName]))).toEqual({
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
    'sluice-key-fault': 'KeyFaults',
    'sluice-schedules-waiting': 'UnverifiedStarts',
    'sluice-dead-letters': 'ApproximateNumberOfMessagesVisible',
    'sluice-audit-finding': 'AuditFindings',
    'sluice-audit-silent': 'Audits',
    'sluice-defect': 'Defects',
  })
  for (const alarm of alarms.filter(({ AlarmName }) => AlarmName !== 'sluice-audit-silent')) {
    expect(alarm).toMatchObject({ Threshold: 1, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' })
  }
})

test('what doctor asks for is what is deployed', () => {
  expect(alarmsOf(templates).map(({ AlarmName }) => AlarmName)).toEqual(expect.arrayContaining([...ALARMS]))
  expect(alarmsOf(templates)).toHaveLength(ALARMS.length)
})

test('three hours without an audit that came to its end ring too', () => {
  const silent = alarmsOf(templates).find(({ AlarmName }) => AlarmName === 'sluice-audit-silent')
  expect(silent).toMatchObject({
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    Period: 3 * 3600,
    TreatMissingData: 'breaching',
  })
})

test('every alarm has its section in the runbook, and links to it', () => {
  for (const { AlarmName, AlarmDescription } of alarmsOf(templates)) {
    expect(runbook()).toContain(`\n## ${AlarmName}\n`)
    expect(AlarmDescription).toMatch(new RegExp(`docs/runbook\\.md#${AlarmName}$`))
  }
})

test('a defect, and an intent that the journal has lost, is counted in the log of every function', () => {
  const filters = filtersOf('Defects')
  expect(filters).toHaveLength(14)
  for (const filter of filters) {
    expect(filter.Properties.FilterPattern).toBe(
      `?"\\"errorType\\":\\"${ErrorName.Defect}\\"" ?"\\"errorType\\":\\"${ErrorName.IntentLost}\\""`,
    )
  }
})

test('a fault of a key is counted in the log of every function, long before a movement gives up', () => {
  const filters = filtersOf('KeyFaults')
  expect(filters).toHaveLength(14)
  for (const { Properties } of filters) {
    expect(Properties.FilterPattern).toBe(`"\\"errorType\\":\\"${ErrorName.KeyFault}\\""`)
  }
})

/** The lines of a log that the filters of a metric count. */
function countedOf(metricName: string, log: () => void): string[] {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  log()
  spy.mockRestore()
  const texts = [...String(filtersOf(metricName)[0]?.Properties.FilterPattern).matchAll(/"((?:[^"\\]|\\.)*)"/g)]
  return lines.filter((line) => texts.every(([, text]) => line.includes(JSON.parse(`"${text}"`))))
}

test('findings and finished audits are counted by the very lines that the function logs', () => {
  const log = () => {
    logFinding({ finding: FindingType.OverdueIntent, intentId: 'late', message: 'a sentence' })
    logLine({ level: 'info', verb: Verb.Reconcile, outcome: AuditOutcome.TiesOut })
  }
  expect(countedOf('AuditFindings', log)).toEqual([expect.stringContaining(FindingType.OverdueIntent)])
  expect(countedOf('Audits', log)).toEqual([expect.stringContaining(AuditOutcome.TiesOut)])
})

test('starts that were due before the keys were verified are counted by the very line that the function logs', () => {
  const log = () => {
    logLine({ level: 'info', verb: Verb.StartRun, outcome: StartOutcome.NotVerified })
    logLine({ level: 'info', verb: Verb.StartRun, outcome: StartOutcome.NotDue })
  }
  expect(countedOf('UnverifiedStarts', log)).toEqual([expect.stringContaining(StartOutcome.NotVerified)])
})

test('runs that need a person and breakers are counted by the very lines that the functions log', () => {
  const log = () => {
    logLine({ level: 'info', verb: Verb.SettleRun, intentId: 'run-1', outcome: RunEnd.NeedsAttention })
    logLine({ level: 'info', verb: Verb.SettleRun, intentId: 'run-2', outcome: RunEnd.Settled })
    logTrip({ policy: 'daily', runId: 'run-3', because: '3 runs in a row did not settle' })
  }
  expect(countedOf('RunsInNeed', log)).toEqual([expect.stringContaining('run-1')])
  expect(countedOf('BreakersOpened', log)).toEqual([expect.stringContaining('run-3')])
  // Whichever of the three functions opens it.
  expect(filtersOf('BreakersOpened')).toHaveLength(3)
})

const runbook = () => readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
const refsOf = (actions: readonly unknown[]) =>
  actions.map((action) => (typeof action === 'string' ? action : JSON.stringify(action)))
const topicNamed = (name: string, from = templates) =>
  Object.entries(from.monitoring.findResources('AWS::SNS::Topic')).find(
    ([, { Properties }]) => Properties.TopicName === name,
  )?.[0]

test('each alarm says how urgent it is, and tells the topic of that and the one of treasury.json', () => {
  for (const { AlarmActions, AlarmDescription, AlarmName } of alarmsOf(templates)) {
    const { severity } = alarmTerms(AlarmName.slice('sluice-'.length))
    expect(AlarmDescription).toMatch(new RegExp(`^${severity}: `))
    expect(refsOf(AlarmActions)).toEqual([JSON.stringify({ Ref: topicNamed(`sluice-${severity}`) }), topicArn])
  }
})

test('without a topic in treasury.json alarms tell those of the deployment', () => {
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

test('both topics are encrypted with a key that alarms of this account may use, and take nothing without TLS', () => {
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
])('where package.json names %s, an alarm links to its section', (_what, pages, link) => {
  expect(runbookLink('sluice-breaker', pages)).toBe(link)
})
