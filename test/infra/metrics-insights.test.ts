// The reader of queries finds what CloudWatch would refuse.
import { expect, test } from 'vitest'
import { faultOfQuery, isQuery } from './metrics-insights.ts'

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
