// Reads a schedule of EventBridge Scheduler from its resolved properties. Refuses what would not work here as on AWS:
// flexible windows, universal targets, and input that is not JSON.

import { ExpressionError, parseExpression, type Timing } from '@sluice/schedules'
import type { Fields } from '../fields.ts'
import type { Schedule } from '../schedules/schedules.ts'
import type { Placed } from './identity.ts'
import { readDeadLetterArn, readRetryPolicy } from './read-events.ts'

export function readSchedule(properties: Fields, { arn, name }: Placed): Schedule {
  properties.ignore(['Name', 'Description', 'GroupName', 'KmsKeyArn'])
  properties.within('FlexibleTimeWindow', (window) => {
    if (window.text('Mode') !== 'OFF') throw window.refuse('Mode', 'only OFF is supported')
  })
  const state = properties.findText('State') ?? 'ENABLED'
  if (state !== 'ENABLED' && state !== 'DISABLED') throw properties.refuse('State', `${state} is not a state`)
  const zone = properties.findText('ScheduleExpressionTimezone') ?? 'UTC'
  const expression = properties.text('ScheduleExpression')
  return {
    name,
    arn,
    group: arn.split('/')[1] ?? '',
    expression,
    zone,
    timing: readTiming(properties, expression, zone),
    isEnabled: state === 'ENABLED',
    startMs: readDate(properties, 'StartDate'),
    endMs: readDate(properties, 'EndDate'),
    ...properties.within('Target', readTarget),
  }
}

function readTiming(properties: Fields, expression: string, zone: string): Timing {
  try {
    return parseExpression(expression, zone)
  } catch (error) {
    if (error instanceof ExpressionError) throw properties.refuse('ScheduleExpression', error.message)
    throw error
  }
}

function readDate(properties: Fields, name: 'StartDate' | 'EndDate'): number | undefined {
  const text = properties.findText(name)
  if (text === undefined) return undefined
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) throw properties.refuse(name, 'must be a date and time')
  return atMs
}

function readTarget(target: Fields) {
  const input = target.findText('Input')
  if (input !== undefined) checkJson(target, input)
  return {
    targetArn: target.text('Arn'),
    roleArn: target.text('RoleArn'),
    input,
    deadLetterArn: readDeadLetterArn(target),
    ...readRetryPolicy(target),
  }
}

/** Functions and state machines take only JSON. Context attributes are within its strings. */
function checkJson(target: Fields, input: string): void {
  try {
    JSON.parse(input)
  } catch {
    throw target.refuse('Input', 'must be JSON')
  }
}
