import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ErrorName } from '../../functions/contract/errors.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:treasury'
const alarmsOf = (templates: Templates) =>
  Object.values(templates.monitoring.findResources('AWS::CloudWatch::Alarm')).map((alarm) => alarm.Properties)

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
    'sluice-defect': 'Defects',
  })
  for (const alarm of alarms) {
    expect(alarm).toMatchObject({ Threshold: 1, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' })
  }
})

test('every alarm has its section in the runbook, and names it', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
  for (const { AlarmName, AlarmDescription } of alarmsOf(templates)) {
    expect(runbook).toContain(`\n## ${AlarmName}\n`)
    expect(AlarmDescription).toContain(`"${AlarmName}" in docs/runbook.md`)
  }
})

test('a defect is counted in the log of every function', () => {
  const filters = Object.values(templates.monitoring.findResources('AWS::Logs::MetricFilter'))
  expect(filters).toHaveLength(7)
  for (const filter of filters) {
    expect(filter.Properties.FilterPattern).toBe(`"\\"errorType\\":\\"${ErrorName.Defect}\\""`)
  }
})

test('alarms notify the topic of treasury.json', () => {
  for (const alarm of alarmsOf(templates)) expect(alarm.AlarmActions).toEqual([topicArn])
})

test('without a topic, alarms are raised and notify nobody', () => {
  const alarms = alarmsOf(synthesizeTemplates())
  expect(alarms).toHaveLength(7)
  for (const alarm of alarms) expect(alarm.AlarmActions).toBeUndefined()
})
