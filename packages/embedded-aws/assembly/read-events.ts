// Reads event buses and rules from their resolved properties. Refuses a rule with a schedule, because EventBridge
// Scheduler does schedules.

import type { RetryPolicy } from '../delivery/deliveries.ts'
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { type EventBus, parsePattern, type Rule, type RuleTarget } from '../events/event-pattern.ts'
import { busName } from '../events/put-events.ts'
import { readTargetInput } from '../events/target-input.ts'
import { Fields, isObject } from '../fields.ts'
import type { Placed } from './identity.ts'

/** The limits of AWS. The maximums are also the defaults of a target. */
const MOST_RETRIES = 185
const MOST_AGE_SECONDS = 86_400
const LEAST_AGE_SECONDS = 60

export function readRetryPolicy(target: Fields): RetryPolicy {
  const given = target.findWithin('RetryPolicy', (policy) => ({
    maxRetries: policy.findWhole('MaximumRetryAttempts', 0, MOST_RETRIES),
    maxAgeSeconds: policy.findWhole('MaximumEventAgeInSeconds', LEAST_AGE_SECONDS, MOST_AGE_SECONDS),
  }))
  return { maxRetries: given?.maxRetries ?? MOST_RETRIES, maxAgeSeconds: given?.maxAgeSeconds ?? MOST_AGE_SECONDS }
}

export function readDeadLetterArn(target: Fields): string | undefined {
  return target.findWithin('DeadLetterConfig', (config) => config.findText('Arn'))
}

/** Maximum number of targets of one rule on AWS. */
const MOST_TARGETS = 5

export function readBus(properties: Fields, { arn, name }: Placed): EventBus {
  properties.ignore(['Name', 'Description', 'KmsKeyIdentifier', 'LogConfig', 'Policy', 'Tags'])
  return { name, arn }
}

/** Returns what a bus's own policy denies. Its allowances are for other accounts, which do not exist here. */
export function readBusPolicy(properties: Fields): readonly Statement[] {
  if (!properties.has('Policy')) return []
  const policy = properties.object('Policy')
  const denials = [policy.raw('Statement')]
    .flat()
    .filter((statement) => !isObject(statement) || statement.Effect !== 'Allow')
  return parseResourcePolicy({ Statement: denials }, policy.where)
}

/**
 * Reads a statement that a stack adds to the policy of a bus. Without a whole statement it only allows, and allowances are
 * for other accounts.
 */
export function readBusStatement(properties: Fields): { readonly bus: string; readonly denials: readonly Statement[] } {
  properties.ignore(['Action', 'Condition', 'Principal', 'StatementId'])
  const bus = properties.findText('EventBusName') ?? 'default'
  const statement = properties.raw('Statement')
  const isDenial = isObject(statement) && statement.Effect === 'Deny'
  return { bus, denials: isDenial ? parseResourcePolicy({ Statement: statement }, properties.where) : [] }
}

export function readRule(properties: Fields, { arn, name }: Placed): Rule {
  properties.ignore(['Name', 'Description', 'Tags'])
  const state = properties.findText('State') ?? 'ENABLED'
  if (state !== 'ENABLED' && state !== 'DISABLED') throw properties.refuse('State', `${state} is not supported`)
  const targets = properties.findList('Targets')
  if (targets.length > MOST_TARGETS) throw properties.refuse('Targets', `at most ${MOST_TARGETS}`)
  return {
    name,
    arn,
    bus: busName(properties.findText('EventBusName')),
    isEnabled: state === 'ENABLED',
    matches: parsePattern(properties.raw('EventPattern'), `${properties.where}.EventPattern`),
    targets: targets.map((target, index) => readTarget(new Fields(target, `${properties.where}.Targets[${index}]`))),
  }
}

function readTarget(target: Fields): RuleTarget {
  target.ignore(['Id'])
  const read = {
    targetArn: target.text('Arn'),
    roleArn: target.findText('RoleArn'),
    deadLetterArn: readDeadLetterArn(target),
    ...readRetryPolicy(target),
    input: readTargetInput(target),
  }
  target.close()
  return read
}
