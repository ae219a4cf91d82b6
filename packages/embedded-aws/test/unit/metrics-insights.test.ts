// An assembly whose alarm or dashboard has a query that CloudWatch would refuse is refused.
import { describe, expect, test } from 'vitest'
import { planDeployment } from '../../assembly/deployment.ts'
import { faultOfQuery, isQuery } from '../../cloudwatch/metrics-insights.ts'

const FROM = 'SELECT SUM(Errors) FROM SCHEMA("AWS/Lambda", FunctionName)'

test.each([
  FROM,
  'select max("My.Metric") from "AWS/EC2"',
  `${FROM} WHERE FunctionName = 'a'`,
  `${FROM} WHERE FunctionName != 'it\\'s' AND Stage = 'live' AND "a b" = ''`,
  `${FROM} GROUP BY FunctionName, Stage ORDER BY AVG() DESC LIMIT 500`,
  'SELECT COUNT(Requests) FROM Sluice ORDER BY SUM()',
])('a query that follows the grammar has no fault: %s', (query) => {
  expect(isQuery(query)).toBe(true)
  expect(faultOfQuery(query)).toBeUndefined()
})

test.each([
  [`${FROM} WHERE FunctionName = 'a' OR FunctionName = 'b'`, 'has OR where another clause'],
  [`${FROM} WHERE FunctionName IN ('a', 'b')`, 'has IN where != is expected'],
  [`${FROM} WHERE (FunctionName = 'a')`, 'has ( where the name of a dimension'],
  [`${FROM} WHERE FunctionName = "a"`, 'has a where a value in single quotes'],
  [`${FROM} WHERE FunctionName = 'a' AND`, 'has the end of the query where the name of a dimension'],
  [`${FROM} GROUP BY FunctionName WHERE FunctionName = 'a'`, 'has WHERE where another clause'],
  [`${FROM} ORDER BY Errors`, 'has Errors where one of AVG'],
  [`${FROM} LIMIT 501`, 'has 501 where a number from 1 to 500'],
  ['SELECT P99(Duration) FROM Sluice', 'has P99 where one of AVG'],
  ['SELECT SUM(LIMIT) FROM Sluice', 'has LIMIT where the name of a metric'],
  ['SELECT SUM(Errors) FROM AWS/Lambda', 'cannot be read from "/Lambda"'],
  ['SELECT SUM(Errors)', 'has the end of the query where FROM'],
])('a query that breaks the grammar has its fault named: %s', (query, fault) => {
  expect(faultOfQuery(query)).toContain(fault)
})

test('metric math is no query', () => {
  expect(['SUM([m1, m2])', 'SELECTED + 1', 'm1'].map(isQuery)).toEqual([false, false, false])
})

describe('an assembly is refused', () => {
  const boot = (type: string, properties: object) => {
    const thing = { type, properties, path: 'App/Thing', condition: undefined }
    const template = { parameters: {}, outputs: {}, resources: { Thing: thing } }
    const stack = { name: 'Stack', account: '111122223333', region: 'eu-west-1', template }
    return () => planDeployment({ stacks: [stack], assetDirs: new Map() }, {})
  }
  const queried = (where: string) => `${FROM} WHERE ${where}`
  const metrics = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ Id: `m${at}`, MetricStat: { Stat: 'Sum' }, ReturnData: false }))

  test('when the query of an alarm joins by OR', () => {
    const alarm = (where: string) => boot('AWS::CloudWatch::Alarm', { Metrics: [{ Expression: queried(where) }] })
    expect(alarm("FunctionName = 'a'")).not.toThrow()
    expect(alarm("FunctionName = 'a' OR FunctionName = 'b'")).toThrow(
      'App/Thing.Metrics: the query of Metrics Insights has OR where another clause of Metrics Insights, whose WHERE joins by AND only is expected',
    )
  })

  test('when an alarm adds up more than ten metrics', () => {
    const alarm = (count: number) =>
      boot('AWS::CloudWatch::Alarm', { Metrics: [...metrics(count), { Expression: 'SUM(METRICS())' }] })
    expect(alarm(10)).not.toThrow()
    expect(alarm(11)).toThrow('App/Thing.Metrics: has 11 metrics; an alarm takes 10')
  })

  test('when the query of a dashboard breaks the grammar, also beside references', () => {
    const dashboard = (where: string) => {
      const body = { widgets: [{ properties: { alarms: ['ARN'], metrics: [[{ expression: queried(where) }]] } }] }
      const [before, after] = JSON.stringify(body).split('ARN')
      return boot('AWS::CloudWatch::Dashboard', {
        DashboardBody: { 'Fn::Join': ['', [before, { 'Fn::GetAtt': ['Alarm', 'Arn'] }, after]] },
      })
    }
    expect(dashboard("FunctionName = 'a' AND Stage = 'b'")).not.toThrow()
    expect(dashboard("FunctionName = 'a' OR Stage = 'b'")).toThrow('App/Thing.DashboardBody')
    expect(boot('AWS::CloudWatch::Dashboard', { DashboardBody: '{' })).toThrow('is not JSON')
  })
})
